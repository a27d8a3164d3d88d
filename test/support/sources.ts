// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Reads the project's own sources with the compiler's parser, for the test that holds the house rules.
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import {
  isCallExpression,
  isCatchClause,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportEqualsDeclaration,
  isImportSpecifier,
  isImportTypeNode,
  isLiteralTypeNode,
  isNamedExports,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isStringLiteralLikeNode,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** `types` is true when nothing of it is left at run time; `specifier` is null when it is computed. */
export type Import = { specifier: string | null; line: number; types: boolean };

export type Source = {
  /** Relative to the root, with slashes. */
  path: string;
  text: string;
  imports: Import[];
  /** Lines with `export * from`. */
  reexportsAll: number[];
  /** Every identifier in code (not in comments or strings), with its lines. */
  words: Map<string, number[]>;
  emptyCatches: number[];
  /** `test.skip`, `it.only`, `{ todo: true }` and their kind. */
  markedTests: number[];
};

const marks = new Set(["skip", "only", "todo"]);

function literal(node: Node | undefined): string | null {
  return node !== undefined && isStringLiteralLikeNode(node) ? node.text : null;
}

/** `import { type X }` still loads the module when it runs: only `import type` leaves nothing. */
function onlyTypes(node: Node): boolean {
  if (isImportDeclaration(node)) {
    return node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
  }
  return isExportDeclaration(node) && node.isTypeOnly;
}

function importOf(node: Node): Omit<Import, "line"> | null {
  if (isImportDeclaration(node)) {
    return { specifier: literal(node.moduleSpecifier), types: onlyTypes(node) };
  }
  if (isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: literal(node.moduleSpecifier), types: onlyTypes(node) };
  }
  if (isImportTypeNode(node)) {
    const { argument } = node;
    const specifier = isLiteralTypeNode(argument) ? literal(argument.literal) : null;
    return { specifier, types: true };
  }
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
    return { specifier: literal(node.arguments[0]), types: false };
  }
  if (
    isCallExpression(node) &&
    isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === "getBuiltinModule"
  ) {
    return { specifier: literal(node.arguments[0]), types: false };
  }
  if (isImportEqualsDeclaration(node)) return { specifier: null, types: false };
  return null;
}

function isMarkedTest(node: Node): boolean {
  if (!isCallExpression(node)) return false;
  const called = node.expression;
  if (isPropertyAccessExpression(called) && marks.has(called.name.text)) {
    return (
      isIdentifier(called.expression) && /^(test|it|describe|suite|t)$/.test(called.expression.text)
    );
  }
  if (!isIdentifier(called) || !/^(test|it|describe|suite)$/.test(called.text)) return false;
  return node.arguments.some(
    (argument) =>
      isObjectLiteralExpression(argument) &&
      argument.properties.some((property) => {
        const name = "name" in property ? property.name : undefined;
        return name !== undefined && isIdentifier(name) && marks.has(name.text);
      }),
  );
}

function read(file: SourceFile, path: string): Source {
  const source: Source = {
    path,
    text: file.text,
    imports: [],
    reexportsAll: [],
    words: new Map(),
    emptyCatches: [],
    markedTests: [],
  };
  const line = (node: Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const visit = (node: Node): void => {
    const found = importOf(node);
    if (found !== null) source.imports.push({ ...found, line: line(node) });
    if (isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      const names = node.exportClause;
      if (names === undefined || !isNamedExports(names)) source.reexportsAll.push(line(node));
    }
    if (isCatchClause(node) && node.block.statements.length === 0) {
      source.emptyCatches.push(line(node));
    }
    if (isMarkedTest(node)) source.markedTests.push(line(node));
    if (isIdentifier(node) || isImportSpecifier(node)) {
      const text = isIdentifier(node) ? node.text : (node.propertyName ?? node.name).text;
      const lines = source.words.get(text);
      if (lines === undefined) source.words.set(text, [line(node)]);
      else lines.push(line(node));
    }
    node.forEachChild(visit);
  };
  visit(file);
  return source;
}

/** The compiler as a process of its own, for any number of projects. Whoever opens it closes it. */
export const openCompiler = () => new API();

/** Parses every TypeScript file that `root`'s tsconfig.json names, sorted by path. */
export function readSources(compiler: API, root: string): Source[] {
  const real = realpathSync(root);
  const config = join(real, "tsconfig.json");
  using snapshot = compiler.updateSnapshot({ openProjects: [config] });
  const project = snapshot.getProject(config);
  if (project === undefined) throw new Error(`the compiler does not open ${config}`);
  const sources = project.rootFiles.map((name) => {
    const file = project.program.getSourceFile(name);
    if (file === undefined) throw new Error(`the compiler does not know ${name}`);
    return read(file, relative(real, name).replaceAll("\\", "/"));
  });
  compiler.updateSnapshot({ closeProjects: [config] }).dispose();
  return sources.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The other texts of a project (scripts, documents, examples), which no compiler reads. */
export function readTexts(root: string, folders: string[]): { path: string; text: string }[] {
  const texts: { path: string; text: string }[] = [];
  const look = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) texts.push({ path, text: readFileSync(join(root, path), "utf8") });
      else if (entry.isDirectory() && folder !== "") look(path);
    }
  };
  const present = new Set(readdirSync(root));
  for (const folder of ["", ...folders]) if (folder === "" || present.has(folder)) look(folder);
  return texts.sort((a, b) => (a.path < b.path ? -1 : 1));
}

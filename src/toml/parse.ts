// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// TOML text to a document. Import this file only when there is a file to read: the parser it loads
// costs a start 5 to 10 ms and 3 to 6 MB.
import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { ReadableError } from "../errors.ts";
import {
  Marks,
  newTable,
  type TomlDocument,
  type TomlKind,
  type TomlPath,
  type TomlTable,
  type TomlValue,
} from "./document.ts";

/**
 * Reads TOML 1.1. `file` is how messages name it. Throws ReadableError "toml", whose message is
 * "FILE:LINE:COLUMN: what is wrong".
 */
export function parseToml(text: string, file: string): TomlDocument {
  // Editors of other systems write a byte order mark, which the parser does not know.
  const program = read(text.startsWith("\uFEFF") ? text.slice(1) : text, file);
  const builder = new Builder(file);
  const [top] = program.body;
  for (const part of top.body) {
    if (part.type === "TOMLKeyValue") builder.assign(builder.value, [], part);
    else builder.table(part);
  }
  const { value, marks, ignored } = builder;
  return {
    value,
    ignored,
    line: (path) => marks.line(path),
    kind: (path) => marks.kind(path),
  };
}

function read(text: string, file: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (cause) {
    if (cause instanceof ParseError) {
      const place = `${file}:${cause.lineNumber}:${cause.column + 1}`;
      const what = cause.message.charAt(0).toLowerCase() + cause.message.slice(1);
      throw new ReadableError("toml", `${place}: ${what}`, {
        hint: 'A setting is written key = value, text in quotes (name = "text"), a table as [name].',
        cause,
      });
    }
    // The parser calls itself for each level; a file made to break it has thousands of them.
    if (cause instanceof RangeError) {
      throw new ReadableError("toml", `${file}:1: the lists or tables are nested too deeply`, {
        hint: "Write fewer lists inside lists.",
        cause,
      });
    }
    throw cause;
  }
}

/**
 * Makes the values from the parser's tree. The parser's own conversion is not used: it writes
 * [__proto__] into Object.prototype and loses digits of large integers.
 */
class Builder {
  readonly value = newTable();
  readonly marks = new Marks();
  readonly ignored: { path: TomlPath; line: number }[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** A [table] or one of an [[array of tables]], with its settings. */
  table(node: AST.TOMLTable): void {
    const path = node.resolvedKey;
    const line = node.loc.start.line;
    if (this.#ignores(path, line)) return;
    const table = this.#open(this.value, [], path, line);
    for (const setting of node.body) this.assign(table, path, setting);
  }

  /** Puts a setting, whose key may be dotted, into the table that stands at `base`. */
  assign(table: TomlTable, base: TomlPath, node: AST.TOMLKeyValue): void {
    const names = node.key.keys.map(nameOf);
    const path = [...base, ...names];
    const line = node.loc.start.line;
    if (this.#ignores(path, line)) return;
    const inside = this.#open(table, base, names.slice(0, -1), line);
    const name = names.at(-1);
    if (name !== undefined) inside[name] = this.#content(path, node.value, line);
  }

  /** `line` is the line of the key, or of the element of a list. */
  #content(path: TomlPath, node: AST.TOMLContentNode, line: number): TomlValue {
    if (node.type === "TOMLInlineTable") {
      this.marks.set(path, line, "table");
      const table = newTable();
      for (const setting of node.body) this.assign(table, path, setting);
      return table;
    }
    if (node.type === "TOMLArray") {
      this.marks.set(path, line, "list");
      return node.elements.map((element, index) =>
        this.#content([...path, index], element, element.loc.start.line),
      );
    }
    this.marks.set(path, line, kindOf(node));
    return this.#scalar(node);
  }

  #scalar(node: AST.TOMLValue): string | number | bigint | boolean {
    if (node.kind === "integer") {
      if (BigInt.asIntN(64, node.bigint) !== node.bigint) {
        const { line, column } = node.loc.start;
        throw new ReadableError(
          "toml",
          `${this.#file}:${line}:${column + 1}: the integer is larger than 64 bits`,
          { hint: "Write it in quotes if it is a number only to look at." },
        );
      }
      return Number.isSafeInteger(node.value) ? node.value : node.bigint;
    }
    return "datetime" in node ? node.datetime : node.value;
  }

  /** The table at `names` below `table`, made where it is missing, on that line. */
  #open(table: TomlTable, base: TomlPath, names: TomlPath, line: number): TomlTable {
    let here: TomlTable | TomlValue[] = table;
    for (const [index, name] of names.entries()) {
      const kind = typeof names[index + 1] === "number" ? "list" : "table";
      this.marks.set([...base, ...names.slice(0, index + 1)], line, kind);
      let next = get(here, name);
      if (next === undefined) {
        next = kind === "list" ? [] : newTable();
        put(here, name, next);
      }
      // The parser has refused a key that is both a table and something else.
      if (typeof next !== "object") throw new TypeError(`${names.join(".")} is no table`);
      here = next;
    }
    if (Array.isArray(here)) throw new TypeError(`${names.join(".")} is a list`);
    return here;
  }

  #ignores(path: TomlPath, line: number): boolean {
    const index = path.indexOf("__proto__");
    if (index < 0) return false;
    const ignored = path.slice(0, index + 1);
    this.ignored.push({ path: ignored, line });
    this.marks.set(ignored, line, "table");
    return true;
  }
}

function get(inside: TomlTable | TomlValue[], name: string | number): TomlValue | undefined {
  if (!Array.isArray(inside)) return inside[name];
  return typeof name === "number" ? inside[name] : undefined;
}

function put(inside: TomlTable | TomlValue[], name: string | number, value: TomlValue): void {
  if (!Array.isArray(inside)) inside[name] = value;
  else if (typeof name === "number") inside[name] = value;
}

const nameOf = (key: AST.TOMLBare | AST.TOMLQuoted) =>
  key.type === "TOMLBare" ? key.name : key.value;

function kindOf(node: AST.TOMLValue): TomlKind {
  return "datetime" in node ? "date" : node.kind;
}

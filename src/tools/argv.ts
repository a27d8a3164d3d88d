// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A command of a TOML file with its placeholders: what it may be, and how values get into it.
import { basename } from "node:path";
import type { Arguments } from "./schema.ts";

const placeholder = /\{([A-Za-z_][\w-]*)\}/g;

/** `-` and a letter, or `--`: a program would read it as an option; "-3*4" is a value. */
const optionLike = /^-(?:[A-Za-z]|-)/;

const shown = (value: unknown) =>
  value === undefined || value === null
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value);

export type Filled = { argv: string[] } | { fault: string };

/**
 * The argv to run. A placeholder is replaced inside its one element, a missing value is empty. A value
 * that would become an option is a fault, unless it stands after a `--` or its parameter is in `dashes`.
 */
export function fill(
  command: readonly string[],
  args: Arguments,
  dashes: ReadonlySet<string>,
): Filled {
  const argv: string[] = [];
  for (const element of command) {
    const first = /^\{([A-Za-z_][\w-]*)\}/.exec(element)?.[1];
    const text = element.replaceAll(placeholder, (_, name: string) => shown(args[name]));
    const guarded = first === undefined || dashes.has(first) || argv.includes("--");
    if (!guarded && optionLike.test(text))
      return { fault: `${first}: looks like an option: ${text.slice(0, 40)}` };
    if (text.includes("\0")) return { fault: `${first ?? "arguments"}: holds a NUL character` };
    argv.push(text);
  }
  return { argv };
}

/** Programs whose next text is a program of its own, and the options that say so. */
const interpreters: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [
    /^(?:ba|da|z|k|mk|a|fi|c|tc)?sh$|^busybox$|^su$|^script$|^flock$/,
    /^-[A-Za-z]*c[A-Za-z]*$|^--command$/,
  ],
  [/^(?:python|pypy)[\d.]*$/, /^-[A-Za-z]*c$/],
  [/^(?:perl|ruby|lua|luajit)[\d.]*$/, /^-[A-Za-z]*[eE]$/],
  [/^(?:node|deno|bun)$/, /^-[ep]+$|^--(?:eval|print)$|^eval$/],
  [/^php[\d.]*$/, /^-[rBRE]$|^--run$/],
];
/** Programs whose first argument that is no option is a program of its own. */
const scriptFirst = /^(?:[gmn]?awk|sed)$/;

/**
 * What makes a command unsafe, or null: a placeholder in the name of the program, or inside a script
 * text, where a value would be run as code.
 */
export function unsafe(command: readonly string[], params: readonly string[]): string | null {
  const holds = (text: string | undefined) =>
    text !== undefined && params.some((name) => text.includes(`{${name}}`));
  if (holds(command[0])) return "the program's own name must not come from a parameter";
  for (const [at, element] of command.entries()) {
    const program = basename(element);
    const rest = command.slice(at + 1);
    const option = interpreters.find(([name]) => name.test(program))?.[1];
    const script = option ? rest[rest.findIndex((text) => option.test(text)) + 1] : undefined;
    const given = option && rest.some((text) => option.test(text)) ? script : undefined;
    const first = scriptFirst.test(program)
      ? rest.find((text) => !text.startsWith("-"))
      : undefined;
    const text = [given, first].find(holds);
    if (text === undefined) continue;
    const name = params.find((one) => text.includes(`{${one}}`));
    return `a value of {${name}} would be run as code of ${program}; hand it over as an argument instead: ${safeForm(program, name ?? "")}`;
  }
  return null;
}

function safeForm(program: string, name: string): string {
  if (/sh$/.test(program)) return `["${program}", "-c", "… \\"$1\\" …", "${program}", "{${name}}"]`;
  if (/^(?:python|pypy)/.test(program))
    return `["${program}", "-c", "import sys; … sys.argv[1] …", "{${name}}"]`;
  return `put the script into a file beside the tool's and name it: ["my-script", "{${name}}"]`;
}

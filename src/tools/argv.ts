// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How values get into the command of a TOML file: each inside its own element, never as an option.
import type { Arguments } from "./schema.ts";

/** What stands in braces. Only a parameter's name or a word is a placeholder: `{2}` and `{print $1}` stay. */
const braces = /\{([^{}]*)\}/g;
const leading = /^\{([^{}]*)\}/;
const word = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** `-` and a letter, or `--`: a program would read it as an option; "-3*4" is a value. */
const optionLike = /^-(?:\p{L}|-)/u;

const shown = (value: unknown) =>
  value === undefined || value === null
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value);

export type Filled = { argv: string[] } | { fault: string };

/** Words in braces that are no parameter, with their element's index: they stand for nothing. */
export function unknownPlaceholders(
  command: readonly string[],
  params: ReadonlySet<string>,
): { name: string; at: number }[] {
  return command.flatMap((element, at) =>
    [...element.matchAll(braces)].flatMap(([, name = ""]) =>
      word.test(name) && !params.has(name) ? [{ name, at }] : [],
    ),
  );
}

/**
 * The argv to run. A placeholder is replaced inside its one element; a missing value and a word in
 * braces that is none of `params` are empty. A value that would become an option is a fault, unless it
 * stands after a `--` of the command or its parameter is in `dashes`.
 */
export function fill(
  command: readonly string[],
  args: Arguments,
  { params, dashes }: { params: ReadonlySet<string>; dashes: ReadonlySet<string> },
): Filled {
  const put = (whole: string, name: string) => {
    if (params.has(name)) return Object.hasOwn(args, name) ? shown(args[name]) : "";
    return word.test(name) ? "" : whole;
  };
  const argv: string[] = [];
  for (const [at, element] of command.entries()) {
    const text = element.replaceAll(braces, put);
    const cut = [...element.matchAll(braces)].find(([whole, name = ""]) =>
      put(whole, name).includes("\0"),
    );
    if (cut) return { fault: `${cut[1]}: holds a NUL character` };
    const first = firstValue(element, put);
    const guarded = first === undefined || dashes.has(first) || command.slice(0, at).includes("--");
    if (!guarded && optionLike.test(text))
      return { fault: `${first}: looks like an option: ${text.slice(0, 40)}` };
    argv.push(text);
  }
  return { argv };
}

/** The parameter whose value the element begins with; undefined when it begins with the file's own words. */
function firstValue(
  element: string,
  put: (whole: string, name: string) => string,
): string | undefined {
  const [whole, name] = leading.exec(element) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  return put(whole, name) === "" ? firstValue(element.slice(whole.length), put) : name;
}

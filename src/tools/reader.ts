// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One tool file being read: values of the right type, and faults with file and line.
import { ReadableError } from "../errors.ts";
import type { Notice } from "../message.ts";
import type { TomlDocument, TomlPath, TomlTable, TomlValue } from "../toml/document.ts";
import { nearest } from "../toml/nearest.ts";

/** Mistyped, these would make a tool freer than its owner meant. */
const guards = ["effect", "confirm", "untrusted", "personal"];
/** What the earlier contract of tools called them. */
const earlierNames = new Map([
  ["side_effects", 'effect = "change"'],
  ["requires_confirmation", 'confirm = "always"'],
]);

export class Reader {
  readonly file: string;
  readonly notices: Notice[] = [];
  readonly #document: TomlDocument;

  constructor(file: string, document: TomlDocument) {
    this.file = file;
    this.#document = document;
  }

  /** The file stays out. */
  fault(path: TomlPath, what: string, hint = ""): ReadableError {
    return new ReadableError("tool_file", `${this.file}:${this.#document.line(path)}: ${what}`, {
      hint,
    });
  }
  /** A key that must be there; a mistyped one is named with its line. */
  missing(table: TomlTable, key: string, hint: string): ReadableError {
    const typed = Object.keys(table).find((name) => nearest(name, [key]) !== null);
    return typed === undefined
      ? this.fault([], `${key} is missing`, hint)
      : this.fault([typed], `${key} is missing; did you mean it by ${typed}?`, hint);
  }
  /** The file loads all the same. */
  note(path: TomlPath, what: string, hint = ""): void {
    this.notices.push(this.said(path, what, hint));
  }
  said(path: TomlPath, what: string, hint: string): Notice {
    const message = `${this.file}:${this.#document.line(path)}: ${what}`;
    return { code: "tool_file", message, hint };
  }
  text(path: TomlPath, value: TomlValue | undefined): string {
    if (typeof value !== "string") throw this.fault(path, `${path.at(-1)} must be a text`);
    return value;
  }
  flag(path: TomlPath, value: TomlValue | undefined): boolean {
    if (value === undefined) return false;
    if (typeof value !== "boolean") throw this.fault(path, `${path.at(-1)} must be true or false`);
    return value;
  }
  choice<T extends string>(
    path: TomlPath,
    value: TomlValue | undefined,
    choices: readonly T[],
  ): T | undefined {
    if (value === undefined) return undefined;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined)
      throw this.fault(path, `${path.at(-1)} must be one of ${choices.join(", ")}`);
    return chosen;
  }
  table(path: TomlPath, value: TomlValue | undefined): TomlTable {
    if (value === undefined) return {};
    if (typeof value !== "object" || Array.isArray(value))
      throw this.fault(path, `${path.at(-1)} must be a table`);
    return value;
  }
  texts(path: TomlPath, value: TomlValue | undefined): string[] {
    if (!Array.isArray(value)) throw this.fault(path, `${path.at(-1)} must be a list of texts`);
    return value.map((one, at) => {
      if (typeof one === "string") return one;
      throw this.fault([...path, at], `part ${at + 1} of ${path.at(-1)} must be a text in quotes`);
    });
  }
  /**
   * An unknown key is ignored with a word. One that is nearly a guard keeps the file out, and so does a
   * guard that slipped below a [table] header, where it would mean nothing.
   */
  unknown(path: TomlPath, known: readonly string[], value?: TomlValue): void {
    const key = String(path.at(-1));
    const guard = guardIn(value, path);
    if (guard) {
      const what = `${guard.at(-1)} means nothing below ${key}, so the tool is left out`;
      throw this.fault(guard, what, "Write it above the first [table].");
    }
    const near = nearest(key, [...new Set([...known, ...guards])]);
    if (near !== null && guards.includes(near)) {
      const hint = key === near ? "Write it above the first [table]." : `Did you mean ${near}?`;
      throw this.fault(path, `unknown key ${key}, so the tool is left out`, hint);
    }
    const older = earlierNames.get(key);
    if (older !== undefined) {
      throw this.fault(path, `unknown key ${key}, so the tool is left out`, `Write: ${older}`);
    }
    const hint = near ? `Did you mean ${near}?` : `Known here: ${known.join(", ")}.`;
    this.note(path, `unknown key ${key} is ignored`, hint);
  }
}

/** Where a guard stands inside of what is ignored; null when none does. */
function guardIn(value: TomlValue | undefined, path: TomlPath): TomlPath | null {
  if (typeof value !== "object") return null;
  const inner: [string | number, TomlValue][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  for (const [key, one] of inner) {
    const here = [...path, key];
    if (typeof key === "string" && (nearest(key, guards) || earlierNames.has(key))) return here;
    const deeper = guardIn(one, here);
    if (deeper) return deeper;
  }
  return null;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A parsed TOML file as plain values, and where each key of it stands.

export type TomlValue = string | number | bigint | boolean | TomlValue[] | TomlTable;

/** Has no prototype, so a key such as "constructor" is only what the file says. */
export type TomlTable = { [key: string]: TomlValue };

/** What the file has there; a date or time of any sort is "date". */
export type TomlKind = "string" | "integer" | "float" | "boolean" | "date" | "list" | "table";

/** Keys, and indexes from 0 inside lists and arrays of tables. */
export type TomlPath = readonly (string | number)[];

export type TomlDocument = {
  /**
   * Integers beyond 2^53 are bigint; dates and times are strings, as the file has them. Every table
   * is without prototype, and nothing in it is named "__proto__".
   */
  readonly value: TomlTable;
  /** From 1. Of a path that the file does not have: the line of what contains it, at last 1. */
  line(path: TomlPath): number;
  /** Null when the file has no such path. */
  kind(path: TomlPath): TomlKind | null;
  /** Keys named "__proto__", left out of `value` with all below them. */
  readonly ignored: readonly { path: TomlPath; line: number }[];
};

export const newTable = (): TomlTable => Object.create(null);

type Mark = { line: number; kind: TomlKind };

/** Collects the lines and kinds of all paths. */
export class Marks {
  readonly #marks = new Map<string, Mark>();

  /** The first line of a path stays. */
  set(path: TomlPath, line: number, kind: TomlKind): void {
    const key = JSON.stringify(path);
    if (!this.#marks.has(key)) this.#marks.set(key, { line, kind });
  }

  line(path: TomlPath): number {
    for (let length = path.length; length > 0; length -= 1) {
      const mark = this.#marks.get(JSON.stringify(path.slice(0, length)));
      if (mark) return mark.line;
    }
    return 1;
  }

  kind(path: TomlPath): TomlKind | null {
    return path.length === 0 ? "table" : (this.#marks.get(JSON.stringify(path))?.kind ?? null);
  }
}

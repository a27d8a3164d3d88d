// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A closed table of config.toml: it has no other keys than those of the table of keys.
import type { ReadableError } from "../errors.ts";
import { nearest } from "../toml/nearest.ts";
import { type Entry, fault, inside, wrongType } from "./entry.ts";
import { engine, type Key, person, server, tables, top, voiceEra } from "./keys.ts";

export type Section = {
  /** The value of a key: the file's, checked, or its default. */
  take: <T>(key: Key<T>) => T;
  /** A table inside, unchecked; null when the file has none. */
  below: (name: string) => Entry | null;
};

export const namesOf = (keys: Record<string, Key<unknown>>) =>
  Object.values(keys).map(({ name }) => name);

/**
 * Opens a table that may have only the keys of `known`. An absent one (null) has only defaults.
 * Throws ReadableError "config" when it is no table or has another key.
 */
export function section(entry: Entry | null, known: readonly string[]): Section {
  const found = new Map<string, Entry>();
  if (entry) {
    if (entry.kind !== "table") throw wrongType(entry, "a table");
    for (const inner of inside(entry)) {
      if (!known.includes(inner.name)) throw unknown(inner, known);
      found.set(inner.name, inner);
    }
  }
  return {
    take: (key) => {
      const given = found.get(key.name);
      return given ? key.type(given) : key.fallback;
    },
    below: (name) => found.get(name) ?? null,
  };
}

function unknown(entry: Entry & { name: string }, known: readonly string[]): ReadableError {
  const { name, path } = entry;
  if (path.length === 1 && voiceEra.includes(name)) {
    return fault(
      entry,
      "belongs to the voice program, whose settings live in voice.toml",
      `Move ${name} and what belongs to it to voice.toml in the same folder.`,
    );
  }
  return fault(entry, "is no known key", advice(name, path.length === 1, known));
}

function advice(name: string, atTop: boolean, known: readonly string[]): string {
  const near = nearest(name, known);
  if (near !== null) return `Did you mean "${near}"?`;
  // A setting after a [table] belongs to that table, which is easily forgotten.
  if (!atTop && (namesOf(top).includes(name) || Object.hasOwn(tables, name))) {
    return `${name} is no part of this table: write it above the first [table].`;
  }
  const home = atTop ? homes.find(([, keys]) => namesOf(keys).includes(name)) : undefined;
  return home ? `${name} belongs below ${home[0]}.` : `Known here: ${known.join(", ")}.`;
}

const homes: [string, Record<string, Key<unknown>>][] = [
  ["[person]", person],
  ["[engine]", engine],
  ["[mcp.NAME]", server],
];

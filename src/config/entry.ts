// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One value of config.toml with its place, so that a fault in it can be told.
import { ReadableError } from "../errors.ts";
import type { TomlDocument, TomlKind, TomlPath, TomlValue } from "../toml/document.ts";

/** The file that an entry is of; `path` is absolute. */
export type Source = { path: string; folder: string; document: TomlDocument };

export type Entry = {
  source: Source;
  path: TomlPath;
  value: TomlValue;
  kind: TomlKind;
};

/** What stands below an entry that is a table or a list; nothing for any other. */
export function inside({ source, path, value }: Entry): (Entry & { name: string })[] {
  if (typeof value !== "object") return [];
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return Array.from(entries, ([name, inner]: [string | number, TomlValue]) => {
    const place = [...path, name];
    const kind = source.document.kind(place) ?? "table";
    return { source, path: place, value: inner, kind, name: String(name) };
  });
}

/** "engine.threads", "mcp.files.command[1]". */
function shownPath(path: TomlPath): string {
  return path.reduce<string>((shown, part) => {
    if (typeof part === "number") return `${shown}[${part}]`;
    const name = /^[\w-]+$/.test(part) ? part : JSON.stringify(part);
    return shown === "" ? name : `${shown}.${name}`;
  }, "");
}

/**
 * A ReadableError "config": "FILE:LINE: KEY what". A value is never shown: it may be a secret, and
 * messages are logged.
 */
export function fault({ source, path }: Pick<Entry, "source" | "path">, what: string, hint = "") {
  const place = `${source.path}:${source.document.line(path)}`;
  return new ReadableError("config", `${place}: ${shownPath(path)} ${what}`, { hint });
}

const articles: Record<TomlKind, string> = {
  string: "a text",
  integer: "an integer",
  float: "a number with a fraction",
  boolean: "true or false",
  date: "a date or time",
  list: "a list",
  table: "a table",
};

/** For an entry of the wrong type. */
export function wrongType(entry: Entry, wanted: string): ReadableError {
  return fault(entry, `must be ${wanted}, and is ${articles[entry.kind]}`);
}

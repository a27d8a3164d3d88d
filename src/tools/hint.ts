// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a person is told who ran a tool by hand and mistyped something; a model is told nothing of it.
import { nearest } from "../toml/nearest.ts";
import { type Arguments, asRecord, type Schema } from "./schema.ts";

/** For a name that is no tool's; one of an MCP server is found without the server's name too. */
export function nameHint(name: string, names: readonly string[]): string {
  const meant = names.find((one) => one.endsWith(`__${name}`)) ?? nearest(name, names);
  return meant === null ? "Type: desktop-assistant tools list" : `Did you mean ${meant}?`;
}

/** For arguments that were left out as unknown, or are missing though required; "" when there are none. */
export function argumentHint(schema: Schema, given: Arguments): string {
  const known = Object.keys(asRecord(schema.properties));
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined && schema.additionalProperties === false) {
    const meant = nearest(unknown, known);
    const names = known.length === 0 ? "It has none." : `It knows ${known.join(", ")}.`;
    const what = meant === null ? names : `Did you mean ${meant}?`;
    return `There is no parameter ${unknown}, so it was left out. ${what}`;
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const empty = (value: unknown) => value === undefined || value === null || value === "";
  const absent = required.find((name) => empty(given[name]));
  return absent === undefined ? "" : `The parameter ${absent} is required, and was left empty.`;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tool's JSON Schema without what tells a model nothing, so that more tools fit into a prompt.
import { recordOf } from "./json.ts";

type Schema = Record<string, unknown>;

/** Keywords that hold schemas by name, a list of schemas, or one schema; all others hold values. */
const byName = new Set(["properties", "$defs", "definitions", "patternProperties"]);
const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const single = new Set(["items", "additionalProperties", "not", "contains"]);

/**
 * Leaves out: `$schema`; an empty `required`; `additionalProperties: false`, since unknown arguments are
 * dropped anyway; an empty description; a title that only repeats the property's name.
 */
export function slimSchema(schema: Schema, name = ""): Schema {
  const slim: Schema = {};
  for (const [key, value] of Object.entries(schema))
    if (!tellsNothing(key, value, name)) slim[key] = inner(key, value);
  return slim;
}

function tellsNothing(key: string, value: unknown, name: string): boolean {
  if (key === "$schema") return true;
  if (key === "required") return Array.isArray(value) && value.length === 0;
  if (key === "additionalProperties") return value === false;
  if (key === "description") return value === "";
  return key === "title" && typeof value === "string" && letters(value) === letters(name);
}

const letters = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, "");

function inner(key: string, value: unknown): unknown {
  const record = recordOf(value);
  if (byName.has(key) && record) {
    const named = Object.entries(record).map(([name, one]) => [name, whole(one, name)]);
    return Object.fromEntries(named);
  }
  if (lists.has(key) && Array.isArray(value)) return value.map((one) => whole(one, ""));
  return single.has(key) ? whole(value, "") : value;
}

function whole(value: unknown, name: string): unknown {
  const record = recordOf(value);
  return record ? slimSchema(record, name) : value;
}

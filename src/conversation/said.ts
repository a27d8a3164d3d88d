// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a call's arguments say: words, choices from a short list, and shapes that hold no word at all.
import { comingDays, isoDay } from "../tools/day.ts";
import { type Arguments, asRecord, type Schema } from "../tools/schema.ts";
import { wordsOf } from "./typed.ts";

export type Said = {
  /** Words of the writer's choice, in the order in which they stand. */
  texts: string[];
  /** One of a few: true or false, one of a short list, a day of the coming week. */
  choices: string[];
  /** Empty or wordless parts of a list or a free table, and lists in lists: many of them spell anything. */
  shapes: string[];
};

/** A longer list of values is a vocabulary. */
const shortList = 32;

export function saidBy(args: Arguments, schema: Schema, today: Date): Said {
  const said: Said = { texts: [], choices: [], shapes: [] };
  // The model knows the dates of the coming days from us; "tomorrow" was typed as a word.
  add(args, schema, { said, days: comingDays(today).map(isoDay), listed: false });
  return said;
}

/** `listed`: it stands in a list or under a name that the schema does not know, so there may be many. */
type Where = { said: Said; days: readonly string[]; listed: boolean };

function add(value: unknown, schema: unknown, where: Where): void {
  const { said, days, listed } = where;
  const { enum: choices, const: only, default: usual, properties, items } = asRecord(schema);
  if (!listed && (value === undefined || value === usual || value === only)) return;
  if (!listed && Array.isArray(choices) && choices.length <= shortList && choices.includes(value))
    said.choices.push(String(value));
  else if (typeof value === "string") {
    if (!listed && days.includes(value)) said.choices.push(value);
    else if (listed && wordsOf(value).length === 0) said.shapes.push(JSON.stringify(value));
    else said.texts.push(value);
  } else if (typeof value === "number" || typeof value === "bigint") said.texts.push(String(value));
  else if (typeof value === "boolean") said[listed ? "texts" : "choices"].push(String(value));
  else if (Array.isArray(value)) {
    if (value.length === 0) said[listed ? "shapes" : "choices"].push("[]");
    for (const one of value) {
      if (Array.isArray(one)) said.shapes.push("[[]]");
      add(one, items, { ...where, listed: true });
    }
  } else if (typeof value === "object" && value !== null) {
    const known = asRecord(properties);
    const entries = Object.entries(value);
    if (listed && entries.length === 0) said.shapes.push("{}");
    for (const [key, inner] of entries) {
      const named = Object.hasOwn(known, key);
      if (!named) said.texts.push(key);
      add(inner, named ? known[key] : undefined, { ...where, listed: listed || !named });
    }
  } else if (listed) said.shapes.push(String(value));
}

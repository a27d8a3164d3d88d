// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Compact JSON of any kind: texts, numbers, and values in each other to a bounded depth.
import {
  digit,
  either,
  oneOf,
  optional,
  type Part,
  type Rules,
  row,
  set,
  text,
  times,
} from "./gbnf.ts";
import { anyCharacter } from "./pattern.ts";

/** Objects and arrays in each other, where the schema says nothing. */
const deepest = 4;

type Count = { least: number; most: number };
const any: Count = { least: 0, most: Number.POSITIVE_INFINITY };

/** A string of any characters, so many of them. */
export function string(rules: Rules, { least, most }: Count = any): Part {
  return row(text('"'), rules.times(anyCharacter, least, most), text('"'));
}

const anyString = (rules: Rules) => rules.once("any string", () => rules.define(string(rules)));

/** Not longer than what a double holds, so that a number ends and is never infinite. */
export const number: Part = row(
  optional(text("-")),
  either(text("0"), row(set([0x31, 0x39]), times(digit, 0, 15))),
  optional(row(text("."), times(digit, 1, 16))),
  optional(row(oneOf("eE"), optional(oneOf("+-")), times(digit, 1, 2))),
);

export const boolean: Part = either(text("true"), text("false"));

/** `[…]` with so many items. */
export function list(rules: Rules, item: Part, { least, most }: Count = any): Part {
  if (most === 0) return text("[]");
  const one = rules.share(item);
  const more = rules.times(row(text(","), one), Math.max(0, least - 1), most - 1);
  const items = row(one, more);
  return row(text("["), least === 0 ? optional(items) : items, text("]"));
}

/** An object with any names, each with such a value. */
export function record(rules: Rules, value: Part): Part {
  const field = rules.define(row(anyString(rules), text(":"), rules.share(value)));
  const more = rules.times(row(text(","), field), 0, Number.POSITIVE_INFINITY);
  return row(text("{"), optional(row(field, more)), text("}"));
}

export const anyValue = (rules: Rules, depth = deepest): Part =>
  rules.once(`any value ${depth}`, () => {
    const parts = [anyString(rules), rules.define(number), boolean, text("null")];
    if (depth > 0) {
      const inner = anyValue(rules, depth - 1);
      parts.push(list(rules, inner), record(rules, inner));
    }
    return rules.define(either(...parts));
  });

export const anyObject = (rules: Rules): Part =>
  rules.once("any object", () => rules.share(record(rules, anyValue(rules, deepest - 1))));

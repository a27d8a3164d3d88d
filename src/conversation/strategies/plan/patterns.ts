// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A parameter's pattern as every server's grammar can force it, or none.
import { grammarOf } from "../../../model/grammar/schema.ts";
import { compiled } from "../../../tools/pattern.ts";

const longest = 200;
/** A server refuses the whole request for a repetition of thousands. */
const mostTimes = 1000;

const classes = new Map([
  ["\\d", "0-9"],
  ["\\w", "A-Za-z0-9_"],
]);
const parts = /\\.|./gsu;

/**
 * The pattern with its classes written out; null when it is none, or not whole, or looks around, or when
 * our own grammar cannot hold it: then that of all tools would go without.
 */
export function forcible(pattern: string): string | null {
  if (!/^\^.*\$$/s.test(pattern) || pattern.length > longest || !compiled(pattern)) return null;
  const times = [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)].flatMap(([, ...counts]) => counts);
  if (times.some((count) => Number(count) > mostTimes)) return null;
  let inClass = false;
  let plain = "";
  for (const [part] of pattern.matchAll(parts)) {
    const written = classes.get(part);
    if (written !== undefined) plain += inClass ? written : `[${written}]`;
    else if (/^\\[a-zA-Z0-9\\]$/.test(part)) return null;
    else plain += part;
    if (part === "[") inClass = true;
    else if (part === "]") inClass = false;
  }
  if (plain.includes("(?") || grammarOf({ type: "string", pattern: plain }) === null) return null;
  return plain;
}

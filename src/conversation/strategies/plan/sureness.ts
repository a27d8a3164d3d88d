// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How sure a model was of each argument that it wrote, by the odds of its tokens.
import type { TokenOdds } from "../../../model/model.ts";
import { jsonEnd } from "../json-text.ts";

const opening = /"arguments"\s*:\s*\{/g;
/** A key with its colon, a text without its quotes, a number or word or what is cut off. */
const key = /[\s,]*"((?:[^"\\]|\\.)*)"\s*:\s*/y;
const text = /"((?:[^"\\]|\\.)*)"/y;
const plain = /".*|[^,}]*/sy;

/**
 * The lowest probability of a token of each value, from 0 to 1, by the argument's name. Empty when the
 * odds are not known or hold no arguments.
 */
export function surenessOf(odds: readonly TokenOdds[]): Map<string, number> {
  const written = odds.map((one) => one.text).join("");
  const found = new Map<string, number>();
  opening.lastIndex = 0;
  if (!opening.exec(written)) return found;
  for (let at = opening.lastIndex; ; ) {
    key.lastIndex = at;
    const name = key.exec(written)?.[1];
    if (name === undefined) return found;
    const [from, to, end] = valueAt(written, key.lastIndex);
    found.set(name, lowest(odds, from, to));
    at = end;
  }
}

/** Where a value begins and ends, for a text without its quotes, and where what follows it begins. */
function valueAt(written: string, from: number): [from: number, to: number, end: number] {
  text.lastIndex = from;
  if (text.exec(written)) return [from + 1, text.lastIndex - 1, text.lastIndex];
  plain.lastIndex = from;
  plain.exec(written);
  const inside = /[{[]/.test(written[from] ?? "") ? jsonEnd(written, from) : plain.lastIndex;
  const to = typeof inside === "number" ? inside : written.length;
  return [from, to, to];
}

/** Of the tokens that begin inside: the sign that ends a text says nothing of it. */
function lowest(odds: readonly TokenOdds[], from: number, to: number): number {
  let least = 1;
  let at = 0;
  for (const { text: token, logprob } of odds) {
    if (at >= from && at < to) least = Math.min(least, Math.exp(logprob));
    at += token.length;
  }
  return least;
}

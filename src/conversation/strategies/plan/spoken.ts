// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a text says: its words, and where a phrase stands among them.
import { plain } from "../../../tools/plain.ts";

/** Letters and digits, without case and accents; signs of a script without spaces one by one. */
export const wordsIn = (text: string): string[] =>
  plain(text).match(/\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}|\p{L}+|\p{N}+/gu) ?? [];

/** The same, or the same at their beginning: "zucchini" and "zucchine"; 50000000 is "50 million". */
export function alike(one: string, other: string): boolean {
  if (one === other || (isNumber.test(one) && digits(one) === digits(other))) return true;
  const least = Math.max(4, Math.ceil(0.6 * Math.max(one.length, other.length)));
  return one.length >= least && other.startsWith(one.slice(0, least));
}

const isNumber = /^\p{N}*[1-9]\p{N}*$/u;
/** Without zeros at its ends. */
const digits = (number: string) => number.replaceAll(/^0+|0+$/g, "");

/** From this length on a name is also said by a longer word: "Freitag" by "Freitagabend". */
const longName = 6;
/** Shorter ones have too many neighbours: "mars", "mardi". */
const shortestForm = 5;

/** A name's form: the same but for its last letter ("środa", "środę"), or as the beginning of a longer word. */
function isForm(name: string, word: string): boolean {
  if (word === name) return true;
  if (name.length >= longName && word.startsWith(name)) return true;
  const near = Math.abs(word.length - name.length) <= 1;
  return name.length >= shortestForm && near && word.startsWith(name.slice(0, -1));
}

/** From the first of its words to behind the last one. */
export type Span = { from: number; to: number };

/**
 * Where the names of a phrase stand together, in any order ("semana próxima", "próxima semana"), with at
 * most `between` others among them.
 */
export function spansOf(
  phrase: readonly string[],
  words: readonly string[],
  between: number,
): Span[] {
  return words.flatMap((_, from) => {
    const places: number[] = [];
    for (const wanted of phrase) {
      const near = words.slice(from, from + phrase.length + between);
      const at = near.findIndex((word, place) => !places.includes(place) && isForm(wanted, word));
      if (at < 0) return [];
      places.push(at);
    }
    return places.includes(0) ? [{ from, to: from + Math.max(...places) + 1 }] : [];
  });
}

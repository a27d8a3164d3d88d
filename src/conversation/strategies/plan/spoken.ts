// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a text says: its words, and where a phrase stands among them.
import { plain } from "../../../tools/plain.ts";

/** Letters and digits, without case and accents; signs of a script without spaces one by one. */
export const wordsIn = (text: string): string[] =>
  plain(text).match(/\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}|\p{L}+|\p{N}+/gu) ?? [];

/** The same, or the same at their beginning: "zucchini" and "zucchine"; 50000000 is "50 million". */
export function alike(one: string, other: string): boolean {
  if (one === other) return true;
  const least = Math.max(4, Math.ceil(0.6 * Math.max(one.length, other.length)));
  if (one.length < least) return false;
  if (/^\p{N}/u.test(one)) return one.startsWith(other) && /^(000)+$/.test(one.slice(other.length));
  return other.startsWith(one.slice(0, least));
}

/** How Slavic names end behind "on" and "in": "środa" and "środę", "январь" and "январе". */
const forms = [
  [/a$/, "e"],
  [/а$/, "у"],
  [/[ьй]$/, "е"],
] as const;
/** What German and Dutch write onto a day ("Freitagabend"), and Polish and Czech onto a month. */
const endings =
  /^(?:s?(?:vor|nach)?mittags?|s?morgens?|s?abends?|s?nachts?|fruh|middag|avond|ochtend|u|owi|em)$/;
/** Shorter names have too many neighbours. */
const longName = 6;

/** A name as it stands in a sentence. */
function isForm(name: string, word: string): boolean {
  if (word === name) return true;
  if (forms.some(([end, form]) => end.test(name) && word === name.replace(end, form))) return true;
  return name.length >= longName && word.startsWith(name) && endings.test(word.slice(name.length));
}

/** From the first of its words to behind the last one. */
export type Span = { from: number; to: number };

/** How the names of a phrase stand in a text. */
export type Standing = {
  /** In any order ("semana próxima", "próxima semana"), or in theirs: "demain après" is not "après-demain". */
  order: "any" | "given";
  /** So many other words at most stand among them, of those that `mayStand`. */
  between: number;
  mayStand: RegExp;
};

/** Where the names of a phrase stand together. */
export function spansOf(
  phrase: readonly string[],
  words: readonly string[],
  { order, between, mayStand }: Standing,
): Span[] {
  // Signs have their order: "星期三" is Wednesday, "三星期" three weeks.
  const signs = phrase.some((name) => name.length === 1 && /\p{Lo}/u.test(name));
  return words.flatMap((_, from) => {
    if (signs || order === "given")
      return phrase.every((name, at) => isForm(name, words[from + at] ?? ""))
        ? [{ from, to: from + phrase.length }]
        : [];
    const near = words.slice(from, from + phrase.length + between);
    const places: number[] = [];
    for (const name of phrase) {
      const at = near.findIndex((word, place) => !places.includes(place) && isForm(name, word));
      if (at < 0) return [];
      places.push(at);
    }
    const length = Math.max(...places) + 1;
    const others = near.slice(0, length).filter((_word, place) => !places.includes(place));
    const fits = places.includes(0) && others.every((word) => mayStand.test(word));
    return fits ? [{ from, to: from + length }] : [];
  });
}

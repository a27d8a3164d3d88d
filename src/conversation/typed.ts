// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the person has typed in a conversation: its words in their order, how they were written, and
// the signs between.
import { plain } from "../tools/plain.ts";
import type { Said } from "./said.ts";

/** Letters, digits and what stands on letters; everything else parts words. */
const word = /[\p{L}\p{N}\p{M}]+/gu;
export const wordsOf = (text: string) => text.match(word) ?? [];

/** A number by its digits alone: "1,234.50", "1.234,5" and "1234.5" are one. */
const numbersOf = (text: string) =>
  (text.match(/\d(?:[.,'\u2019\u00a0\u202f]?\d)+/g) ?? [])
    .map((number) =>
      number.replace(/[.,](\d{1,2})$/, (_, cents: string) => cents.replace(/0+$/, "")),
    )
    .map((number) => number.replaceAll(/\D/g, ""));
/** Words in their plain form, and numbers by their digits. */
export const partsOf = (text: string) => [...wordsOf(text).map(plain), ...numbersOf(text)];

/** What stands between words when nobody means anything by it. */
const usualGap = /^ ?[,.:;?!'\u2019"()/&+-]? ?$/;
/** Accents that a word may have gained; more could count. */
const fewMarks = 2;
/** A word or sign may stand so much more often than it was typed: a place in two arguments. */
const spare = 1;
/**
 * What a model may choose of its own, in bits: a small difference could stand for a letter, and so could
 * which words it picks of a long text that was typed.
 */
const allowedBits = 39;
const letterBits = 8;
/** What passing over some words may say: that it does at all, and how far. */
const passedBits = (words: number) => (words === 0 ? 0 : 3 + Math.log2(words));

const marksOf = (one: string) => one.normalize("NFD").match(/\p{M}/gu)?.length ?? 0;
const named = (one: string) => {
  const [first = "", ...rest] = one;
  return first.toUpperCase() + rest.join("").toLowerCase();
};

/** A word written as one writes: no letters of another width, no case or accents of one's own invention. */
function usuallyWritten(one: string): boolean {
  return (
    one === one.normalize("NFKC") &&
    [one.toLowerCase(), one.toUpperCase(), named(one)].includes(one) &&
    marksOf(one) <= fewMarks &&
    !/\p{M}/u.test(one.normalize("NFC"))
  );
}

/** Signs that do not show, by their numbers. */
const byNumber = (sign: string) => `U+${sign.codePointAt(0)?.toString(16)}`;
const visible = (gap: string) => gap.replaceAll(/[^\p{P}\p{S} ]/gu, byNumber).trim() || "spaces";
const shown = (one: string) => one.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, byNumber);

type Known = { forms: Set<string>; places: number[] };

/** Counts how often something stands there. */
function counter(): (what: string) => number {
  const counts = new Map<string, number>();
  return (what) => {
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return count;
  };
}

export class Typed {
  /** By the plain form. */
  readonly #words = new Map<string, Known>();
  readonly #numbers = new Set<string>();
  readonly #gaps = new Map<string, number>();
  #place = 0;

  add(text: string): void {
    for (const one of wordsOf(text)) {
      const known = this.#words.get(plain(one)) ?? { forms: new Set(), places: [] };
      known.forms.add(one);
      known.places.push(this.#place);
      this.#place += 1;
      this.#words.set(plain(one), known);
    }
    for (const one of numbersOf(text)) this.#numbers.add(one);
    for (const gap of text.split(word)) this.#gaps.set(gap, (this.#gaps.get(gap) ?? 0) + 1);
  }

  /** One of partsOf. */
  has(part: string): boolean {
    return this.#words.has(part) || this.#numbers.has(part);
  }

  /**
   * What the person did not type: other words, words more often, or written or parted in a way of their
   * own. A few small differences pass: other usual forms and signs, words left out, another order, a
   * choice. When there are more, they are what is named, since together they can spell anything. `calls` count
   * together; the choice of the call before says nothing new.
   */
  missing(calls: readonly Said[]): string[] {
    const texts = calls.flatMap((said) => said.texts);
    const found = new Set(calls.flatMap(({ shapes }) => shapes));
    const odd = calls
      .flatMap(({ choices }, at) => choices.filter((one) => !calls[at - 1]?.choices.includes(one)))
      .filter((one) => !wordsOf(one).every((part) => this.has(plain(part))));
    const all = texts.flatMap(wordsOf);
    const style = [(one: string) => one.toLowerCase(), named].find((way) =>
      all.every((one) => one === way(one)),
    );
    const picked = new Set<string>();
    const wordCount = counter();
    let place = -1;
    let bits = 0;
    for (const one of all) {
      const known = this.#words.get(plain(one));
      const count = wordCount(plain(one));
      if (!known) found.add(shown(plain(one) || byNumber(one)));
      else if (count > known.places.length + spare) found.add(one);
      else if (!known.forms.has(one) && !usuallyWritten(one)) found.add(shown(one));
      if (!known) continue;
      const next = known.places.find((at) => at > place);
      const left = next === undefined ? this.#place : next - place - 1;
      bits += next === undefined ? Math.max(letterBits, passedBits(left)) : passedBits(left);
      if (left > 0) picked.add(`${shown(one)} (out of place)`);
      place = next ?? known.places[0] ?? place;
      odd.push(...differences(one, known, style !== undefined));
    }
    const gapCount = counter();
    for (const gap of texts.flatMap((text) => text.split(word))) {
      const typed = this.#gaps.get(gap) ?? 0;
      if (gap === "" || gap === " " || (typed > 0 && gapCount(gap) <= typed + spare)) continue;
      if (usualGap.test(gap)) odd.push(visible(gap));
      else found.add(visible(gap));
    }
    const many = bits + letterBits * odd.length > allowedBits;
    return [...found, ...(many ? [...odd, ...picked] : [])];
  }
}

/** How a word differs from how it was typed; all words in one style are no difference. */
function differences(one: string, { forms }: Known, inStyle: boolean): string[] {
  if (forms.has(one)) return [];
  const lower = one.toLowerCase();
  const cased = [...forms].some((form) => form.toLowerCase() === lower);
  if (cased) return inStyle ? [] : [one];
  return Array.from({ length: Math.max(1, marksOf(one)) }, () => one);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the person has typed in a conversation: its words, how they were written, and the signs between.

/** Letters, digits and what stands on letters; everything else parts words. */
const word = /[\p{L}\p{N}\p{M}]+/gu;
/** Case, width and accents do not make another word. */
export const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
export const wordsOf = (text: string) => text.match(word) ?? [];

/** What stands between words when nobody means anything by it. */
const usualGap = /^ ?[,.:;?!'\u2019"()/&+-]? ?$/;
/** Accents that a word may have gained; more could count. */
const fewMarks = 2;

/** A word written as one writes: no letters of another width, no case of one's own invention. */
function usuallyWritten(one: string): boolean {
  const [first = "", ...rest] = one;
  const named = first.toUpperCase() + rest.join("").toLowerCase();
  const marks = one.normalize("NFD").match(/\p{M}/gu)?.length ?? 0;
  return (
    one === one.normalize("NFKC") &&
    [one.toLowerCase(), one.toUpperCase(), named].includes(one) &&
    marks <= fewMarks
  );
}

/** Signs that do not show, by their numbers. */
const visible = (gap: string) =>
  gap.replaceAll(/[^\p{P}\p{S} ]/gu, (sign) => `U+${sign.codePointAt(0)?.toString(16)}`).trim() ||
  "spaces";

/** A word may stand so much more often than it was typed: a place in two arguments. */
const spare = 1;

export class Typed {
  /** By the plain form: how it was written, and how often it stands there. */
  readonly #words = new Map<string, { forms: Set<string>; count: number }>();
  readonly #gaps = new Set<string>();

  add(text: string): void {
    for (const one of wordsOf(text)) {
      const known = this.#words.get(plain(one));
      if (known) {
        known.forms.add(one);
        known.count += 1;
      } else this.#words.set(plain(one), { forms: new Set([one]), count: 1 });
    }
    for (const gap of text.split(word)) this.#gaps.add(gap);
  }

  has(plainWord: string): boolean {
    return this.#words.has(plainWord);
  }

  /**
   * What of the texts the person did not type: other words, words more often, or written or parted in
   * a way of their own. Each of these can stand for a letter.
   */
  missing(texts: readonly string[]): string[] {
    const found = new Set<string>();
    const counts = new Map<string, number>();
    for (const text of texts) {
      for (const one of wordsOf(text)) {
        const known = this.#words.get(plain(one));
        const count = (counts.get(plain(one)) ?? 0) + 1;
        counts.set(plain(one), count);
        if (!known) found.add(plain(one));
        else if (count > known.count + spare || !(known.forms.has(one) || usuallyWritten(one)))
          found.add(one);
      }
      for (const gap of text.split(word))
        if (!usualGap.test(gap) && !this.#gaps.has(gap)) found.add(visible(gap));
    }
    return [...found];
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How many columns a text takes in a terminal, and where it may be cut.

// East Asian Wide and Fullwidth (UAX 11) as ranges; emoji come from their own property.
const wide =
  /^[\u{1100}-\u{115f}\u{2329}\u{232a}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe10}-\u{fe19}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;
const flagHalf = /^\p{Regional_Indicator}$/u;
// U+1160 to U+11FF join the Hangul syllable before them.
const nothing = /^[\p{Mn}\p{Me}\p{Cf}\u{1160}-\u{11ff}]$/u;
const ascii = /^[\x20-\x7e]*$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What a reader takes for one character; plain ASCII goes without the segmenter, which is slow. */
export function graphemes(text: string): string[] {
  if (ascii.test(text)) return text.split("");
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/**
 * Columns of a text without control bytes. Terminals do not agree on joined emoji; this counts their
 * parts, so a line is rather too short than too long.
 */
export function width(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  let last = 0;
  for (const character of text) {
    let own = 1;
    if (character === "\ufe0f")
      own = last === 1 ? 1 : 0; // asks for the emoji form of the character before it
    else if (nothing.test(character)) own = character === "\u00ad" ? 1 : 0;
    else if (flagHalf.test(character)) own = 1;
    else if (wide.test(character) || emoji.test(character)) own = 2;
    columns += own;
    last = own;
  }
  return columns;
}

/** The longest beginning of a text that fits, with an ellipsis if something was left out. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  let used = 0;
  for (const part of graphemes(text)) {
    const own = width(part);
    if (used + own > columns - 1) break;
    kept += part;
    used += own;
  }
  return columns > 0 ? `${kept}…` : "";
}

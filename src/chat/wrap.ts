// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Styled text broken into lines that fit, at spaces, between wide characters, else anywhere.
import { type Line, lineWidth, type Span, type Style, span } from "./line.ts";
import { graphemes, width } from "./width.ts";

type Piece = { text: string; style: Style; columns: number };
/** A run that is kept together if it fits: a word, one wide character, or the space between. */
type Word = { pieces: Piece[]; columns: number; space: boolean };

// Closing marks that must not begin a line stay with the character before them.
const closing = /^[、。，．！？：；）」』】》〉ー…]$/u;

function words(spans: readonly Span[]): (Word | "break")[] {
  const found: (Word | "break")[] = [];
  let open: Word | null = null;
  for (const { text, style } of spans) {
    for (const part of graphemes(text.replaceAll("\t", "    "))) {
      if (part === "\n" || part === "\r\n") {
        found.push("break");
        open = null;
        continue;
      }
      const piece = { text: part, style, columns: width(part) };
      const space = part === " ";
      const joins =
        open !== null &&
        open.space === space &&
        (space || closing.test(part) || (piece.columns < 2 && !endsWide(open)));
      if (open && joins) {
        open.pieces.push(piece);
        open.columns += piece.columns;
      } else {
        open = { pieces: [piece], columns: piece.columns, space };
        found.push(open);
      }
    }
  }
  return found;
}

const endsWide = (word: Word) => (word.pieces.at(-1)?.columns ?? 0) > 1;

function toLine(pieces: readonly Piece[]): Line {
  const line: Line = [];
  for (const piece of pieces) {
    const last = line.at(-1);
    if (last && last.style === piece.style) last.text += piece.text;
    else line.push(span(piece.text, piece.style));
  }
  return line;
}

/**
 * Lines of at most `columns`, the first begun by `first`, the others by `next`. There is always at
 * least one line. A character wider than the room left over stands alone on its line.
 */
export function wrap(
  spans: readonly Span[],
  columns: number,
  options: { first?: Line; next?: Line } = {},
): Line[] {
  const { first = [], next = first } = options;
  const lines: Line[] = [];
  let now: Piece[] = [];
  let used = 0;
  const room = () => Math.max(1, columns - lineWidth(lines.length === 0 ? first : next));
  const end = () => {
    while (now.at(-1)?.text === " ") now.pop();
    lines.push([...(lines.length === 0 ? first : next), ...toLine(now)]);
    now = [];
    used = 0;
  };
  for (const word of words(spans)) {
    if (word === "break") {
      end();
      continue;
    }
    if (used + word.columns > room()) {
      // The space at which a line is broken is not carried to the next one.
      if (word.space) {
        end();
        continue;
      }
      if (used > 0) end();
    }
    for (const piece of word.pieces) {
      if (used > 0 && used + piece.columns > room()) end();
      now.push(piece);
      used += piece.columns;
    }
  }
  if (now.length > 0 || lines.length === 0) end();
  return lines;
}

/** Keeps every space: a line is cut where it is full, not at words. The text holds no newline. */
export function wrapExactly(
  { text, style }: Span,
  columns: number,
  options: { first?: Line; next?: Line } = {},
): Line[] {
  const spaces = "\u00a0";
  return wrap([span(text.replaceAll(" ", spaces), style)], columns, options).map((line) =>
    line.map((part) => span(part.text.replaceAll(spaces, " "), part.style)),
  );
}

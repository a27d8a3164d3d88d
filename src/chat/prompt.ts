// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The question being typed as lines of the terminal, with the place of the cursor in them.
import { type Line, span, style } from "./line.ts";
import { graphemes, width } from "./width.ts";

/**
 * At most `rows` lines of at most `columns`; of a longer text those around the cursor. The cursor's
 * column may be one past the last character.
 */
export function promptLines(
  typed: { text: string; cursor: number },
  options: { columns: number; rows: number; mark: string },
): { lines: Line[]; cursor: { row: number; column: number } } {
  const { columns, rows, mark } = options;
  const indent = width(mark);
  const room = Math.max(2, columns - indent);
  const texts: string[] = [""];
  let used = 0;
  let at = 0;
  let cursor = { row: 0, column: indent };
  const here = () => {
    if (at === typed.cursor) cursor = { row: texts.length - 1, column: indent + used };
  };
  here();
  for (const part of graphemes(typed.text)) {
    const shown = part === "\t" ? "  " : part;
    if (part !== "\n" && used + width(shown) > room) {
      texts.push("");
      used = 0;
      here();
    }
    at += part.length;
    if (part === "\n") {
      texts.push("");
      used = 0;
    } else {
      texts[texts.length - 1] += shown;
      used += width(shown);
    }
    here();
  }
  const first = Math.max(0, Math.min(cursor.row - Math.floor(rows / 2), texts.length - rows));
  const lines = texts
    .slice(first, first + rows)
    .map((text, row) => [
      span(first + row === 0 ? mark : " ".repeat(indent), style.prompt),
      span(text),
    ]);
  return { lines, cursor: { row: cursor.row - first, column: cursor.column } };
}

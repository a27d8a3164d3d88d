// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A styled line of the terminal: pieces of text with how they look, painted at the very end.
import { clean } from "./clean.ts";
import { width } from "./width.ts";

/** Numbers of an SGR sequence (ECMA-48 8.3.117): 1 bold, 2 dim, 3 italic, 4 underlined, 30 to 37 colours. */
export type Style = readonly number[];
export type Span = { text: string; style: Style };
export type Line = Span[];

/** "colour": everything; "plain": bold, dim and the like without colours (NO_COLOR); "none": text only. */
export type Paint = "colour" | "plain" | "none";

export const style = {
  none: [] as Style,
  bold: [1] as Style,
  dim: [2] as Style,
  italic: [3] as Style,
  underline: [4] as Style,
  strike: [9] as Style,
  code: [36] as Style,
  heading: [1, 35] as Style,
  link: [4, 34] as Style,
  good: [32] as Style,
  bad: [31] as Style,
  warn: [33] as Style,
  prompt: [1, 32] as Style,
};

export const span = (text: string, look: Style = style.none): Span => ({ text, style: look });
export const lineWidth = (line: Line) =>
  line.reduce((columns, part) => columns + width(part.text), 0);

const isColour = (code: number) => code >= 30 && code !== 39;

/**
 * The bytes for a line, without its newline. Each piece is cleaned here once more, because an HTML
 * character reference in Markdown can stand for a control byte.
 */
export function paint(line: Line, how: Paint): string {
  let out = "";
  for (const { text, style: look } of line) {
    const safe = clean(text).replace(/[\n\t]/g, " ");
    const codes = how === "colour" ? look : look.filter((code) => !isColour(code));
    if (how === "none" || codes.length === 0 || safe === "") out += safe;
    else out += `\x1b[${codes.join(";")}m${safe}\x1b[0m`;
  }
  return out;
}

/** How a stream may be painted: colours only for a terminal that has them and unless NO_COLOR is set. */
export function paintFor(
  stream: { isTTY?: boolean },
  env: Record<string, string | undefined> = process.env,
): Paint {
  if (!stream.isTTY || env.TERM === "dumb") return "none";
  return env.NO_COLOR ? "plain" : "colour";
}

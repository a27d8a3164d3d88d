// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Markdown blocks (paragraphs, lists, code, quotes, tables) as lines that fit the terminal.
import type { Token, Tokens } from "marked";
import { inline, isMarked } from "./inline.ts";
import { type Line, lineWidth, span, style } from "./line.ts";
import { table } from "./table.ts";
import { width } from "./width.ts";
import { wrap, wrapExactly } from "./wrap.ts";

// With less room than this a mark stands on a line of its own and nothing is indented.
const narrowest = 8;

function indented(lines: Line[], first: Line, next: Line): Line[] {
  return (lines.length > 0 ? lines : [[]]).map((line, at) => [
    ...(at === 0 ? first : next),
    ...line,
  ]);
}

function code(text: string, columns: number): Line[] {
  const indent = [span("  ")];
  return text
    .split("\n")
    .flatMap((line) =>
      wrapExactly(span(line.replaceAll("\t", "    "), style.code), columns, { first: indent }),
    );
}

function list(token: Tokens.List, columns: number): Line[] {
  const start = typeof token.start === "number" ? token.start : 1;
  const widest = width(`${start + token.items.length - 1}. `);
  return token.items.flatMap((item, at) => {
    const number = token.ordered ? `${start + at}. `.padStart(widest) : "• ";
    const mark = number + (item.task ? (item.checked ? "[x] " : "[ ] ") : "");
    const room = columns - width(mark);
    const tokens = item.tokens.filter((part) => part.type !== "checkbox");
    const tight = { tight: !token.loose };
    const body =
      room < narrowest
        ? [[span(mark, style.dim)], ...blocks(tokens, columns, tight)]
        : indented(
            blocks(tokens, room, tight),
            [span(mark, style.dim)],
            [span(" ".repeat(width(mark)))],
          );
    return token.loose && at > 0 ? [[], ...body] : body;
  });
}

function block(token: Token, columns: number): Line[] {
  if (!isMarked(token)) return wrap([span(token.raw)], columns);
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return wrap(inline(token.tokens, style.heading), columns);
    case "paragraph":
      return wrap(inline(token.tokens), columns);
    case "text":
      return wrap(inline(token.tokens ?? [token]), columns);
    case "code":
      return code(token.text, columns);
    case "list":
      return list(token, columns);
    case "table":
      return table(token, columns);
    case "hr":
      return [[span("─".repeat(Math.min(columns, 40)), style.dim)]];
    case "blockquote": {
      const bar = [span(columns - 2 < narrowest ? "" : "│ ", style.dim)];
      return indented(blocks(token.tokens, columns - lineWidth(bar)), bar, bar);
    }
    case "html":
      return wrap([span(token.raw.trimEnd())], columns);
    default:
      return wrap(inline([token]), columns);
  }
}

/** Whether a blank line stands between two blocks: as it was written, and always around big ones. */
export function apart(before: Token, after: Token, spaced: boolean): boolean {
  const big = (token: Token) =>
    ["heading", "code", "table", "hr", "blockquote"].includes(token.type);
  return spaced || big(before) || big(after) || /\n[ \t]*\n$/.test(before.raw);
}

/** Blocks with the blank lines between them, each line at most `columns` wide (eight at least). */
export function blocks(
  tokens: readonly Token[],
  columns: number,
  options: { tight?: boolean } = {},
): Line[] {
  const lines: Line[] = [];
  let before: Token | null = null;
  let spaced = false;
  for (const token of tokens) {
    if (token.type === "space") {
      spaced = true;
      continue;
    }
    const drawn = block(token, columns);
    if (drawn.length === 0) continue;
    if (before && !options.tight && apart(before, token, spaced)) lines.push([]);
    lines.push(...drawn);
    before = token;
    spaced = false;
  }
  return lines;
}

/** For tests and callers that must be sure: the widest of some lines. */
export const widest = (lines: readonly Line[]) => Math.max(0, ...lines.map(lineWidth));

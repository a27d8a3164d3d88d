// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A Markdown table in columns that fit; where they cannot, each row as a list of its fields.
import type { Tokens } from "marked";
import { inline } from "./inline.ts";
import { type Line, lineWidth, type Span, span, style } from "./line.ts";
import { wrap } from "./wrap.ts";

const gap = " │ ";
const least = 4;

/** Widest columns give way first, so that narrow ones stay whole. */
function columnWidths(natural: readonly number[], room: number): number[] {
  const widths = natural.map((columns) => Math.max(1, columns));
  let over = widths.reduce((sum, columns) => sum + columns, 0) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    const at = widths.indexOf(widest);
    const second = Math.max(least, ...widths.filter((columns) => columns < widest));
    const cut = Math.max(1, Math.min(over, widest - second));
    widths[at] = widest - cut;
    over -= cut;
  }
  return widths;
}

function place(line: Line, columns: number, align: string | null): Line {
  const free = Math.max(0, columns - lineWidth(line));
  const before = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  return [span(" ".repeat(before)), ...line, span(" ".repeat(free - before))];
}

function asFields(header: Span[][], rows: Span[][][], columns: number): Line[] {
  return rows.flatMap((row, number) => [
    ...(number > 0 ? [[span("─".repeat(Math.min(columns, 8)), style.dim)]] : []),
    ...row.flatMap((cell, at) => {
      const name = (header[at] ?? []).map((part) => span(part.text, style.bold));
      return wrap([...name, span(": ", style.bold), ...cell], columns, {
        first: [],
        next: [span("  ")],
      });
    }),
  ]);
}

/** Lines of at most `columns`. */
export function table(token: Tokens.Table, columns: number): Line[] {
  const header = token.header.map((cell) => inline(cell.tokens, style.bold));
  const rows = token.rows.map((row) => row.map((cell) => inline(cell.tokens)));
  const room = columns - gap.length * (header.length - 1);
  if (room < header.length * least) return asFields(header, rows, columns);
  const natural = header.map((_, at) =>
    Math.max(
      ...[header, ...rows].map((row) => Math.max(...wrap(row[at] ?? [], 10_000).map(lineWidth))),
    ),
  );
  const widths = columnWidths(natural, room);
  const draw = (row: Span[][]): Line[] => {
    const cells = widths.map((width, at) => wrap(row[at] ?? [], width));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, number) =>
      widths.flatMap((width, at) => [
        ...(at > 0 ? [span(gap, style.dim)] : []),
        ...place(cells[at]?.[number] ?? [], width, token.align[at] ?? null),
      ]),
    );
  };
  const rule: Line = [span(widths.map((width) => "─".repeat(width)).join("─┼─"), style.dim)];
  return [...draw(header), rule, ...rows.flatMap(draw)];
}

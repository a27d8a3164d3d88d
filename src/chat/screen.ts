// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The bottom of the terminal: lines that stay, and below them lines that are drawn anew in place.
import { type Line, lineWidth, type Paint, paint } from "./line.ts";

export type Terminal = {
  write(text: string): unknown;
  columns?: number;
  rows?: number;
};

export type Live = {
  lines: Line[];
  /** Where the cursor is to stand, in the lines; absent: hidden after the last one. */
  cursor?: { row: number; column: number };
};

// A terminal that knows it (mode 2026) shows the frame at once; the others ignore it.
const frameBegin = "\x1b[?2026h\x1b[?25l";
const frameEnd = "\x1b[?2026l";
const showCursor = "\x1b[?25h";

/**
 * Draws relative to the cursor only, so that what stood in the terminal before is never touched.
 * Lines given to it fit the width; the live ones must fit the height.
 */
export class Screen {
  readonly #terminal: Terminal;
  readonly #paint: Paint;
  /** The live lines as they stand on the terminal, and how wide each is. */
  #drawn: { text: string; columns: number }[] = [];
  #cursorRow = 0;
  #live: Live = { lines: [] };

  constructor(terminal: Terminal, how: Paint) {
    this.#terminal = terminal;
    this.#paint = how;
  }

  /** One column is left free: a full line makes some terminals wrap before the newline. */
  get columns(): number {
    return Math.max(8, (this.#terminal.columns ?? 80) - 1);
  }

  /** How many live lines there may be. */
  get rows(): number {
    return Math.max(3, (this.#terminal.rows ?? 24) - 1);
  }

  /** Writes lines that stay, above the live ones, and sets those if given. */
  draw(stay: readonly Line[], live: Live = this.#live): void {
    this.#live = live;
    const next = [...stay, ...live.lines].map((line) => ({
      text: paint(line, this.#paint),
      columns: lineWidth(line),
    }));
    let same = 0;
    while (same < this.#drawn.length && this.#drawn[same]?.text === next[same]?.text) same++;
    // Everything may be as it stands; the cursor still has to be put on a row that is there.
    same = Math.min(same, Math.max(0, next.length - 1), Math.max(0, this.#drawn.length - 1));
    let out = frameBegin + this.#toRow(same);
    out += "\r\x1b[J";
    out += next
      .slice(same)
      .map((line) => line.text)
      .join("\r\n");
    this.#drawn = next.slice(stay.length);
    this.#cursorRow = Math.max(0, this.#drawn.length - 1);
    if (stay.length > 0 && this.#drawn.length === 0) out += "\r\n";
    if (live.cursor) {
      out += this.#toRow(live.cursor.row);
      out += live.cursor.column > 0 ? `\r\x1b[${live.cursor.column}C` : "\r";
      out += showCursor;
      this.#cursorRow = live.cursor.row;
    }
    this.#terminal.write(out + frameEnd);
  }

  /** After the size has changed: terminals break lines that have become too long into several rows. */
  resized(): void {
    const columns = this.#terminal.columns ?? 80;
    const rowsOf = (line: { columns: number }) => Math.max(1, Math.ceil(line.columns / columns));
    const above = this.#drawn
      .slice(0, this.#cursorRow)
      .reduce((sum, line) => sum + rowsOf(line), 0);
    this.#terminal.write(`${above > 0 ? `\x1b[${above}A` : ""}\r\x1b[J`);
    this.#drawn = [];
    this.#cursorRow = 0;
  }

  /** Clears the terminal and draws the live lines at its top. */
  clear(): void {
    this.#terminal.write("\x1b[H\x1b[2J");
    this.#drawn = [];
    this.#cursorRow = 0;
    this.draw([]);
  }

  /** Takes the live lines away and shows the cursor. */
  end(): void {
    this.draw([], { lines: [] });
    this.#terminal.write(showCursor);
  }

  #toRow(row: number): string {
    const steps = row - this.#cursorRow;
    if (steps === 0) return "";
    return steps > 0 ? `\x1b[${steps}B` : `\x1b[${-steps}A`;
  }
}

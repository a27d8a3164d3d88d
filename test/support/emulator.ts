// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A terminal in memory: bytes in, the screen and what scrolled off it out. It knows what our programs send.
import { graphemes, width } from "../../src/chat/width.ts";

const sequence = /^\[([?0-9;]*)([A-Za-z])/;

export class Emulator {
  columns: number;
  rows: number;
  /** Lines that have left the screen at its top, oldest first. */
  readonly scrolled: string[] = [];
  cursor = { row: 0, column: 0 };
  cursorShown = true;
  /** Sequences that it does not know; a test expects none. */
  readonly unknown: string[] = [];
  #cells: string[][] = [];
  #left = "";
  #waiting: { until: (screen: Emulator) => boolean; resolve: () => void }[] = [];

  constructor(options: { columns?: number; rows?: number } = {}) {
    this.columns = options.columns ?? 80;
    this.rows = options.rows ?? 24;
  }

  /** The lines on the screen, trimmed, without empty ones at the end. */
  get lines(): string[] {
    const lines = this.#cells.map((row) => row.join("").trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** Everything that can be read, also by scrolling up. */
  get text(): string {
    return [...this.scrolled, ...this.lines].join("\n");
  }

  /** Resolves when the terminal shows something; never polls. */
  async until(shown: (screen: Emulator) => boolean): Promise<void> {
    if (shown(this)) return;
    await new Promise<void>((resolve) => this.#waiting.push({ until: shown, resolve }));
  }

  write(bytes: string): boolean {
    let text = this.#left + bytes;
    this.#left = "";
    while (text !== "") {
      if (text.startsWith("\x1b")) {
        const found = sequence.exec(text.slice(1));
        if (!found) {
          if (text.length < 12) {
            this.#left = text;
            break;
          }
          this.unknown.push(text.slice(0, 12));
          text = text.slice(1);
          continue;
        }
        this.#act(found[1] ?? "", found[2] ?? "");
        text = text.slice(1 + found[0].length);
        continue;
      }
      const next = text.search(/\p{Cc}/u);
      const plain = next < 0 ? text : text.slice(0, next);
      if (plain === "") {
        this.#control(text[0] ?? "");
        text = text.slice(1);
        continue;
      }
      for (const part of graphemes(plain)) this.#put(part);
      text = text.slice(plain.length);
    }
    const ready = this.#waiting.filter(({ until }) => until(this));
    this.#waiting = this.#waiting.filter((wait) => !ready.includes(wait));
    for (const { resolve } of ready) resolve();
    return true;
  }

  #row(at: number): string[] {
    while (this.#cells.length <= at) this.#cells.push([]);
    return this.#cells[at] ?? [];
  }

  #control(character: string): void {
    if (character === "\r") this.cursor.column = 0;
    else if (character === "\n") this.#feed();
    else if (character === "\x08") this.cursor.column = Math.max(0, this.cursor.column - 1);
  }

  #feed(): void {
    if (this.cursor.row < this.rows - 1) this.cursor.row++;
    else this.scrolled.push((this.#cells.shift() ?? []).join("").trimEnd());
  }

  #put(part: string): void {
    const columns = width(part);
    if (this.cursor.column + columns > this.columns) {
      this.cursor.column = 0;
      this.#feed();
    }
    const row = this.#row(this.cursor.row);
    while (row.length < this.cursor.column) row.push(" ");
    row[this.cursor.column] = part;
    for (let at = 1; at < columns; at++) row[this.cursor.column + at] = "";
    this.cursor.column += columns;
  }

  #act(parameters: string, letter: string): void {
    const count = Math.max(1, Number(parameters) || 1);
    const { cursor } = this;
    if (letter === "A") cursor.row = Math.max(0, cursor.row - count);
    else if (letter === "B") cursor.row = Math.min(this.rows - 1, cursor.row + count);
    else if (letter === "C") cursor.column = Math.min(this.columns - 1, cursor.column + count);
    else if (letter === "H") this.cursor = { row: 0, column: 0 };
    else if (letter === "K") this.#row(cursor.row).length = cursor.column;
    else if (letter === "J") {
      if (parameters === "2") this.#cells = [];
      else {
        this.#row(cursor.row).length = Math.min(this.#row(cursor.row).length, cursor.column);
        this.#cells.length = cursor.row + 1;
      }
    } else if (letter === "h" || letter === "l") {
      if (parameters === "?25") this.cursorShown = letter === "h";
      else if (!["?2004", "?2026"].includes(parameters)) this.unknown.push(parameters + letter);
    } else if (letter !== "m") this.unknown.push(parameters + letter);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Markdown that comes in pieces: finished blocks are given out once, the open one is drawn anew.

import type { Token } from "marked";
import { lexer } from "marked";
import { apart, blocks } from "./blocks.ts";
import type { Line } from "./line.ts";

/** All of a text that is complete. */
export const renderMarkdown = (text: string, columns: number): Line[] =>
  blocks(lexer(text), columns);

export class MarkdownStream {
  /** What is not given out yet. */
  #tail = "";
  /** The last block that was given out. */
  #last: Token | null = null;
  #spaced = false;
  /** A line was ended since the last look: only then can a block have been finished. */
  #lineEnded = false;

  push(text: string): void {
    this.#tail += text;
    this.#lineEnded ||= text.includes("\n");
  }

  /**
   * The blocks that were finished since the last call. A block is finished when another one has begun
   * on a whole line after it: half a line may still turn out to belong to the block before.
   */
  finished(columns: number): Line[] {
    if (!this.#lineEnded) return [];
    this.#lineEnded = false;
    const whole = this.#tail.slice(0, this.#tail.lastIndexOf("\n") + 1);
    const tokens = lexer(whole);
    const open = tokens.findLastIndex((token) => token.type !== "space");
    return open > 0 ? this.#give(tokens.slice(0, open), columns) : [];
  }

  /** The block being written, to be drawn again at each change. */
  open(columns: number): Line[] {
    const tokens = lexer(this.#tail);
    return this.#gap(tokens, blocks(tokens, columns));
  }

  /** Everything that is left; the text has ended. */
  end(columns: number): Line[] {
    return this.#give(lexer(this.#tail), columns);
  }

  #give(tokens: Token[], columns: number): Line[] {
    const lines = this.#gap(tokens, blocks(tokens, columns));
    const length = tokens.reduce((sum, token) => sum + token.raw.length, 0);
    this.#tail = this.#tail.slice(length);
    this.#last = tokens.findLast((token) => token.type !== "space") ?? this.#last;
    this.#spaced = tokens.at(-1)?.type === "space";
    return lines;
  }

  #gap(tokens: Token[], lines: Line[]): Line[] {
    const first = tokens.find((token) => token.type !== "space");
    if (!first || !this.#last || lines.length === 0) return lines;
    const spaced = this.#spaced || tokens[0]?.type === "space";
    return apart(this.#last, first, spaced) ? [[], ...lines] : lines;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools that fit a question among those that found no room in the list, as lines of text.
import type { ToolSchema } from "../../message.ts";
import { lineOf, signatureOf } from "../../tools/render.ts";
import { Ranking } from "./ranking.ts";

/** So many are told with what they do; the later ones by name and needed arguments alone. */
const told = 6;

/** A shortlist for each question; its words are looked up once. */
export class Shortlist {
  readonly #ranking: Ranking;
  readonly #reach: string;
  readonly #room: number;

  /** `reach` is the tool by which they are called, `room` the bytes that a shortlist may take. */
  constructor(tools: readonly ToolSchema[], { reach, room }: { reach: string; room: number }) {
    this.#ranking = new Ranking(tools);
    this.#reach = reach;
    this.#room = room;
  }

  /** Stands after the question; "" when nothing fits. */
  text(question: string, earlier: readonly string[]): string {
    const head = `\n\n[More tools that may fit, to be called by ${this.#reach} with name and arguments:`;
    let text = head;
    for (const [at, tool] of this.#ranking.rank(question, earlier).entries()) {
      const line = `\n${at < told ? lineOf(tool) : signatureOf(tool, { optional: false })}`;
      // A line that does not fit ends it: shorter ones after it fit the question less.
      if (Buffer.byteLength(`${text}${line}]`) > this.#room) break;
      text += line;
    }
    return text === head ? "" : `${text}]`;
  }
}

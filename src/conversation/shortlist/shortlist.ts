// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools that fit a question among those that found no room in the list, as lines of text.
import type { ToolSchema } from "../../message.ts";
import { lineOf, signatureOf } from "../../tools/render.ts";
import { Ranking } from "./ranking.ts";

/** So many are told with what they do; the later ones by name and needed arguments alone. */
const told = 6;

/** Those that fit a question, and the text that tells of them; "" when nothing fits. */
export type Shortlisted<T> = { tools: readonly T[]; text: string };

/** A shortlist for each question; its words are looked up once. */
export class Shortlist<T extends ToolSchema> {
  readonly #ranking: Ranking<T>;
  readonly #byName: Ranking<ToolSchema>;
  readonly #occasional: readonly T[];
  readonly #reach: string | null;
  readonly #room: number;

  /**
   * `reach` is the tool by which they are called, null where they are called like all others; `room` is
   * the bytes that a shortlist may take. Those that are `occasional` have to be meant by name.
   */
  constructor(
    tools: readonly T[],
    {
      reach,
      room,
      occasional = [],
    }: { reach: string | null; room: number; occasional?: readonly T[] },
  ) {
    this.#ranking = new Ranking(tools);
    this.#byName = new Ranking(
      occasional.map((tool) => ({ ...tool, description: "", parameters: {} })),
    );
    this.#occasional = occasional;
    this.#reach = reach;
    this.#room = room;
  }

  /** Stands after the question. */
  find(question: string, earlier: readonly string[]): Shortlisted<T> {
    const how =
      this.#reach === null ? "" : `, to be called by ${this.#reach} with name and arguments`;
    const head = `\n\n[More tools that may fit${how}:`;
    const tools: T[] = [];
    let text = head;
    const meant = this.#byName.rank(question, earlier.slice(-1)).map(({ name }) => name);
    const found = [
      ...this.#occasional.filter(({ name }) => meant.includes(name)),
      ...this.#ranking.rank(question, earlier),
    ];
    for (const [at, tool] of found.entries()) {
      const line = `\n${at < told ? lineOf(tool) : signatureOf(tool, { optional: false })}`;
      // A line that does not fit ends it: shorter ones after it fit the question less.
      if (Buffer.byteLength(`${text}${line}]`) > this.#room) break;
      text += line;
      tools.push(tool);
    }
    return { tools, text: text === head ? "" : `${text}]` };
  }
}

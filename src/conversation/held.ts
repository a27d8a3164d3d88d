// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What of a conversation a server's cache should hold: its last request, by which the next one is judged.
import { randomUUID } from "node:crypto";
import type { Usage } from "../model/model.ts";

/** A request as a server reads it: the tools array first ("" without one), then the messages. */
export type Prompt = { tools: string; messages: readonly string[] };

/** Bytes that one token takes at the least; what differs is counted so, to expect rather too little. */
const leastBytes = 2;
/** Tokens that a template puts between messages. */
const framing = 16;

const partsOf = ({ tools, messages }: Prompt) => [tools, ...messages];

export class Held {
  /** Names the conversation to whoever keeps caches apart. */
  readonly thread = randomUUID();
  #parts: readonly string[] = [];
  #tokens = 0;
  /** It was read ahead, and no question has come since. */
  ahead = false;

  /** The server has read this prompt. */
  note(prompt: Prompt, usage: Pick<Usage, "prompt">): void {
    this.#parts = partsOf(prompt);
    this.#tokens = usage.prompt;
  }

  /** All of it has been read already. */
  covers(prompt: Prompt): boolean {
    return this.#tokens > 0 && partsOf(prompt).every((part, at) => part === this.#parts[at]);
  }

  /** Tokens of such a prompt that a cache holds at the least, if nothing else was asked there since. */
  least(prompt: Prompt): number {
    const parts = partsOf(prompt);
    let same = 0;
    while (same < this.#parts.length && this.#parts[same] === parts[same]) same += 1;
    if (same < 2) return 0; // no message is the same
    const other = this.#parts.slice(same).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    return Math.max(0, this.#tokens - Math.ceil(other / leastBytes) - framing);
  }
}

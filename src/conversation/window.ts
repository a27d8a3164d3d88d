// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How much of a conversation fits into the model's context, in big steps so that its cache stands.
import type { Notice } from "../message.ts";
import type { Served } from "../model/model.ts";

/** Whose context it is. */
export type Reader = Pick<Served, "url" | "model" | "contextTokens">;

const nameOf = ({ url, model, contextTokens }: Reader) => `${url} ${model} ${contextTokens}`;

/** What servers teach of tokens: how many bytes one has, and how many of them a model really reads. */
export class TokenGauge {
  /** English is about 4 bytes a token, JSON and code about 3; begin on the careful side. */
  #bytesPerToken = 3;
  /** Where a server refused a request with a number that it had not told before. */
  readonly #refused = new Map<string, number>();

  /** A request of `bytes` was `tokens` long. */
  learn(bytes: number, tokens: number): void {
    if (tokens < 50) return; // too short a text to tell
    this.#bytesPerToken = Math.min(6, Math.max(1.5, bytes / tokens));
  }
  tokens(bytes: number): number {
    return Math.ceil(bytes / this.#bytesPerToken);
  }
  bytes(tokens: number): number {
    return Math.floor(tokens * this.#bytesPerToken);
  }

  /** Tokens that a model reads; 0 when unknown. */
  context(reader: Reader): number {
    return this.#refused.get(nameOf(reader)) ?? reader.contextTokens;
  }
  /** True when that is only what followed from a refusal: the server may have been changed since. */
  supposed(reader: Reader): boolean {
    return this.#refused.has(nameOf(reader));
  }
  /** A server refused a request, as its model reads `tokens`. */
  refused(reader: Reader, tokens: number): void {
    if (tokens === reader.contextTokens) this.#refused.delete(nameOf(reader));
    else this.#refused.set(nameOf(reader), tokens);
  }
  /** A request of so many tokens was read. */
  taken(reader: Reader, tokens: number): void {
    if (tokens > this.context(reader)) this.#refused.delete(nameOf(reader));
  }
}

/** Tokens kept free for an answer. */
export const answerRoom = (context: number) => Math.min(1024, Math.floor(context / 4));

/** Sizes in UTF-8 bytes: what never changes (with the tool list), the finished turns, the running turn. */
export type Sizes = { beginning: number; turns: number; draft: number };

/** Bytes for turns, when the answer keeps its room. */
const free = ({ beginning }: Sizes, context: number, gauge: TokenGauge) =>
  gauge.bytes(context - answerRoom(context)) - beginning;

/** The bytes of finished turns that leave them and the running turn at half of what is free. */
export function halfOf(sizes: Sizes, context: number, gauge: TokenGauge): number {
  return Math.max(0, 0.5 * free(sizes, context, gauge) - sizes.draft);
}

/**
 * The bytes of finished turns to keep in a request: all of them, unless it would not fit; then a half
 * is left. A context of 0 is unknown: everything is kept.
 */
export function turnsToKeep(sizes: Sizes, context: number, gauge: TokenGauge): number {
  const fits = context === 0 || sizes.turns + sizes.draft <= free(sizes, context, gauge);
  return fits ? sizes.turns : halfOf(sizes, context, gauge);
}

/**
 * The bytes of finished turns to keep when a turn has ended: all of them until they pass three quarters
 * of what is free, then half. So they leave while nobody waits, and seldom when somebody does.
 */
export function turnsAhead(
  sizes: Omit<Sizes, "draft">,
  context: number,
  gauge: TokenGauge,
): number {
  const alone = { ...sizes, draft: 0 };
  const few = context === 0 || sizes.turns <= 0.75 * free(alone, context, gauge);
  return few ? sizes.turns : halfOf(alone, context, gauge);
}

/**
 * What a person is told when `turns` have left. `searched`: the model has a tool that finds their words;
 * `kept`: they are in the history.
 */
export function windowNotice(
  turns: number,
  { searched, kept }: { searched: boolean; kept: boolean },
): Notice {
  const which = turns === 1 ? "question is" : `${turns} questions are`;
  const lookup = searched ? " The model can still look their words up with history_search." : "";
  const where = kept
    ? `Nothing is lost: they stay in the history.${lookup}`
    : "They stay in view until this private conversation ends.";
  return {
    code: "window_cut",
    message: `the conversation has outgrown the model's context: its oldest ${which} no longer sent`,
    hint: `${where} A new conversation begins with an empty context.`,
  };
}

/** True when the running turn finds no room, even alone. */
export function outgrows(sizes: Sizes, context: number, gauge: TokenGauge): boolean {
  // Half the answer's room is for what a turn grows by when its results have filled the rest.
  const most = gauge.bytes(context - Math.floor(answerRoom(context) / 2)) - sizes.beginning;
  return context > 0 && sizes.draft > most;
}

/** Bytes that a tool result may still take in the running turn, so that the question is not lost. */
export function resultRoom(sizes: Sizes, context: number, gauge: TokenGauge): number {
  if (context === 0) return Number.POSITIVE_INFINITY;
  return free(sizes, context, gauge) - sizes.draft;
}

/** Bytes below which a tool's result is of no use. */
const leastResult = 200;

/**
 * How many calls of one reply, in their order, find room with their results, and the bytes that these
 * results may take together. `frames` are the bytes of each call without its result, `reply` of what
 * stands around them.
 */
export function callsThatFit(
  room: number,
  { reply, frames }: { reply: number; frames: readonly number[] },
): { count: number; room: number } {
  let left = room - reply;
  let count = 0;
  for (const frame of frames) {
    if (left - frame < leastResult * (count + 1)) break;
    left -= frame;
    count += 1;
  }
  return { count, room: left };
}

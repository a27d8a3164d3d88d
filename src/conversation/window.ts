// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How much of a conversation fits into the model's context, in big steps so that its cache stands.
import { ReadableError } from "../errors.ts";

/** Tokens of a text, from its bytes: learned from what the server reports, since tokenizers differ. */
export class TokenGauge {
  /** English is about 4 bytes a token, JSON and code about 3; begin on the careful side. */
  #bytesPerToken = 3;

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
}

/** Tokens kept free for an answer. */
const answerRoom = (context: number) => Math.min(1024, Math.floor(context / 4));

/** Sizes in UTF-8 bytes: what never changes (with the tool list), the finished turns, the running turn. */
export type Sizes = { beginning: number; turns: number; draft: number };

/**
 * The bytes of finished turns to keep: all of them until they and the running turn pass three quarters
 * of what is free, then what leaves that at half. Throws ReadableError "context_too_small" when the
 * running turn alone does not fit. A context of 0 is unknown: everything is kept.
 */
export function turnsToKeep(sizes: Sizes, context: number, gauge: TokenGauge): number {
  if (context === 0) return sizes.turns;
  const free = gauge.bytes(context - answerRoom(context)) - sizes.beginning;
  // Half the answer's room is for what a turn grows by when its results have filled the rest.
  const most = gauge.bytes(context - Math.floor(answerRoom(context) / 2)) - sizes.beginning;
  if (sizes.draft > most) {
    const needed = gauge.tokens(sizes.beginning + sizes.draft);
    const [what, hint] =
      free <= 0 || sizes.beginning > sizes.draft
        ? [
            "system message and tools",
            "Use fewer tools or a shorter `system`, or give the model a larger context.",
          ]
        : ["question", "Ask with less text, or give the model a larger context."];
    throw new ReadableError(
      "context_too_small",
      `the ${what} are too long: about ${needed} tokens with an answer's room of ${answerRoom(context)}, and the model's context is ${context}`.replace(
        "question are",
        "question is",
      ),
      { hint },
    );
  }
  if (sizes.turns + sizes.draft <= 0.75 * free) return sizes.turns;
  return Math.max(0, 0.5 * free - sizes.draft);
}

/** Bytes that a tool result may still take in the running turn, so that the question is not lost. */
export function resultRoom(sizes: Sizes, context: number, gauge: TokenGauge): number {
  if (context === 0) return Number.POSITIVE_INFINITY;
  return gauge.bytes(context - answerRoom(context)) - sizes.beginning - sizes.draft;
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

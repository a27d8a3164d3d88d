// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a person is told of a request that is longer than the model reads, when nothing can leave it.
import { ReadableError } from "../errors.ts";
import type { TooLong } from "../model/server-error.ts";
import { answerRoom, type Sizes } from "./window.ts";

const larger = "give the model a larger context";

/** What is to blame: the subject of a sentence, and what to do about it. */
type Blame = { what: string; hint: string };

const answer: Blame = {
  what: "answer is",
  hint: `Ask for a shorter one, begin a new conversation, or ${larger}.`,
};
const conversation: Blame = {
  what: "conversation is",
  hint: `Ask again: fewer of its oldest questions are sent then. Or begin a new one, or ${larger}.`,
};
const beginning: Blame = {
  what: "system message and tools are",
  hint: `Use fewer tools or a shorter \`system\`, or ${larger}.`,
};
const results: Blame = {
  what: "results of this question's tools are",
  hint: `Ask for less at once, or ${larger}.`,
};
const question: Blame = { what: "question is", hint: `Ask with less text, or ${larger}.` };

export type Long = Sizes & {
  /** Bytes of the question alone, of the running turn's. */
  question: number;
  /** Nothing finds room behind the beginning. */
  filled: boolean;
  /** Tokens of the request, as far as the gauge can tell. */
  about: number;
  /** Tokens that the model reads; 0 when unknown. */
  context: number;
};

function blame({ turns, beginning: first, draft, question: asked, filled }: Long): Blame {
  if (turns > 0) return conversation;
  if (filled || first > draft) return beginning;
  return asked < draft / 2 ? results : question;
}

const error = ({ what, hint }: Blame, numbers: string, cause?: TooLong) =>
  new ReadableError("context_too_small", `the ${what} too long: ${numbers}`, {
    hint: cause && cause.needs === null ? `${hint} The model server says: ${cause.message}` : hint,
    cause,
  });

/** Before it is sent: what cannot fit is not asked for. */
export function cannotFit(long: Long): ReadableError {
  const { about, context } = long;
  return error(
    blame(long),
    `the request has about ${about} tokens, and the model reads ${context}, ${answerRoom(context)} of them kept for the answer`,
  );
}

/** The server has refused it; `begun`: not at once, but when a part of the answer was there. */
export function refusedAsTooLong(long: Long, refusal: TooLong, begun: boolean): ReadableError {
  const { about, context } = long;
  const needs = refusal.needs ?? `about ${about}`;
  const unclear = refusal.needs === null && refusal.holds === null && about <= context;
  const holds = unclear
    ? `fewer than the ${context} that its server tells`
    : (refusal.holds ?? (context || "fewer"));
  return error(
    begun && long.turns === 0 ? answer : blame(long),
    `the request has ${needs} tokens, and the model reads ${holds}`,
    refusal,
  );
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which calls run freely, and which need the person's yes.
import type { ConfirmQuestion } from "../message.ts";
import type { Call } from "../tools/registry.ts";
import type { Taint } from "./taint.ts";

/** `reason` "nobody": no client that could answer watches. */
export type Verdict = { allow: boolean; reason: "answer" | "expired" | "nobody" };

/** Asks the person; rejects only with the signal's reason. */
export type Approve = (question: ConfirmQuestion, signal: AbortSignal) => Promise<Verdict>;

/** So many words are named in a question, and so much of each; the arguments show them all. */
const wordsNamed = 6;
const wordShown = 40;

/**
 * Null: the call may run. Otherwise why the person has to say yes first. A tool that changes something
 * needs it each time, unless the person's own file waives it, and that counts only while nothing that
 * others wrote has been read. A tool that sends needs it when words would leave that the person did not
 * type.
 */
export function whyAsk(
  { tool, args }: Pick<Call, "tool" | "args">,
  taint: () => Taint,
): string | null {
  const { effect, confirm } = tool;
  if (confirm === "always") return "its settings say that it asks each time";
  if (effect === "change") {
    if (confirm === "auto") return "it may change something";
    return taint().untrusted
      ? "it may change something, and text that others wrote has been read"
      : null;
  }
  if (effect === "read") return null;
  const words = taint().carried(args, tool.parameters);
  if (words.length === 0) return null;
  const more = words.length > wordsNamed ? ", …" : "";
  const named = words.slice(0, wordsNamed).map(shortened).join(", ");
  return `it would send words that you did not type: ${named}${more}`;
}

function shortened(word: string): string {
  const points = [...word];
  return points.length > wordShown ? `${points.slice(0, wordShown).join("")}…` : word;
}

/** What the model reads of a call that was not allowed. */
export function refusalText(name: string, { reason }: Verdict): string {
  const why = {
    answer: "the person said no. Do not try it again",
    expired: "the person must confirm it, and did not answer in time",
    nobody: "the person must confirm it, and nobody could be asked here",
  };
  return `${name} was not run: ${why[reason]}`;
}

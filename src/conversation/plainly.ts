// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a person is told when a model's replies are of no use, also after they were pointed out to it.
import { ReadableError } from "../errors.ts";
import type { CallRecord } from "../message.ts";
import { fenced } from "./fence.ts";
import type { Fault, Strategy } from "./strategies/strategy.ts";

const otherwise = { hint: "Ask again in other words, or use another model." };

/** Values that a call waits for. */
export type Missing = { tool: string; values: readonly string[] };

/**
 * The text that stands for the answer where something was done or asked for in the turn, so that it is
 * not lost; where nothing was, throws ReadableError "empty_answer", "bad_answer" or "bad_call".
 */
export function plainly(
  reason: Fault,
  turn: {
    strategy: Strategy["name"];
    rounds: number;
    toolRounds: number;
    last: CallRecord | undefined;
    missing: Missing | null;
  },
): string {
  const { strategy, rounds, toolRounds, last, missing } = turn;
  if (strategy === "native" && rounds >= toolRounds && rounds > 0)
    return `I could not finish: limit of ${toolRounds} rounds`;
  if (missing) return `For ${missing.tool} I need to know: ${missing.values.join(", ")}.`;
  if (strategy === "plan" && last) {
    const why = reason === "empty" ? "was empty" : "was a call or JSON again";
    return `I could not put this into words: my answer ${why}. ${last.name} returned:\n\n${fenced(last.text)}`;
  }
  if (reason === "empty")
    throw new ReadableError("empty_answer", "empty answer from the model server", {
      hint: "Ask again. If it stays so, the model may have no usable chat template: try another one.",
    });
  if (reason === "json")
    throw new ReadableError(
      "bad_answer",
      "the model answered with a call or JSON instead of words",
      otherwise,
    );
  throw new ReadableError(
    "bad_call",
    "the model keeps calling tools in a way that cannot be run",
    otherwise,
  );
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asks at the terminal whether a call may run: yes or no, and nothing stands for either.
import { createInterface } from "node:readline";
import { cleanLine } from "../chat/clean.ts";
import { exactTexts } from "../chat/exact.ts";
import type { ConfirmQuestion } from "../message.ts";

/** Milliseconds after the question within which a yes was typed before it could be read. */
const tooSoon = 300;
const answers = new Map([
  ["y", true],
  ["yes", true],
  ["n", false],
  ["no", false],
]);

/**
 * True only for "y" or "yes"; asks again until it gets that or "n" or "no". The end of the input is
 * no. Rejects with the signal's reason.
 */
export async function askYesNo(
  question: ConfirmQuestion,
  { signal }: { signal: AbortSignal },
): Promise<boolean> {
  const { stdin: input, stderr: output } = process;
  const exact = exactTexts(question).map((text) => `  ${text}\n`);
  output.write(`${cleanLine(`${question.name} wants to run: ${question.why}`)}\n${exact.join("")}`);
  // The terminal itself edits the line, and turns Ctrl-C into the signal.
  const lines = createInterface({ input, terminal: false, signal });
  const asked = performance.now();
  const prompt = "Run it? y/n ";
  try {
    output.write(prompt);
    for await (const line of lines) {
      const answer = answers.get(line.trim().toLowerCase());
      const early = answer === true && performance.now() - asked < tooSoon;
      if (answer !== undefined && !early) return answer;
      const why = early ? "That was typed before the question." : "Only y or n answers.";
      output.write(`${why} ${prompt}`);
    }
    signal.throwIfAborted();
    return false;
  } finally {
    lines.close();
  }
}

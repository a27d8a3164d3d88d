// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asks at the terminal whether a call may run: yes or no, and nothing stands for either.
import { createInterface } from "node:readline";
import { cleanLine } from "../chat/clean.ts";
import { exactTexts } from "../chat/exact.ts";
import type { ConfirmQuestion } from "../message.ts";

/** Milliseconds after a question within which a line was typed before it could be read. */
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
  let asked = 0;
  const prompt = () => {
    output.write("Run it? y/n ");
    asked = performance.now();
  };
  try {
    prompt();
    for await (const line of lines) {
      const answer = answers.get(line.trim().toLowerCase());
      if (answer !== undefined && performance.now() - asked >= tooSoon) return answer;
      if (answer !== undefined) output.write("That was typed before the question. ");
      else output.write("Only y or n answers. ");
      prompt();
    }
    signal.throwIfAborted();
    return false;
  } finally {
    lines.close();
  }
}

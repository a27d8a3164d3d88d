// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The chat without a terminal to type in: each line of the input is a question, answered in order.
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Client } from "../client/client.ts";
import { type Output, printerFor } from "./printer.ts";
import { askQuestion, enterSession } from "./question.ts";

/** Ends with the input: 0, 1 if a question failed, 130 when `signal` aborted. */
export async function pipedChat(
  client: Client,
  options: {
    input: Readable;
    output: Output;
    errors: Output;
    env: Record<string, string | undefined>;
    signal: AbortSignal;
  },
): Promise<number> {
  const { input, signal } = options;
  const session = randomUUID();
  await enterSession(client, session, { signal });
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal });
  let failed = false;
  let count = 0;
  try {
    for await (const line of lines) {
      const text = line.trim();
      if (text === "") continue;
      if (count++ > 0) options.output.write("\n");
      const printer = printerFor({ ...options, session, questions: true });
      try {
        const outcome = await askQuestion(client, { text, session, printer, signal });
        if (outcome === "stopped") return signal.aborted ? 130 : 1;
        if (outcome === "failed") failed = true;
      } finally {
        printer.end();
      }
    }
  } finally {
    lines.close();
  }
  if (signal.aborted) return 130;
  return failed ? 1 : 0;
}

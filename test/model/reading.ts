// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Feeds bytes to a StreamReader and tells what came out of it.
import { describe } from "../../src/errors.ts";
import type { ModelEvent, Reply } from "../../src/model/model.ts";
import { StreamReader } from "../../src/model/stream.ts";

export type Outcome = { events: ModelEvent[]; reply: Reply | null; code: string; message: string };

/** One event of a stream. */
export const data = (value: unknown) =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
export const delta = (fields: Record<string, unknown>, finish: string | null = null) =>
  data({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
export const text = (content: string) => delta({ content });
/** A fragment, or several, of tool calls. */
export const calls = (...fragments: Record<string, unknown>[]) => delta({ tool_calls: fragments });
export const finish = (reason = "stop") => delta({}, reason);
export const done = data("[DONE]");

/** Reads the parts one push each; after a fault it stops. */
export function read(...parts: (string | Uint8Array)[]): Outcome {
  const events: ModelEvent[] = [];
  const reader = new StreamReader((event) => events.push(event));
  try {
    for (const part of parts) reader.push(typeof part === "string" ? Buffer.from(part) : part);
    return { events, reply: reader.end(), code: "", message: "" };
  } catch (thrown) {
    const { code, message } = describe(thrown);
    return { events, reply: null, code, message };
  }
}

/** The text that was emitted. */
export const shown = (outcome: Outcome) =>
  outcome.events.map((event) => (event.type === "text" ? event.delta : "")).join("");

/** A reply's calls without their ids. */
export const named = (outcome: Outcome) =>
  outcome.reply?.calls.map((call) => [call.name, call.arguments]) ?? [];

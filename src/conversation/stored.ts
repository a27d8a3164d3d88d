// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The canonical form in which a turn's messages are stored, whatever way of calling tools was used.
import type { Message, WireCall } from "../message.ts";
import type { ModelCall } from "../model/model.ts";
import { parseRecord } from "./json.ts";

/** Stands in for a tool's result: with it a small model calls the tool again instead of inventing. */
export const replacedResult = "(shown to the user at the time)";

/** Arguments that do not parse go back as {}: one bad reply must not poison the conversation. */
const wireArguments = (text: string) => (parseRecord(text) ? text : "{}");

export function wireCall({ id, name, arguments: text, whole }: ModelCall): WireCall {
  return {
    id,
    type: "function",
    function: { name, arguments: whole ? wireArguments(text) : "{}" },
  };
}

const notRun = { before: "(not run: the person has to say ", after: ")" };

/** A call that waits for what only the person can say; nothing was run. */
export function storedMissing(call: ModelCall, missing: readonly string[]): Message[] {
  const content = notRun.before + missing.join(", ") + notRun.after;
  return [
    { role: "assistant", content: "", tool_calls: [wireCall(call)] },
    { role: "tool", tool_call_id: call.id, content },
  ];
}

/** What a stored result says that the person had to say; null for a call that was run. */
export function missingIn(content: string): string | null {
  const { before, after } = notRun;
  return content.startsWith(before) ? content.slice(before.length, -after.length) : null;
}

/** The messages of one round of calls, results replaced. */
export function storedRound(text: string, calls: readonly ModelCall[]): Message[] {
  return [
    { role: "assistant", content: text, tool_calls: calls.map(wireCall) },
    ...calls.map(
      (call): Message => ({ role: "tool", tool_call_id: call.id, content: replacedResult }),
    ),
  ];
}

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

/** A call that waits for what only the person can say; nothing was run. */
export function storedMissing(call: ModelCall, missing: readonly string[]): Message[] {
  const content = `(not run: the person has to say ${missing.join(", ")})`;
  return [
    { role: "assistant", content: "", tool_calls: [wireCall(call)] },
    { role: "tool", tool_call_id: call.id, content },
  ];
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

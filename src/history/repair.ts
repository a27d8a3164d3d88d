// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stored messages as a model server accepts them: every call has its result, the order is whole.
import type { Message, WireCall } from "../message.ts";
import { isRecord, jsonOf } from "./sql.ts";

type Result = Extract<Message, { role: "tool" }>;

const lostResult = "(no result was stored)";

/** Text of a message; a list of parts, as some servers know it, is joined. */
function contentOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}

/** JSON text of an object; templates fail for good on anything else. */
function argumentsOf(value: unknown): string {
  if (isRecord(value)) return JSON.stringify(value);
  return typeof value === "string" && isRecord(jsonOf(value)) ? value : "{}";
}

function callOf(value: unknown): WireCall | null {
  if (!isRecord(value) || !isRecord(value.function)) return null;
  const name = value.function.name;
  if (typeof name !== "string" || name === "") return null;
  const id = typeof value.id === "string" ? value.id : "";
  return {
    id,
    type: "function",
    function: { name, arguments: argumentsOf(value.function.arguments) },
  };
}

/** The results that directly follow message number `index`. */
function resultsAfter(messages: readonly unknown[], index: number): Result[] {
  const results: Result[] = [];
  for (const message of messages.slice(index + 1)) {
    if (!isRecord(message) || message.role !== "tool") break;
    const call = typeof message.tool_call_id === "string" ? message.tool_call_id : "";
    results.push({ role: "tool", tool_call_id: call, content: contentOf(message.content) });
  }
  return results;
}

/** Each call with one result, in the order of the calls; calls without a name are gone. */
function pair(calls: unknown[], results: Result[], from: number): [WireCall, Result][] {
  return calls
    .map(callOf)
    .filter((call) => call !== null)
    .map((call, position) => {
      const found = results.findIndex((result) => result.tool_call_id === call.id);
      const result = found < 0 ? undefined : results.splice(found, 1)[0];
      const id = call.id || `call_${from}_${position}`;
      return [
        { ...call, id },
        { role: "tool", tool_call_id: id, content: result?.content ?? lostResult },
      ];
    });
}

function assistant(content: string, calls: WireCall[]): Message {
  return calls.length === 0
    ? { role: "assistant", content }
    : { role: "assistant", content, tool_calls: calls };
}

function addAssistant(whole: Message[], message: unknown[], index: number): void {
  const given = message[index];
  if (!isRecord(given)) return;
  const calls = Array.isArray(given.tool_calls) ? given.tool_calls : [];
  const pairs = pair(calls, resultsAfter(message, index), index);
  let content = contentOf(given.content);
  if (content === "" && pairs.length === 0) return;
  const last = whole.at(-1);
  if (last?.role === "assistant") {
    // Two in a row: templates want the roles to take turns.
    content = [last.content, content].filter((text) => text !== "").join("\n\n");
    whole.pop();
  }
  whole.push(
    assistant(
      content,
      pairs.map(([call]) => call),
    ),
  );
  whole.push(...pairs.map(([, result]) => result));
}

/**
 * The canonical messages of a stored turn. A sound list comes back as it is, text byte for byte. A
 * broken one is mended; of one that is no list at all, `user` and `reply` are left.
 */
export function repairMessages(stored: unknown, row: { user: string; reply: string }): Message[] {
  const given: unknown[] = Array.isArray(stored) ? stored : [];
  const question = given.findLast((message) => isRecord(message) && message.role === "user");
  const content = isRecord(question) ? contentOf(question.content) : "";
  const whole: Message[] = [{ role: "user", content: content || row.user }];
  for (const [index, message] of given.entries()) {
    if (isRecord(message) && message.role === "assistant") addAssistant(whole, given, index);
  }
  if (whole.at(-1)?.role !== "assistant") whole.push({ role: "assistant", content: row.reply });
  return whole;
}

/** The id of a call without its result, or of a result without its call; null when all is whole. */
export function unpaired(messages: readonly Message[]): string | null {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      const found = open.indexOf(message.tool_call_id);
      if (found < 0) return message.tool_call_id;
      open.splice(found, 1);
      continue;
    }
    if (open.length > 0) break;
    if (message.role === "assistant") open.push(...(message.tool_calls ?? []).map(({ id }) => id));
  }
  return open[0] ?? null;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Two canned questions that show whether a model calls tools by itself, and only when it should.
import { ReadableError } from "../errors.ts";
import { isRecord, parseJson } from "./json.ts";
import type { Completion, Reply, Served } from "./model.ts";
import { Refused, TooLong } from "./server-error.ts";
import type { Outcome } from "./tools-mode.ts";

const tool = (name: string, description: string, value: string, type: string, about: string) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: {
      type: "object",
      properties: { [value]: { type, description: about } },
      required: [value],
    },
  },
});

const tools = JSON.stringify([
  tool("weather", "Tells the weather of a city.", "city", "string", "the city's name"),
  tool("timer", "Starts a timer.", "minutes", "integer", "how long it runs"),
  tool("note", "Writes down a note.", "text", "string", "what to write down"),
]);

const needsTool = "What is the weather in Lisbon?";
const needsNone = "Thank you, that was all.";
/** What the user says in a trial. */
export const trialQuestions: readonly string[] = [needsTool, needsNone];

const instructions =
  "You are a helpful assistant. Call a tool when the user asks for what it does. Otherwise answer in plain words.";

/** Tokens; a call takes about 20. */
const longest = 128;

const completion = (question: string): Completion => ({
  messages: [
    JSON.stringify({ role: "system", content: instructions }),
    JSON.stringify({ role: "user", content: question }),
  ],
  tools,
  think: false,
  maxTokens: longest,
});

type Options = {
  signal: AbortSignal;
  /** Asked before the second question: nobody else asks or waits. */
  free: () => boolean;
};

/**
 * Asks both, as a warm-up: a question pre-empts it at once. Null when a fault, or whoever came between, kept it
 * from showing anything of the model. Rejects only for a bug.
 */
export async function tryTools(served: Served, options: Options): Promise<Outcome | null> {
  const first = await ask(served, completion(needsTool), options);
  if (first === null || typeof first === "string") return first;
  const fault = faultOfNeeded(first);
  if (fault !== null) return fault;
  if (!options.free()) return null;
  const second = await ask(served, completion(needsNone), options);
  if (second === null || typeof second === "string") return second;
  return faultOfNeedless(second) ?? "proper";
}

async function ask(
  served: Served,
  asked: Completion,
  { signal, free }: Options,
): Promise<Reply | Outcome | null> {
  const send = (one: Completion) =>
    served.complete(one, { kind: "warm-up", signal, emit: () => undefined });
  try {
    return await send(asked);
  } catch (thrown) {
    if (!(thrown instanceof ReadableError)) throw thrown;
    if (thrown.code === "empty_answer") return "silent";
    if (!(thrown instanceof Refused) || thrown instanceof TooLong || !free()) return null;
  }
  // Was it the tools? A server that refuses everything says nothing of them.
  const { tools: _, ...bare } = asked;
  try {
    await send({ ...bare, maxTokens: 1 });
  } catch (thrown) {
    if (!(thrown instanceof ReadableError)) throw thrown;
    if (thrown.code !== "empty_answer") return null;
  }
  return "refused";
}

const callWords = /<\|?tool_call|\[TOOL_CALLS\]|<function[=_]/;

/** True when the text is a call, or the beginning of one, bare or in a fence. */
function isCall(text: string): boolean {
  return /^\s*(?:```\w*\s*)?\[?\s*\{/.test(text) || callWords.test(text);
}

/** It had no room to come to the point. */
const stillThinks = ({ reason, text, thinking }: Reply): boolean =>
  reason === "length" && text.trim() === "" && thinking !== "";

function faultOfNeeded(reply: Reply): Outcome | null {
  const { calls, text, namelessCalls = 0 } = reply;
  const [call] = calls;
  if (call === undefined && namelessCalls === 0) {
    if (stillThinks(reply)) return "thought";
    return isCall(text) ? "text" : "none";
  }
  const args = parseJson(call?.arguments ?? "");
  const city = isRecord(args) && typeof args.city === "string" ? args.city.toLowerCase() : "";
  const good = calls.length === 1 && namelessCalls === 0 && call?.whole && call.name === "weather";
  return good && city.includes("lisbon") ? null : "wrong";
}

function faultOfNeedless(reply: Reply): Outcome | null {
  const { calls, text, namelessCalls = 0 } = reply;
  if (calls.length > 0 || namelessCalls > 0) return "needless";
  if (stillThinks(reply)) return "thought";
  if (text.trim() === "") return "silent";
  return isCall(text) ? "text" : null;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The layout to compare with: a clock in the system message, so that every prompt begins otherwise.
import type { ToolSchema } from "../../src/message.ts";
import { headersFor, type Place } from "../place.ts";
import { parsed } from "../share.ts";
import { questions } from "./follow.ts";

const system = "You are a desktop assistant. Answer briefly in the language of the question.";
/** Tokens of an answer. */
const longest = 40;

export type SeedTurn = { question: string; firstToken: number; read: number | null };

/** The follow-ups of the same questions, straight to the server. */
export async function seed(
  place: Place,
  tools: readonly ToolSchema[],
  signal: AbortSignal,
): Promise<SeedTurn[]> {
  const listed = tools.map((tool) => ({ type: "function", function: tool }));
  const earlier: { role: string; content: string }[] = [];
  const turns: SeedTurn[] = [];
  for (const [at, question] of questions.entries()) {
    if (signal.aborted) break;
    const now = `Monday 2026-11-30 10:${10 + at * 3}`;
    const messages = [
      { role: "system", content: `${system} It is ${now}.` },
      ...earlier,
      { role: "user", content: `[${now}] ${question}` },
    ];
    const { text, ...figures } = await ask(place, {
      messages,
      tools: listed,
      tool_choice: "none",
      stream: true,
      temperature: 0,
      max_tokens: longest,
      stream_options: { include_usage: true },
    });
    if (at > 0) turns.push({ question, ...figures });
    earlier.push({ role: "user", content: question }, { role: "assistant", content: text });
  }
  return turns;
}

async function ask(place: Place, body: Record<string, unknown>) {
  const begun = performance.now();
  const response = await fetch(`${place.url}/chat/completions`, {
    method: "POST",
    headers: headersFor(place),
    body: JSON.stringify(body),
  });
  if (!response.ok || !response.body)
    throw new Error(`the model server answers ${response.status}: ${await response.text()}`);
  let first: number | null = null;
  let text = "";
  let read: number | null = null;
  for await (const line of linesOf(response.body)) {
    if (!line.startsWith("data:") || line.includes("[DONE]")) continue;
    const { choices, timings } = Object(parsed(line.slice("data:".length)));
    const { content } = Object(Object(Array.isArray(choices) ? choices[0] : null).delta);
    if (typeof content === "string" && content !== "") {
      first ??= performance.now() - begun;
      text += content;
    }
    const { prompt_n } = Object(timings);
    if (typeof prompt_n === "number") read = prompt_n;
  }
  return { text, read, firstToken: first ?? performance.now() - begun };
}

async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

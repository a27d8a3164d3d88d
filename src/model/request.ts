// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The body of a completion request: fixed fields in a fixed order, joined from strings.
import { grammarOf } from "./grammar/schema.ts";
import type { Completion } from "./model.ts";

/** Pairs of surrogate escapes, lone ones, and any other escape, read in this order. */
const escapes =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./gs;

/** Replaces half a character in JSON text, which servers refuse as bad JSON (for good, if stored). */
export function wellFormedJson(json: string): string {
  const whole = json.isWellFormed() ? json : json.toWellFormed();
  if (!/\\u[dD][89a-fA-F]/.test(whole)) return whole;
  return whole.replace(escapes, (found) => (found.length === 6 ? "\\ufffd" : found));
}

/**
 * What a reply is held to by a llama-server: its own grammar for a schema has a fence and free
 * whitespace. Null: the schema itself is sent. With tools it takes no grammar, and with thinking it
 * would hold the thoughts to it too.
 */
export function ownGrammar({ schema, tools, think }: Completion): string | null {
  return schema === undefined || tools !== undefined || think ? null : grammarOf(schema);
}

/**
 * The same input gives the same bytes. Model and tools come first and the messages right behind them,
 * so that consecutive requests of a conversation begin alike. `llama` adds the fields that only a
 * llama-server knows; strict servers answer 400 to what they do not know. `grammar: false` sends a
 * schema as it is there too.
 */
export function requestBody(
  completion: Completion,
  options: { model: string | null; llama: boolean; temperature: number | null; grammar?: boolean },
): string {
  const { messages, tools, toolChoice, think, maxTokens, schema, odds = 0 } = completion;
  const fields: string[] = [];
  if (options.model !== null)
    fields.push(`"model":${JSON.stringify(options.model.toWellFormed())}`);
  if (tools !== undefined) fields.push(`"tools":${wellFormedJson(tools)}`);
  fields.push(`"messages":[${messages.map(wellFormedJson).join(",")}]`);
  fields.push('"stream":true', '"stream_options":{"include_usage":true}');
  if (tools !== undefined && toolChoice) fields.push(`"tool_choice":"${toolChoice}"`);
  if (options.temperature !== null) fields.push(`"temperature":${options.temperature}`);
  if (maxTokens !== undefined) fields.push(`"max_tokens":${maxTokens}`);
  const grammar = options.llama && options.grammar !== false ? ownGrammar(completion) : null;
  if (grammar !== null) fields.push(`"grammar":${JSON.stringify(grammar)}`);
  else if (schema !== undefined) {
    const text = wellFormedJson(JSON.stringify(schema));
    fields.push(
      `"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":${text}}}`,
    );
  }
  if (options.llama) {
    fields.push(
      '"cache_prompt":true',
      '"return_progress":true',
      `"chat_template_kwargs":{"enable_thinking":${think}}`,
    );
    // With tools, a llama-server refuses to tell them in a stream.
    if (odds > 0 && tools === undefined) fields.push('"logprobs":true', `"top_logprobs":${odds}`);
  }
  return `{${fields.join(",")}}`;
}

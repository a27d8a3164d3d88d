// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How servers say that a request is longer than their model reads, and the numbers that they tell.
import { countAt, recordAt, textAt } from "./json.ts";

/** Tokens of the request, and tokens that the model reads; null where the server does not say. */
export type Overflow = { needs: number | null; holds: number | null };

/** Most servers name it in words only; "needs" and "holds" are the numbers, where there are some. */
const wordings: readonly RegExp[] = [
  // llama-server before it had a type of its own, and what others pass on of it.
  /request (?:\((?<needs>\d+) tokens\) )?exceeds the available context size(?: \((?<holds>\d+) tokens\))?/i,
  // llama-server and LM Studio, when the room ends while the answer is written.
  /context size has been exceeded|reached context length of (?<holds>\d+) tokens/i,
  // llama-cpp-python.
  /requested tokens \((?<needs>\d+)\) exceed context window of (?<holds>\d+)/i,
  // LM Studio.
  /keep the first (?<needs>\d+) tokens when .* context length of only (?<holds>\d+)/i,
  /greater than the context length(?: \(n_keep: (?<needs>\d+) >= n_ctx: (?<holds>\d+)\))?/i,
  // Ollama.
  /prompt too long; exceeded (?:max )?context length|input length exceeds (?:the |maximum )?context length/i,
  // vLLM, SGLang, OpenAI, OpenRouter, DeepSeek, xAI and others.
  /maximum (?:context|prompt) length (?:is|of) (?<holds>\d+)(?:.*?(?:requested|resulted in|has|contains)(?: about| at least| a total of)? (?<needs>\d+)(?: input)? tokens)?/is,
  /prompt \((?:total )?length (?<needs>\d+)\).{0,70}? (?:longer than the maximum model length of|too long to fit into the model \(context length) (?<holds>\d+)/i,
  // SGLang.
  /input \((?<needs>\d+) tokens\) is longer than the model's context length \((?<holds>\d+) tokens\)/i,
  // Text Generation Inference.
  /`inputs` (?:tokens \+ `max_new_tokens` must be <=|must have less than) (?<holds>\d+)(?: tokens)?\. Given: (?<needs>\d+)/i,
  // Anthropic, Google, Mistral, OpenAI.
  /prompt is too long: (?<needs>\d+) tokens > (?<holds>\d+) maximum/i,
  /input token count \((?<needs>\d+)\) exceeds the maximum number of tokens allowed \((?<holds>\d+)\)/i,
  /prompt contains (?<needs>\d+) tokens.*too large for model with (?<holds>\d+) maximum context length/i,
  /exceeds the context window of this model/i,
];

/** HTTP: the content is larger than the server takes. */
const tooLarge = 413;

const numberIn = (text: string | undefined) => (text === undefined ? null : Number(text));

function said(words: string): Overflow | null {
  for (const wording of wordings) {
    const found = wording.exec(words);
    if (!found) continue;
    const { needs, holds } = found.groups ?? {};
    return { needs: numberIn(needs), holds: numberIn(holds) };
  }
  return null;
}

/** More than this is no sentence. */
const longestWords = 1000;

/**
 * What an `error` value with its words tells of a request that is too long; null when it is something
 * else. llama-server names the fault by type, with both numbers; OpenAI and its kin by code.
 */
export function overflowIn(error: unknown, words: string, status: number): Overflow | null {
  // A gateway passes on in a field of its own what the server behind it said.
  const passedOn = textAt(recordAt(error, "metadata"), "raw").slice(0, longestWords);
  const told = said(words) ?? said(passedOn);
  const named =
    textAt(error, "type") === "exceed_context_size_error" ||
    textAt(error, "code") === "context_length_exceeded" ||
    status === tooLarge;
  if (!named && !told) return null;
  return {
    needs: countAt(error, "n_prompt_tokens") ?? told?.needs ?? null,
    holds: countAt(error, "n_ctx") ?? told?.holds ?? null,
  };
}

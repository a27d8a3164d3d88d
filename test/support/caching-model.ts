// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A scripted llama-server with one slot: it keeps its last prompt and tells what of a new one it had already.
import type { ChatRequest, ReplyWriter, Script } from "./model-server.ts";

/** Bytes of a token here. */
const perToken = 4;

/** What a model would read: the tools, then the messages, each with a few bytes around it. */
const promptOf = ({ json: { tools, messages } }: ChatRequest) =>
  JSON.stringify(tools ?? []) + messages.map((one) => `\n<${JSON.stringify(one)}`).join("");

function common(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

export type Counted = { prompt: number; cached: number };

/** Its cache, and the replies that tell of it. */
export class CachingModel {
  /** Of every request, in order. */
  readonly counted: Counted[] = [];
  /** Keeps nothing for the next request, as a model whose state cannot be taken back. */
  forgets = false;
  /** Says nothing of its cache. */
  silent = false;
  #held = "";

  count(request: ChatRequest): Counted {
    const prompt = promptOf(request);
    const cached = this.forgets ? 0 : common(this.#held, prompt);
    this.#held = prompt;
    const counted = {
      prompt: Math.ceil(prompt.length / perToken),
      cached: Math.floor(cached / perToken),
    };
    this.counted.push(counted);
    return counted;
  }

  /** Drops what it holds, as a restart does. */
  forget(): void {
    this.#held = "";
  }

  /** Ends a reply with its finish and the counts. */
  end(reply: ReplyWriter, request: ChatRequest, reason = "stop"): void {
    const { prompt, cached } = this.count(request);
    const timings = { cache_n: cached, prompt_n: prompt - cached, predicted_n: 2 };
    const usage = { prompt_tokens: prompt, completion_tokens: 2 };
    reply
      .finish(reason)
      .data({ choices: [], usage, ...(!this.silent && { timings }) })
      .done();
  }

  /** Says "Fine." to everything. */
  get script(): Script {
    return (reply, request) => this.end(reply.text("Fine."), request);
  }
  get warmUp(): Script {
    return (reply, request) => this.end(reply.text("a"), request, "length");
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The prompt of a request as the server makes it, in its tokens, and which of them are new.
//
// What a question must read is told in two ways. Its own tokens: its message with the template's marks
// around it, up to where the answer begins. They are left even when all in front was read ahead, but for
// what its message begins with anyway (the marks, the day of its stamp): then less than its own is read.
// Its new tokens: all behind what its prompt has in common with that of the last request that was
// answered whole, be that a question or a reading ahead, and at least its own. What a server reads beyond
// them it had been given, and lost. The answer in between is new to a prompt as well, though the server
// may hold it, as it wrote it: then less than the new ones is read.
import type { Recorded } from "../pick/proxy.ts";
import { headersFor, type Place } from "../place.ts";
import { Unusable } from "../share.ts";

export type Prompt = { text: string; tokens: readonly number[] };

/** Asks the server at a path beside /v1. */
export type Post = (path: string, body: unknown) => Promise<unknown>;

export function postTo(place: Place): Post {
  const root = place.url.replace(/\/v1$/, "");
  return async (path, body) => {
    const response = await fetch(`${root}${path}`, {
      method: "POST",
      headers: headersFor(place),
      body: JSON.stringify(body),
    }).catch((cause: unknown) => {
      throw new Unusable(`${root} cannot be reached`, { cause });
    });
    if (response.ok) return await response.json();
    throw new Unusable(
      `${root}${path} answers ${response.status}: what is new in a prompt is counted only with a llama-server`,
    );
  };
}

/** What of a request its prompt is made of. */
type Asked = Record<string, unknown>;

/** `open`: with the marks in front of an answer. */
export async function rendered(post: Post, asked: Asked, { open = true } = {}): Promise<Prompt> {
  const { messages, tools, tool_choice, chat_template_kwargs } = asked;
  const made = await post("/apply-template", {
    messages,
    ...(tools !== undefined && { tools, tool_choice }),
    ...(chat_template_kwargs !== undefined && { chat_template_kwargs }),
    add_generation_prompt: open,
  });
  const { prompt } = Object(made);
  const counted = await post("/tokenize", {
    content: prompt,
    add_special: true,
    parse_special: true,
  });
  const { tokens } = Object(counted);
  if (typeof prompt !== "string" || !Array.isArray(tokens))
    throw new Unusable("the server shows no prompts: this needs a llama-server");
  return { text: prompt, tokens: tokens.map(Number) };
}

/** How many tokens two prompts begin with in common. */
export function inCommon(one: readonly number[], other: readonly number[]): number {
  const shorter = Math.min(one.length, other.length);
  let at = 0;
  while (at < shorter && one[at] === other[at]) at += 1;
  return at;
}

export const newIn = (prompt: Prompt, before: Prompt): number =>
  prompt.tokens.length - inCommon(prompt.tokens, before.tokens);

/** Tokens of the request's last message and of the marks around it. */
export async function ownIn(post: Post, asked: Asked, prompt: Prompt): Promise<number> {
  const { messages } = asked;
  const earlier = Array.isArray(messages) ? messages.slice(0, -1) : [];
  const without = await rendered(post, { ...asked, messages: earlier }, { open: false });
  return newIn(prompt, without);
}

/** A request that reads ahead: nobody wants its one token. */
export const readsAhead = ({ body }: Recorded) => body.max_tokens === 1;

/** The last request in front of this one that was answered whole. */
export function answeredBefore(requests: readonly Recorded[], request: Recorded): Recorded | null {
  const earlier = requests.slice(0, requests.indexOf(request));
  return (
    earlier.findLast(
      ({ ended, aborted, prompt }) => ended !== null && !aborted && prompt !== null,
    ) ?? null
  );
}

export type Counted = {
  /** Tokens of the prompt that were read; null when the server did not say. */
  read: number | null;
  own: number;
  /** Null for the first request of all. */
  fresh: number | null;
};

/** Counts a request that has gone by; whoever measures does it afterwards, so that it disturbs nothing. */
export async function count(
  post: Post,
  requests: readonly Recorded[],
  request: Recorded,
): Promise<Counted> {
  const prompt = await rendered(post, request.body);
  const before = answeredBefore(requests, request);
  const own = await ownIn(post, request.body, prompt);
  const fresh = before && Math.max(own, newIn(prompt, await rendered(post, before.body)));
  return { read: request.read, own, fresh };
}

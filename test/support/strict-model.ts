// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A scripted model that reads so many tokens and no more, and refuses what is longer in the way a test says.
import type { ChatRequest, ReplyWriter, Script } from "./model-server.ts";
import { isPick, none, type Said } from "./planning-model.ts";

/** Three bytes a token, as a gauge supposes at first. */
export const tokensOf = ({ json }: ChatRequest) =>
  Math.round(
    Buffer.byteLength(JSON.stringify(json.messages) + JSON.stringify(json.tools ?? "")) / 3,
  );

export type Refusal = (reply: ReplyWriter, tokens: number, limit: number) => void;

/** As llama-server does, with both numbers. */
export const withCounts: Refusal = (reply, tokens, limit) =>
  reply.status(400, {
    error: {
      code: 400,
      message: "the request exceeds the available context size",
      type: "exceed_context_size_error",
      n_prompt_tokens: tokens,
      n_ctx: limit,
    },
  });

/** As a gateway does that looks at bytes only. */
export const withoutCounts: Refusal = (reply) => reply.status(413, "<html>Too Large</html>");

/** Picks and answers in their order, then none and "Fine."; whatever is longer than `limit` tokens is refused. */
export function strictModel(
  limit: number,
  {
    refuse = withCounts,
    picks = [],
    answers = [],
  }: { refuse?: Refusal; picks?: readonly Said[]; answers?: readonly Said[] } = {},
): Script {
  const left = { picks: [...picks], answers: [...answers] };
  return (reply, request, count) => {
    const tokens = tokensOf(request);
    if (tokens > limit) return refuse(reply, tokens, limit);
    const said = isPick(request) ? (left.picks.shift() ?? none) : (left.answers.shift() ?? "Fine.");
    if (typeof said === "function") return said(reply, request, count);
    const deltas = typeof said === "string" ? [said] : said;
    reply
      .text(...deltas)
      .finish()
      .usage(tokens, 5)
      .done();
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A scripted model that reads so many tokens and no more, and refuses what is longer in the way a test says.
import type { ChatRequest, ReplyWriter, Script } from "./model-server.ts";
import { planningModel, type Said } from "./planning-model.ts";

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
  const model = planningModel(picks, answers, (reply, request) =>
    reply.usage(tokensOf(request), 5),
  );
  return (reply, request, at) => {
    const tokens = tokensOf(request);
    return tokens > limit ? refuse(reply, tokens, limit) : model(reply, request, at);
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Tool calling by the server's own means, with rescue of a call that came as text.
import type { Message, ToolSchema } from "../../message.ts";
import { aloudInstruction } from "../prompt.ts";
import { wireCall } from "../stored.ts";
import { fromResult, resultText, said } from "./plan/words.ts";
import { mayBeCall, rescue } from "./rescue.ts";
import type {
  CallResult,
  Fault,
  Latest,
  OfferedTool,
  SoFar,
  Strategy,
  StrategyOptions,
} from "./strategy.ts";

const mendings: Record<Fault, string> = {
  nameless:
    "Your tool call had no name, so nothing was run. Call a tool by its name, or answer in plain text.",
  disobeyed: "No more tools may be called. Answer in plain text with what you have.",
  empty: "Your answer was empty. Answer in plain text.",
  unreadable: "Answer in plain text.",
  json: "Answer in plain text.",
};

function appended(latest: Latest, { asked }: SoFar, tools: readonly OfferedTool[]): Message[] {
  switch (latest.kind) {
    case "question": {
      const aloud = asked.aloud ? `\n${aloudInstruction}` : "";
      return [{ role: "user", content: asked.stamp + asked.text + aloud + asked.more.text }];
    }
    case "reply":
      if (latest.wrote !== null) return inPlainText(latest.wrote, latest.results, tools);
      return [
        {
          role: "assistant",
          content: latest.reply.text,
          tool_calls: latest.results.map(({ call }) => wireCall(call)),
        },
        ...latest.results.map(
          ({ call, text }): Message => ({ role: "tool", tool_call_id: call.id, content: text }),
        ),
      ];
    case "mend":
      if (!latest.reply) return [];
      // Roles alternate (templates insist), so something of the bad reply has to stand.
      return [
        { role: "assistant", content: latest.reply.text.trim() || "..." },
        { role: "user", content: mendings[latest.reason] },
      ];
    case "none":
    case "unsure":
    case "missing":
      throw new Error(`native reads no reply as "${latest.kind}"`);
  }
}

/** A model that writes calls as text goes on best in the same way: as a talk, told what to do next. */
function inPlainText(
  wrote: string,
  results: readonly CallResult[],
  tools: readonly OfferedTool[],
): Message[] {
  const told = results.map((one) => resultText(one, tools));
  return said(wrote, [...told, fromResult({ language: null, aloud: false })].join("\n"));
}

/** A tool in the tools array of a request. */
export const arrayEntry = (schema: ToolSchema) =>
  JSON.stringify({ type: "function", function: schema });

/** `listed` stands in the tools array, `tools` is all that may be called. */
export function native({ system, listed, tools }: StrategyOptions): Strategy {
  return {
    name: "native",

    preamble: {
      messages: [{ role: "system", content: system }],
      tools: listed.length === 0 ? null : `[${listed.map(arrayEntry).join(",")}]`,
    },

    render: (turn) => turn.messages,

    coming: ({ stamp, think }) => ({
      append: [{ role: "user", content: stamp }],
      tools: "auto",
      think,
    }),

    next(latest, soFar) {
      const disobeyed = latest.kind === "mend" && latest.reason !== "nameless";
      const may = disobeyed ? "absent" : soFar.roundsLeft > 0 ? "auto" : "none";
      return { append: appended(latest, soFar, tools), tools: may, think: soFar.think };
    },

    read(reply) {
      if (reply.calls.length > 0)
        return { kind: "calls", calls: reply.calls, text: reply.text, wrote: null };
      if (reply.namelessCalls) return { kind: "mend", reason: "nameless" };
      const rescued = rescue(reply.text, tools);
      if (rescued) return { kind: "calls", calls: [rescued], text: "", wrote: reply.text.trim() };
      if (reply.text.trim() === "") return { kind: "mend", reason: "empty" };
      return { kind: "answer", text: reply.text };
    },

    mayBeCall: (text) => mayBeCall(text, tools),
  };
}

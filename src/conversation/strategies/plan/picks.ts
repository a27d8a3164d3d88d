// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A first reply as text: read into a call or none, and written again from the canonical form.
import { randomUUID } from "node:crypto";
import type { Message, ToolSchema } from "../../../message.ts";
import type { ModelCall, Reply } from "../../../model/model.ts";
import { parseRecord, recordOf } from "../../json.ts";
import { replacedResult } from "../../stored.ts";
import type { OfferedTool, Reading } from "../strategy.ts";
import { datedAs, dayOf, monthOf, wordFor } from "./days.ts";
import { absent, sift } from "./known.ts";
import { noneBound, noneShare } from "./odds.ts";
import { askBack, fromResult, type Manner, pickAgain, said, withoutTool } from "./words.ts";

type Arguments = Record<string, unknown>;

/** The first JSON object in a text, whatever stands around it; null when there is none that is whole. */
function objectIn(text: string): Arguments | null {
  const from = text.indexOf("{");
  if (from < 0) return null;
  for (let to = text.lastIndexOf("}"); to > from; to = text.lastIndexOf("}", to - 1)) {
    const found = parseRecord(text.slice(from, to + 1));
    if (found) return found;
  }
  return null;
}

export class Picks {
  readonly #tools: readonly OfferedTool[];
  readonly #today: Date;
  readonly #none: string;

  constructor(tools: readonly OfferedTool[], { today, none }: { today: Date; none: string }) {
    this.#tools = tools;
    this.#today = today;
    this.#none = none;
  }

  read(reply: Reply, words: () => string): Reading {
    const wrote = reply.text.trim();
    const found = objectIn(wrote);
    const name = found?.tool ?? found?.name;
    if (typeof name !== "string") return { kind: "mend", reason: "unreadable" };
    if (name.trim() === this.#none) return { kind: "none", wrote };
    const tool = this.#tools.find((one) => one.name === name.trim());
    if (!tool) return { kind: "mend", reason: "unreadable" };
    const names = this.#tools.map((one) => one.name);
    if (noneShare(reply.odds ?? [], { none: this.#none, names }) >= noneBound)
      return { kind: "none", wrote: JSON.stringify({ tool: this.#none }) };
    const args = recordOf(found?.arguments ?? found?.parameters) ?? {};
    const plain = this.#plain(tool, args);
    const { known, missing } = sift(plain, tool, words);
    const call: ModelCall = {
      id: `call_${randomUUID()}`,
      name: tool.name,
      arguments: JSON.stringify(known),
      whole: true,
    };
    if (missing.length > 0) return { kind: "missing", wrote: this.#written(call), call, missing };
    return { kind: "calls", calls: [call], text: "", wrote };
  }

  /** Arguments as the tool wants them: days and months as dates. */
  #plain(tool: ToolSchema, args: Arguments): Arguments {
    return dated(tool, args, (text, as) => (as === "day" ? dayOf : monthOf)(text, this.#today));
  }

  /** A call as the model would have written it. */
  #written({ name, arguments: text }: { name: string; arguments: string }): string {
    const args = parseRecord(text) ?? {};
    if (Object.keys(args).length === 0) return JSON.stringify({ tool: name });
    const tool = this.#tools.find((one) => one.name === name);
    const worded = tool ? dated(tool, args, (text) => wordFor(text, this.#today)) : args;
    return JSON.stringify({ tool: name, arguments: worded });
  }

  /**
   * A finished turn's canonical messages as a plan: each question with its choice, also where none was.
   * `asked` says what stood in its instructions; several calls at once become one choice each.
   */
  render(messages: readonly Message[], asked: Manner): Message[] {
    const question = messages.filter(({ role }) => role === "user");
    const calls = messages.flatMap((one) =>
      one.role === "assistant" ? (one.tool_calls ?? []).map((call) => call.function) : [],
    );
    const last = messages.findLast(({ role }) => role === "assistant");
    const answer: Message[] = last ? [{ role: "assistant", content: last.content }] : [];
    const told = calls.flatMap((call, at) => {
      const missing = this.#missing(call);
      if (missing.length > 0) return said(this.#written(call), askBack(asked, call.name, missing));
      const then = at < calls.length - 1 ? pickAgain(this.#none) : fromResult(asked);
      return said(this.#written(call), `Result of ${call.name}: ${replacedResult}\n${then}`);
    });
    const choices =
      told.length > 0 ? told : said(JSON.stringify({ tool: this.#none }), withoutTool(asked));
    return [...question, ...choices, ...answer];
  }

  #missing(call: { name: string; arguments: string }): string[] {
    const tool = this.#tools.find((one) => one.name === call.name);
    return tool ? absent(tool, parseRecord(call.arguments) ?? {}) : [];
  }
}

/** The arguments with those changed that are a day or a month. */
function dated(
  { parameters }: ToolSchema,
  args: Arguments,
  change: (text: string, as: "day" | "month") => string,
): Arguments {
  const properties = recordOf(parameters.properties) ?? {};
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const as = datedAs(recordOf(properties[name]) ?? {});
      return [name, as !== null && typeof value === "string" ? change(value, as) : value];
    }),
  );
}

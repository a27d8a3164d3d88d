// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A first reply as text: read into a call or none, and written again from the canonical form.
import { randomUUID } from "node:crypto";
import type { Message, ToolSchema, WireCall } from "../../../message.ts";
import type { ModelCall, Reply } from "../../../model/model.ts";
import { meantCall, reachName } from "../../call-tool.ts";
import { parseRecord, recordOf } from "../../json.ts";
import { missingIn, replacedResult } from "../../stored.ts";
import type { OfferedTool, Reading, Shares } from "../strategy.ts";
import { choiceOf } from "./choice.ts";
import { hasParameters } from "./choices.ts";
import { dated } from "./dated.ts";
import { dayOf, monthOf, wordFor } from "./days.ts";
import { type Said, sift } from "./known.ts";
import { surenessOf } from "./sureness.ts";
import { isUnsaid } from "./unsaid.ts";
import { judge, type NoneNames, noneAfterAll } from "./verdict.ts";
import { askBack, fromResult, type Manner, pickAgain, said, withoutTool } from "./words.ts";

type Arguments = Record<string, unknown>;

export class Picks {
  readonly #tools: readonly OfferedTool[];
  readonly #today: Date;
  readonly #noTool: NoneNames;
  /** All that a choice may name. */
  readonly names: ReadonlySet<string>;

  constructor(tools: readonly OfferedTool[], { today, none, talks }: { today: Date } & NoneNames) {
    this.#tools = tools;
    this.#today = today;
    this.#noTool = { none, talks };
    this.names = new Set([...tools.map(({ name }) => name), none, ...talks]);
  }

  /** `names` are the tools that could be chosen; a choice that may not be looked at again stands. */
  read(
    reply: Reply,
    spoken: Said,
    { names, mayLook, before }: { names: readonly string[]; mayLook: boolean; before?: Shares },
  ): Reading {
    const choice = choiceOf(reply, this.names);
    if (!choice || !this.names.has(choice.name)) return { kind: "mend", reason: "unreadable" };
    const tool = this.#tools.find((one) => one.name === choice.name);
    const odds = reply.odds ?? [];
    const verdict = judge(mayLook ? odds : [], { none: this.#noTool.none, names });
    if (verdict.kind === "look") {
      const wrote = JSON.stringify({ tool: choice.name });
      return { kind: "unsure", wrote, shares: verdict.shares };
    }
    if (!tool || verdict.kind === "none") return this.#without();
    if (before && noneAfterAll(odds, { before, tool: tool.name, ...this.#noTool }))
      return this.#without();
    const plain = this.#plain(tool, choice.args);
    const [sureness, today] = [surenessOf(odds), this.#today];
    const { known, missing } = sift(plain, tool, { said: spoken, sureness, today });
    const call: ModelCall = {
      id: `call_${randomUUID()}`,
      name: tool.name,
      arguments: JSON.stringify(known),
      whole: true,
    };
    // As it is written again from the stored turn, so that later requests begin with the same bytes.
    const wrote = this.#written(call);
    if (missing.length > 0) return { kind: "missing", wrote, call, missing };
    return { kind: "calls", calls: [call], text: "", wrote };
  }

  #without(): Reading {
    return { kind: "none", wrote: JSON.stringify({ tool: this.#noTool.none }) };
  }

  /** Arguments as the tool wants them: days and months as dates, without those that were not said. */
  #plain({ parameters }: ToolSchema, args: Arguments): Arguments {
    const today = this.#today;
    const change = (text: string, as: "day" | "month") =>
      isUnsaid(as, text) ? null : (as === "day" ? dayOf : monthOf)(text, today);
    return recordOf(dated(args, parameters, change)) ?? args;
  }

  /** A call as the model would have written it, without the words for what was not said. */
  #written({ name, arguments: text }: { name: string; arguments: string }): string {
    const args = parseRecord(text) ?? {};
    const tool = this.#tools.find((one) => one.name === name);
    if (tool ? !hasParameters(tool.parameters) : Object.keys(args).length === 0)
      return JSON.stringify({ tool: name });
    const change = (iso: string) => wordFor(iso, this.#today);
    return JSON.stringify({ tool: name, arguments: dated(args, tool?.parameters ?? {}, change) });
  }

  /**
   * A finished turn's canonical messages as a plan: each question with its choice, also where none was.
   * Several calls at once become one choice each. `asked` says what stood in the instructions; without
   * `picking` there was no choice to make.
   */
  render(
    messages: readonly Message[],
    asked: Manner,
    { picking }: { picking: boolean },
  ): Message[] {
    const question = messages.filter(({ role }) => role === "user");
    const calls = messages.flatMap((one) =>
      one.role === "assistant" ? (one.tool_calls ?? []).map((call) => this.#meant(call)) : [],
    );
    const results = new Map(
      messages.flatMap((one) => (one.role === "tool" ? [[one.tool_call_id, one.content]] : [])),
    );
    const last = messages.findLast(({ role }) => role === "assistant");
    const answer: Message[] = last ? [{ role: "assistant", content: last.content }] : [];
    const told = calls.flatMap((call, at) => {
      const missing = missingIn(results.get(call.id) ?? "");
      if (missing !== null) return said(this.#written(call), askBack(asked, call.name, [missing]));
      const then = at < calls.length - 1 ? pickAgain(this.#noTool.none) : fromResult(asked);
      return said(this.#written(call), `Result of ${call.name}: ${replacedResult}\n${then}`);
    });
    const none = JSON.stringify({ tool: this.#noTool.none });
    const plain = picking ? said(none, withoutTool(asked)) : [];
    const choices = told.length > 0 ? told : plain;
    return [...question, ...choices, ...answer];
  }

  /** Where tools are lines of text, none is needed to reach another. */
  #meant({ id, function: { name, arguments: text } }: WireCall): ModelCall {
    const reach = reachName((taken) => this.#tools.some((tool) => tool.name === taken));
    return meantCall({ id, name, arguments: text, whole: true }, reach);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The seam between the loop and a way of making a model call tools: pure functions, no I/O.
import type { Message, ToolSchema, Turn } from "../../message.ts";
import type { ModelCall, Reply } from "../../model/model.ts";
import type { Effect } from "../../tools/tool.ts";

/** A tool as it was offered to the model in this conversation. */
export type OfferedTool = ToolSchema & {
  effect: Effect;
  /** What is wrong with the arguments, or null when they pass the tool's schema. */
  fault(args: Record<string, unknown>): string | null;
  /** It calls another tool by name: what stands inside its arguments is the call that counts. */
  reach?: true;
};

/** What stands in front of every request; `fingerprint` changes when any byte of it does. */
export type Preamble = { messages: Message[]; tools: string | null; fingerprint: string };

export type CallResult = { call: ModelCall; text: string; ok: boolean };

/** What has happened in the turn since its last request. */
export type Latest =
  | { kind: "question"; text: string; stamp: string; aloud: boolean; shortlist: string }
  /** `wrote`: the calls came as this text, not by the server's own means. */
  | { kind: "reply"; reply: Reply; results: CallResult[]; wrote: string | null }
  /** A null reply: the server refused the request itself. */
  | { kind: "mend"; reply: Reply | null; reason: "nameless" | "disobeyed" | "empty" };

/** The next request. */
export type Step = {
  append: Message[];
  /** "none": the list stays in the prompt but no call is allowed; "absent": the list is left out. */
  tools: "auto" | "none" | "absent";
  think: boolean;
  maxTokens?: number;
  schema?: Record<string, unknown>;
};

/** What a reply is. `text` is what a person may see of it. */
export type Reading =
  | { kind: "calls"; calls: ModelCall[]; text: string; wrote: string | null }
  | { kind: "answer"; text: string }
  | { kind: "mend"; reason: "nameless" | "empty" };

export interface Strategy {
  name: "native" | "plan";
  preamble(options: { system: string; tools: readonly ToolSchema[] }): Preamble;
  /** A finished turn as the model is sent it. */
  render(turn: Turn): Message[];
  next(latest: Latest, options: { roundsLeft: number; think: boolean }): Step;
  read(reply: Reply, offered: readonly OfferedTool[]): Reading;
  /** True while the text may still turn out to be a call, so that it must not be shown yet. */
  mayBeCall(text: string, offered: readonly OfferedTool[]): boolean;
}

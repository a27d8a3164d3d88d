// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The seam between the loop and a way of making a model call tools: pure functions, no I/O.
import type { Message, ToolSchema, Turn } from "../../message.ts";
import type { ModelCall, Reply } from "../../model/model.ts";
import type { Effect } from "../../tools/tool.ts";

/** A tool as it was offered to the model in this conversation. */
export type OfferedTool = ToolSchema & {
  effect: Effect;
  /** What it returns are words of others. */
  untrusted: boolean;
  /** What is wrong with the arguments, or null when they pass the tool's schema. */
  fault(args: Record<string, unknown>): string | null;
  /** It calls another tool by name: what stands inside its arguments is the call that counts. */
  reach?: true;
};

/** What stands in front of every request: JSON text of the tools array, null without one. */
export type Preamble = { messages: Message[]; tools: string | null };

/** How a prompt lists tools. */
export type Listing = {
  /** In the tools array of a request, or as lines of the system message. */
  as: "array" | "lines";
  /** A tool as it stands there. */
  entry(tool: ToolSchema): string;
};

export type CallResult = { call: ModelCall; text: string; ok: boolean };

/** A person's question. */
export type Asked = {
  text: string;
  /** Clock and date, to stand before it. */
  stamp: string;
  aloud: boolean;
  /** Code of its language (ISO 639, as "it"); null when nobody can tell. */
  language: string | null;
  /** Tools that found no room in front and fit it, and the text that tells of them; "" when there are none. */
  more: { tools: readonly OfferedTool[]; text: string };
};

/** How likely each name was in a choice, from 0 to 1, the likeliest first. */
export type Shares = ReadonlyMap<string, number>;

/** Why a reply is of no use. */
export type Fault = "nameless" | "disobeyed" | "empty" | "unreadable" | "json";

/** What has happened in the turn since its last request. */
export type Latest =
  | { kind: "question" }
  /** `wrote`: the calls came as this text, not by the server's own means. */
  | { kind: "reply"; reply: Reply; results: CallResult[]; wrote: string | null }
  /** The model wants no tool, by this text. */
  | { kind: "none"; wrote: string }
  /** It is not clear which of these tools is meant, or none. */
  | { kind: "unsure"; wrote: string; shares: Shares }
  /** The call can't be made before the person has said these values; "name (what it is)". */
  | { kind: "missing"; wrote: string; call: ModelCall; missing: readonly string[] }
  /** A null reply: the server refused the request itself. */
  | { kind: "mend"; reply: Reply | null; reason: Fault };

/** The turn as far as it has come. */
export type SoFar = {
  asked: Asked;
  roundsLeft: number;
  think: boolean;
  /** Rounds of calls so far, and how many of their calls failed. */
  rounds: number;
  failed: number;
};

/** The next request. */
export type Step = {
  append: Message[];
  /** "none": the list stays in the prompt but no call is allowed; "absent": the list is left out. */
  tools: "auto" | "none" | "absent";
  think: boolean;
  maxTokens?: number;
  /** The reply is a choice of a tool that follows this JSON Schema: it is not for the screen. */
  schema?: Record<string, unknown>;
  /** The schema's field "answer" holds the answer's words. */
  words?: true;
  odds?: number;
  /** Messages after all others that are for this request alone: the turn goes on without them. */
  aside?: Message[];
  /** Of the choice that is looked at again. */
  before?: Shares;
};

/** What a reply is. `text` is what a person may see of it. */
export type Reading =
  | { kind: "calls"; calls: ModelCall[]; text: string; wrote: string | null }
  | { kind: "none"; wrote: string }
  | { kind: "unsure"; wrote: string; shares: Shares }
  | { kind: "missing"; wrote: string; call: ModelCall; missing: readonly string[] }
  | { kind: "answer"; text: string }
  | { kind: "mend"; reason: Fault };

/** What a strategy is made of. */
export type StrategyOptions = {
  system: string;
  /** Tools that stand in front of every request, in their order. */
  listed: readonly ToolSchema[];
  /** All that may be called in this conversation. */
  tools: readonly OfferedTool[];
  today: Date;
};

/** One way, made for one beginning: its system message, its tools and its day. */
export interface Strategy {
  readonly name: "native" | "plan";
  readonly preamble: Preamble;
  /** A finished turn as the model is sent it. */
  render(turn: Pick<Turn, "messages">, asked: Pick<Asked, "language" | "aloud">): Message[];
  /** What is known of the request of the next question; `stamp` is the beginning of its stamp. */
  coming(known: { stamp: string; think: boolean }): Pick<Step, "append" | "tools" | "think">;
  next(latest: Latest, soFar: SoFar): Step;
  /** `said` is all that was said in the conversation so far, results of this turn included. */
  read(reply: Reply, step: Step, asked: Asked, said: () => string): Reading;
  /** True while the text may still turn out to be no answer, so that it must not be shown yet. */
  mayBeCall(text: string, step: Step, asked: Asked): boolean;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The nouns that the model, the tools, the history and the conversation share.

/** A call as the OpenAI chat format carries it; `arguments` is JSON text of an object. */
export type WireCall = {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
};

/** A chat message in the OpenAI format, which is also the canonical stored form. */
export type Message =
  | { role: "system"; content: string }
  | { role: "user"; content: string }
  | { role: "assistant"; content: string; tool_calls?: WireCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

/** What a person is shown of a tool's result; `kind` says how to draw it. */
export type Card = { kind: string; [field: string]: unknown };

/** One tool call of a finished turn, as it is stored and drawn again; never sent back to the model. */
export type CallRecord = {
  call: string;
  name: string;
  arguments: Record<string, unknown>;
  ok: boolean;
  text: string;
  latency_ms: number;
  card: Card | null;
};

/** One finished question with its answer. */
export type Turn = {
  /** A random string, given when the question is accepted. */
  key: string;
  /** Unix seconds. */
  at: number;
  user: string;
  reply: string;
  /** Names in call order. */
  tools: string[];
  calls: CallRecord[];
  /** Keys of the turns that this one replaced, oldest first. */
  versions: string[];
  /** The canonical messages, tool results replaced, no time stamp. */
  messages: Message[];
  /** The answer was asked for to be heard, not read. */
  aloud: boolean;
};

/** What a turn cost; tokens are over all its requests. */
export type TurnStats = {
  /** Milliseconds from the question to the first answer text; null when there was none. */
  first_token_ms: number | null;
  total_ms: number;
  prompt_tokens: number;
  /** Of the prompt, from the server's cache; null when it does not say. */
  cached_tokens: number | null;
  output_tokens: number;
  tools: Pick<CallRecord, "name" | "ok" | "latency_ms">[];
  /** Of the writing, with one decimal; null when nobody can tell. */
  tokens_per_second: number | null;
};

/** How far the reading of a prompt is, in tokens. */
export type Progress = { processed: number; total: number; cached: number };

/** A tool as a model is offered it: `parameters` is a JSON Schema of an object. */
export type ToolSchema = { name: string; description: string; parameters: Record<string, unknown> };

/** A call that needs the person's yes: exactly what will run, and why it has to be asked. */
export type ConfirmQuestion = {
  /** The call's id in its turn. */
  call: string;
  name: string;
  why: string;
} & ({ argv: readonly string[] } | { arguments: Readonly<Record<string, unknown>> });

/** One that waits; `expires` is in Unix seconds, from then on the answer is no. */
export type ConfirmRequest = ConfirmQuestion & { expires: number };

/** How that was settled. */
export type Confirmed = { call: string; allow: boolean; reason: "answer" | "expired" };

/** A tool as a person is told of it: ready, or why not. */
export type ToolItem = {
  name: string;
  description: string;
  source: "built-in" | "file" | "plugin" | "mcp";
  /** The file's path, the server's name in config.toml, or "" when built in. */
  from: string;
  /**
   * "ready": it may be called; "starting": its server or plugin is not there yet; "changed": off until
   * it is accepted; "broken": it stayed out, or its server is gone; "off": the person left it out.
   */
  state: "ready" | "starting" | "changed" | "broken" | "off";
  /** Why it is not ready, else what its last call failed with, or "". */
  error: string;
  /** What to do about it, or "". */
  hint: string;
  /** Null when there is no tool to call. */
  effect: "read" | "send" | "change" | null;
  confirm: "auto" | "always" | "never" | null;
  untrusted: boolean;
  personal: boolean;
  announce: Readonly<Record<string, readonly string[]>>;
  /** Milliseconds that its calls usually take; null before the first one. */
  usual_ms: number | null;
  /** What is wrong in its file that does not keep it out. */
  remarks: readonly { message: string; hint: string }[];
};

/** An MCP server as a person is told of it. */
export type ServerItem = {
  /** Its name in config.toml. */
  server: string;
  state: "starting" | "ready" | "failed" | "off";
  /** Why it is not ready, with its last words, or "". */
  error: string;
  hint: string;
  /** How many tools it has, also those that are off. */
  tools: number;
};

/** Something that is no failure, but that the person should know. */
export type Notice = { code: string; message: string; hint: string };

/** A long piece of work that shows its progress; `total` is 0 when unknown, both in bytes or parts. */
export type Job = {
  job: string;
  kind: "engine" | "model" | "load" | "backup" | "index";
  done: number;
  total: number;
  state: "running" | "done" | "failed" | "cancelled";
  message: string;
};

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a model server is to the rest of the program: one completion at a time, as typed events.

export type Usage = {
  /** Tokens of the prompt, cached ones included. */
  prompt: number;
  /** Tokens of the prompt that the server's cache already held; null when it does not say. */
  cached: number | null;
  output: number;
  /** Milliseconds that reading what was not cached took, and writing the reply; null when it does not say. */
  readMs: number | null;
  outputMs: number | null;
};

/** Emitted while a reply streams, one for each delta of the server, never merged. */
export type ModelEvent =
  | { type: "think"; delta: string }
  | { type: "text"; delta: string }
  | { type: "progress"; processed: number; total: number; cached: number }
  | { type: "usage"; usage: Usage };

/** A call as the model wrote it; `id` is never empty; `whole` is false when it was cut off. */
export type ModelCall = { id: string; name: string; arguments: string; whole: boolean };

/** A finished reply. `reason` is the server's finish_reason ("stop", "length", "tool_calls", …). */
export type Reply = {
  text: string;
  thinking: string;
  calls: ModelCall[];
  reason: string;
  usage: Usage | null;
  /** Calls that named no tool: dropped, never stored; the model may be told once. Absent: none. */
  namelessCalls?: number;
  /** The tokens of `text` with their odds, when they were asked for and the server tells them. */
  odds?: readonly TokenOdds[];
};

/** A token, and the likeliest ones at its place before any schema was forced; natural logarithms. */
export type TokenOdds = {
  text: string;
  logprob: number;
  top: readonly { text: string; logprob: number }[];
};

/** How a model is made to call tools, and why so, as a sentence. */
export type ToolsMode = { strategy: "native" | "plan"; why: string };

/** One request; the strings of `messages` and `tools` are JSON and go into the body as they are. */
export type Completion = {
  messages: readonly string[];
  /** JSON text of the tools array; absent: no tools in the request. */
  tools?: string;
  toolChoice?: "auto" | "none";
  think: boolean;
  maxTokens?: number;
  /** A JSON Schema that the whole answer must follow. */
  schema?: Record<string, unknown>;
  /** Wants the odds of so many of the likeliest tokens at each place; a server may not tell them. */
  odds?: number;
  /** Whose talk it is: the requests of one thread begin alike. Absent: this one stands alone. */
  thread?: string;
  /** It holds nothing but what every conversation begins with, so that no words of a person are in it. */
  beginning?: true;
};

export type LeaseKind = "answer" | "tool" | "title" | "warm-up";

/** The right to have one request in flight; `signal` aborts when it is pre-empted or the caller stops. */
export type Lease = { signal: AbortSignal; release(): void };

/** A model that is ready to answer. */
export interface Served {
  /** Address with /v1, for people. */
  url: string;
  /** The model's id at that server; null when the server names none. */
  model: string | null;
  /** n_ctx; 0 when unknown. */
  contextTokens: number;
  local: boolean;
  /** It is a llama-server, which tells what of a prompt it had cached. */
  llama: boolean;
  /** True when the beginning of such a request would be kept over a restart, once it is sent alone. */
  lacksBeginning(completion: Completion): boolean;
  /** As far as is known now: it may change while the model is in use. */
  readonly toolsMode: ToolsMode;
  /**
   * Waits for the lane (house rule: one request at a time to a one-slot server), then streams one
   * reply. `onWaiting` is called once if the lane is taken, `onGranted` when the request goes out.
   * Rejects with ReadableError, or with the signal's reason when it aborts; the upstream socket is
   * destroyed before the promise settles.
   */
  complete(
    completion: Completion,
    options: {
      kind: LeaseKind;
      signal: AbortSignal;
      emit: (event: ModelEvent) => void;
      onWaiting?: () => void;
      onGranted?: () => void;
      /** The server answers that it is still loading the model; called once, then it is waited for. */
      onLoading?: () => void;
    },
  ): Promise<Reply>;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the daemon says: the shapes of the events, version 1 fields first and in their order.
import type {
  CallRecord,
  Card,
  Confirmed,
  ConfirmRequest,
  Job,
  Notice,
  Progress,
  ServerItem,
  ToolItem,
  TurnStats,
} from "../message.ts";

export const protocolVersion = 2;

export type State = "idle" | "thinking" | "tool";

/** A finished turn; version 1 has the first three fields. */
export type WireTurn = {
  user: string;
  reply: string;
  tools: string[];
  key?: string;
  at?: number;
  versions?: string[];
  calls?: CallRecord[];
};

/** A call of the running turn. */
export type PendingCall = {
  call: string;
  name: string;
  arguments: Record<string, unknown>;
  state: "running" | "done";
} & Partial<Pick<CallRecord, "ok" | "text" | "latency_ms" | "card">>;

export type QueueItem = { key: string; text: string };

/** The reply in flight; version 1 has the first four fields. */
export type Pending = {
  user: string;
  reply: string;
  think: string;
  tools: string[];
  key?: string;
  calls?: PendingCall[];
  confirm?: ConfirmRequest | null;
  queue?: QueueItem[];
  waiting?: boolean;
  loading?: boolean;
  progress?: Progress | null;
};

export type Item = { id: number; title: string; updated: number };

export type ModelItem = {
  /** The id to use in `use`, `fetch` and `remove`. */
  model: string;
  status: string;
  used: boolean;
  /** The server's address, or "engine". */
  source: string;
  /** How it is made to call tools, "native" or "plan", and why; absent when that is not known. */
  strategy?: string;
  strategy_why?: string;
  [field: string]: unknown;
};

/** What a tool that was run by hand came to. */
export type Ran = {
  ok: boolean;
  data: unknown;
  /** What a model would read. */
  text: string;
  error: string;
  latency_ms: number;
  meta: Record<string, unknown>;
  card: Card | null;
  /** What was mistyped, if something was. */
  hint?: string;
};

/** Every event that the daemon sends; version 2 fields are optional. */
export type Event =
  | {
      type: "hello";
      state: State;
      tool?: string;
      model: string | null;
      ctx_used: number;
      ctx_max: number;
      id: number | null;
      turns: WireTurn[];
      pending: Pending | null;
      protocol: number;
      version?: string;
      session?: string;
      private?: boolean;
      unfinished?: { key: string; text: string; at: number } | null;
      jobs?: Job[];
      notices?: Notice[];
    }
  | { type: "user"; text: string }
  | { type: "state"; state: State; tool?: string; waiting?: true; loading?: true }
  | { type: "think"; delta: string }
  | { type: "token"; delta: string }
  | ({
      type: "tool";
      name: string;
      done: boolean;
      call?: string;
      arguments?: Record<string, unknown>;
    } & Partial<Pick<CallRecord, "ok" | "latency_ms" | "text" | "card">>)
  | { type: "ctx"; used: number; max: number }
  | { type: "done"; id: number | null; stopped?: true; stats?: TurnStats; unbacked?: boolean }
  | { type: "error"; message: string; code?: string; hint?: string }
  | {
      type: "conversation";
      id: number | null;
      turns: WireTurn[];
      title?: string;
      private?: boolean;
    }
  | { type: "conversations"; items: Item[] }
  | { type: "results"; items: { id: number; title: string; snippet: string }[]; reason?: string }
  | ({ type: "progress" } & Progress)
  | { type: "queue"; items: QueueItem[] }
  | ({ type: "changed" } & Item)
  | ({ type: "confirm" } & ConfirmRequest)
  | ({ type: "confirmed" } & Confirmed)
  | ({ type: "notice" } & Notice)
  | ({ type: "job" } & Job)
  | { type: "ok"; [field: string]: unknown }
  | { type: "shown"; id: number; title: string; turns: WireTurn[]; more: boolean }
  | { type: "models"; items: ModelItem[] }
  | { type: "tools"; items: ToolItem[]; servers: ServerItem[] }
  | ({ type: "ran" } & Ran)
  | { type: "status"; [field: string]: unknown };

/** An event as a client reads it: with the marks that say whose it is. */
export type Received = Event & { req?: string; session?: string; key?: string };

/**
 * Reads a line of the daemon; null when it is not an event. Only the type is looked at: the daemon is
 * of the same program, and unknown fields are to be ignored.
 */
export function parseEvent(line: string): Received | null {
  const value: unknown = JSON.parse(line);
  return isEvent(value) ? value : null;
}

function isEvent(value: unknown): value is Received {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}

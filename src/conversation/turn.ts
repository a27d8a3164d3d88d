// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The turn in flight as a state machine: what has happened so far, and nothing after its end.
import type {
  CallRecord,
  Card,
  Confirmed,
  ConfirmRequest,
  Progress,
  TurnStats,
} from "../message.ts";

/** What happens in a turn, in the words of the protocol. The last three end it. */
export type TurnEvent =
  | { type: "user"; text: string }
  | { type: "state"; state: "thinking"; waiting?: true; loading?: true }
  | { type: "state"; state: "tool"; tool: string }
  | { type: "state"; state: "idle" }
  | { type: "think"; delta: string }
  | { type: "token"; delta: string }
  | ({ type: "progress" } & Progress)
  | { type: "ctx"; used: number; max: number }
  | { type: "tool"; done: false; call: string; name: string; arguments: Record<string, unknown> }
  | {
      type: "tool";
      done: true;
      call: string;
      name: string;
      ok: boolean;
      latency_ms: number;
      text: string;
      card: Card | null;
    }
  | ({ type: "confirm" } & ConfirmRequest)
  | ({ type: "confirmed" } & Confirmed)
  | { type: "done"; id: number | null; stats: TurnStats; unbacked?: boolean }
  | { type: "stopped"; id: number | null }
  | { type: "error"; code: string; message: string; hint: string };

export type CallState = Omit<CallRecord, "ok" | "text" | "latency_ms" | "card"> &
  (
    | { state: "running" }
    | ({ state: "done" } & Pick<CallRecord, "ok" | "text" | "latency_ms" | "card">)
  );

/** All of a turn that somebody who comes late needs. */
export type TurnValue = {
  user: string;
  reply: string;
  think: string;
  tools: string[];
  calls: CallState[];
  state: "thinking" | "tool";
  tool: string | null;
  waiting: boolean;
  loading: boolean;
  progress: Progress | null;
  /** A call that waits for the person's yes. */
  confirm: ConfirmRequest | null;
  ended: "done" | "stopped" | "failed" | null;
};

/**
 * Takes events, keeps their sum in `value`, and hands them on. After an ending event it adds
 * `state idle` and refuses everything, so "nothing after done" holds whoever is late.
 */
export class RunningTurn {
  readonly key: string;
  readonly value: TurnValue;
  readonly #out: (event: TurnEvent, turn: RunningTurn) => void;

  constructor(key: string, user: string, out: (event: TurnEvent, turn: RunningTurn) => void) {
    this.key = key;
    this.#out = out;
    this.value = {
      user,
      reply: "",
      think: "",
      tools: [],
      calls: [],
      state: "thinking",
      tool: null,
      waiting: false,
      loading: false,
      progress: null,
      confirm: null,
      ended: null,
    };
  }

  /** Returns false when the turn has ended: the event is then nobody's. */
  emit(event: TurnEvent): boolean {
    const { value } = this;
    if (value.ended) return false;
    reduce(value, event);
    this.#out(event, this);
    if (value.ended) this.#out({ type: "state", state: "idle" }, this);
    return true;
  }
}

function reduce(value: TurnValue, event: TurnEvent): void {
  switch (event.type) {
    case "token":
      value.reply += event.delta;
      value.progress = null;
      break;
    case "think":
      value.think += event.delta;
      value.progress = null;
      break;
    case "progress":
      value.progress = { processed: event.processed, total: event.total, cached: event.cached };
      break;
    case "state":
      value.state = event.state === "tool" ? "tool" : "thinking";
      value.tool = event.state === "tool" ? event.tool : null;
      value.waiting = event.state === "thinking" && event.waiting === true;
      value.loading = event.state === "thinking" && event.loading === true;
      value.progress = null;
      break;
    case "tool":
      reduceCall(value, event);
      break;
    case "confirm": {
      const { type: _, ...request } = event;
      value.confirm = request;
      break;
    }
    case "confirmed":
      value.confirm = null;
      break;
    case "done":
    case "stopped":
      value.confirm = null;
      value.ended = event.type;
      break;
    case "error":
      value.ended = "failed";
      break;
    case "user":
    case "ctx":
      break;
  }
}

function reduceCall(value: TurnValue, event: Extract<TurnEvent, { type: "tool" }>): void {
  if (!event.done) {
    const { call, name, arguments: args } = event;
    value.tools.push(name);
    value.calls.push({ call, name, arguments: args, state: "running" });
    return;
  }
  const { ok, text, latency_ms, card } = event;
  value.calls = value.calls.map((one) =>
    one.call === event.call ? { ...one, state: "done", ok, text, latency_ms, card } : one,
  );
}

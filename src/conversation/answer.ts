// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The loop of one turn: ask, read, call tools, ask again, until there is an answer.
import { ReadableError } from "../errors.ts";
import type { CallRecord, Message, TurnStats } from "../message.ts";
import type { ModelCall, ModelEvent, Reply, Served, Usage } from "../model/model.ts";
import { type CallOptions, TurnCalls } from "./calls.ts";
import { claims } from "./claims.ts";
import type { Rooms } from "./rooms.ts";
import { Shown } from "./shown.ts";
import { storedRound } from "./stored.ts";
import type { Latest, OfferedTool, Reading, Step, Strategy } from "./strategies/strategy.ts";
import { Draft, type Transcript } from "./transcript.ts";
import type { RunningTurn } from "./turn.ts";
import { callsThatFit, resultRoom, type Sizes, turnsToKeep } from "./window.ts";

/** Reading a prompt is told only when it takes longer than this, in milliseconds. */
const quickReading = 500;
/** Bytes that a call may take more than it came with: its id is made unique in the turn. */
const idGrowth = 16;

export type Prepared = {
  served: Served;
  strategy: Strategy;
  transcript: Transcript;
  draft: Draft;
  offered: readonly OfferedTool[];
  /** JSON text of the tools array. */
  tools: string | null;
  /** Called when oldest turns had to leave. */
  onCut(turns: number): void;
};

export type Answered = {
  reply: string;
  messages: Message[];
  calls: CallRecord[];
  stats: TurnStats;
  /** It says that something was done, and no call of the turn did it. */
  unbacked: boolean;
};

const noReply: Reply = { text: "", thinking: "", calls: [], reason: "stop", usage: null };

const emptyAnswer = () =>
  new ReadableError("empty_answer", "empty answer from the model server", {
    hint: "Ask again. If it stays so, the model may have no usable chat template: try another one.",
  });

/** One turn's way from its question to its answer. Rejects with ReadableError or the signal's reason. */
export class Answering {
  readonly #rooms: Rooms;
  readonly #prepared: Prepared;
  readonly #turn: RunningTurn;
  readonly #signal: AbortSignal;
  readonly #calls: TurnCalls;
  readonly #stored: Message[] = [];
  readonly #mended = new Set<string>();
  readonly #usages: Usage[] = [];
  readonly #begun = performance.now();
  #firstToken: number | null = null;
  #rounds = 0;

  constructor(rooms: Rooms, prepared: Prepared, turn: RunningTurn, options: CallOptions) {
    this.#rooms = rooms;
    this.#prepared = prepared;
    this.#turn = turn;
    this.#signal = options.signal;
    this.#calls = new TurnCalls(rooms, turn, options);
  }

  async answer(question: Extract<Latest, { kind: "question" }>): Promise<Answered> {
    this.#stored.push({ role: "user", content: question.text });
    for (let latest: Latest | null = question; latest; )
      latest = await this.#round(latest, question.aloud);
    const reply = this.#turn.value.reply;
    const calls = this.#calls.records;
    const unbacked = claims(reply, {
      changed: this.#calls.changed,
      sent: calls.some(({ ok, name }) => ok && this.#rooms.tools.get(name)?.effect === "send"),
      called: calls.some((one) => one.ok),
    });
    return { reply, messages: this.#stored, calls, stats: this.#stats(), unbacked };
  }

  /** One request and what follows from its reply; null when that was the answer. */
  async #round(latest: Latest, aloud: boolean): Promise<Latest | null> {
    const { strategy, offered, draft } = this.#prepared;
    const roundsLeft = this.#rooms.config.toolRounds - this.#rounds;
    const step = strategy.next(latest, { roundsLeft, think: this.#rooms.config.think && !aloud });
    draft.append(step.append);
    const shown = new Shown(this.#turn, strategy, offered, () => {
      this.#firstToken ??= performance.now() - this.#begun;
    });
    const reply = await this.#ask(step, shown);
    if (!reply) return { kind: "mend", reply: null, reason: "disobeyed" };
    const reading = strategy.read(reply, offered);
    if (reading.kind === "answer") {
      shown.release();
      this.#stored.push({ role: "assistant", content: reading.text });
      return null;
    }
    const fit = reading.kind === "calls" ? this.#fitting(reply, reading) : null;
    if (reading.kind === "calls" && step.tools === "auto" && fit && fit.calls.length > 0) {
      this.#rounds += 1;
      if (reading.text.trim() !== "") shown.release();
      const results = await this.#calls.run(fit.calls, fit);
      this.#stored.push(
        ...storedRound(
          reading.text,
          results.map(({ call }) => call),
        ),
      );
      return {
        kind: "reply",
        reply: { ...reply, text: reading.text },
        results,
        wrote: reading.wrote,
      };
    }
    return this.#mend(reply, reading.kind === "calls" ? "disobeyed" : reading.reason);
  }

  /** A reply that is of no use is pointed out to the model once; then it is said plainly. */
  #mend(reply: Reply, reason: "disobeyed" | "nameless" | "empty"): Latest | null {
    const first = !this.#mended.has(reason) && !this.#mended.has("disobeyed");
    this.#mended.add(reason);
    if (first && (reason !== "empty" || this.#rounds > 0)) return { kind: "mend", reply, reason };
    const { toolRounds } = this.#rooms.config;
    if (this.#rounds >= toolRounds && this.#rounds > 0) {
      const text = `I could not finish: limit of ${toolRounds} rounds`;
      this.#turn.emit({
        type: "token",
        delta: this.#turn.value.reply === "" ? text : `\n\n${text}`,
      });
      this.#stored.push({ role: "assistant", content: text });
      return null;
    }
    if (reason === "empty") throw emptyAnswer();
    throw new ReadableError(
      "bad_call",
      "the model keeps calling tools in a way that cannot be run",
      {
        hint: "Ask again in other words, or use another model.",
      },
    );
  }

  /** Streams one reply; null when the server refuses a request that allows no calls (some do). */
  async #ask(step: Step, shown: Shown): Promise<Reply | null> {
    const { served, transcript, draft, tools, offered } = this.#prepared;
    const withTools = tools !== null && step.tools !== "absent";
    this.#fit(withTools);
    const messages = transcript.strings(draft);
    let granted = performance.now();
    /** The state shows more than plain thinking, until the request goes out. */
    let held = false;
    const hold = (what: { waiting: true } | { loading: true }) => {
      held = true;
      this.#turn.emit({ type: "state", state: "thinking", ...what });
    };
    const unhold = () => {
      if (held) this.#turn.emit({ type: "state", state: "thinking" });
      held = false;
    };
    const emit = (event: ModelEvent) => {
      unhold(); // a server that was still loading does not say when it is done
      if (event.type === "text") shown.text(event.delta);
      else if (event.type === "think") this.#turn.emit(event);
      else if (event.type === "usage") this.#usage(event.usage, withTools);
      else if (performance.now() - granted > quickReading) this.#turn.emit(event);
    };
    try {
      return await served.complete(
        {
          messages,
          think: step.think,
          ...(withTools && { tools, toolChoice: step.tools === "none" ? "none" : "auto" }),
          ...(step.maxTokens !== undefined && { maxTokens: step.maxTokens }),
          ...(step.schema && { schema: step.schema }),
        },
        {
          kind: "answer",
          signal: this.#signal,
          emit,
          onWaiting: () => hold({ waiting: true }),
          onLoading: () => hold({ loading: true }),
          onGranted: () => {
            granted = performance.now();
            unhold();
          },
        },
      );
    } catch (thrown) {
      if (!(thrown instanceof ReadableError)) throw thrown;
      if (thrown.code === "empty_answer" && this.#rounds > 0) return noReply;
      const refused = thrown.code === "server_error" && step.tools === "none" && offered.length > 0;
      if (refused && !this.#mended.has("disobeyed")) {
        this.#mended.add("disobeyed");
        return null;
      }
      shown.release();
      throw thrown;
    }
  }

  #usage(usage: Usage, withTools: boolean): void {
    this.#usages.push(usage);
    const { beginning, turns, draft } = this.#sizes(withTools);
    this.#rooms.gauge.learn(beginning + turns + draft, usage.prompt);
    const { contextTokens: max } = this.#prepared.served;
    this.#turn.emit({ type: "ctx", used: usage.prompt, max });
  }

  #sizes(withTools: boolean): Sizes {
    const { transcript, draft, tools } = this.#prepared;
    const { beginning, turns } = transcript.size;
    const list = withTools ? Buffer.byteLength(tools ?? "") : 0;
    return { beginning: beginning + list, turns, draft: draft.bytes };
  }

  /** Lets the oldest turns go when the conversation has outgrown its window. */
  #fit(withTools: boolean): void {
    const { served, transcript, onCut } = this.#prepared;
    const gone = transcript.cut(
      turnsToKeep(this.#sizes(withTools), served.contextTokens, this.#rooms.gauge),
    );
    if (gone > 0) onCut(gone);
  }

  /** The calls of a reply that find room in the model's context, with the room for their results. */
  #fitting(reply: Reply, reading: Extract<Reading, { kind: "calls" }>) {
    const { calls, text } = reading;
    const { strategy, served } = this.#prepared;
    const bytes = (some: readonly ModelCall[]) => {
      const results = some.map((call) => ({ call, text: "", ok: true }));
      const latest: Latest = { ...reading, kind: "reply", reply: { ...reply, text }, results };
      const draft = new Draft();
      draft.append(strategy.next(latest, { roundsLeft: 1, think: false }).append);
      return draft.bytes;
    };
    const around = bytes([]);
    const total = resultRoom(this.#sizes(true), served.contextTokens, this.#rooms.gauge);
    const { count, room } = callsThatFit(total, {
      reply: around,
      frames: calls.map((call) => bytes([call]) - around + idGrowth),
    });
    const left = calls.length - count;
    const note = `\n[${left} more of your calls found no room in your context and were not run]`;
    return { calls: calls.slice(0, count), room, note: left === 0 ? "" : note };
  }

  #stats(): TurnStats {
    const sum = (pick: (usage: Usage) => number) =>
      this.#usages.reduce((total, usage) => total + pick(usage), 0);
    const told = this.#usages.length > 0 && this.#usages.every((usage) => usage.cached !== null);
    return {
      first_token_ms: this.#firstToken === null ? null : Math.round(this.#firstToken),
      total_ms: Math.round(performance.now() - this.#begun),
      prompt_tokens: sum((usage) => usage.prompt),
      cached_tokens: told ? sum((usage) => usage.cached ?? 0) : null,
      output_tokens: sum((usage) => usage.output),
      tools: this.#calls.records.map(({ name, ok, latency_ms }) => ({ name, ok, latency_ms })),
    };
  }
}

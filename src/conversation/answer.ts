// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The loop of one turn: ask, read, call tools, ask again, until there is an answer.
import { ReadableError } from "../errors.ts";
import type { CallRecord, Message, Notice, TurnStats } from "../message.ts";
import type { ModelCall, Reply } from "../model/model.ts";
import { type CallOptions, TurnCalls } from "./calls.ts";
import { claims } from "./claims.ts";
import { type Missing, plainly } from "./plainly.ts";
import { Requests, type Sending } from "./requests.ts";
import type { Rooms } from "./rooms.ts";
import { Shown } from "./shown.ts";
import { statsOf } from "./stats.ts";
import { storedMissing, storedRound } from "./stored.ts";
import type { Asked, Fault, Latest, Reading, SoFar, Step } from "./strategies/strategy.ts";
import { Draft, serialise } from "./transcript.ts";
import type { RunningTurn } from "./turn.ts";
import { callsThatFit } from "./window.ts";

/** Bytes that a call may take more than it came with: its id is made unique in the turn. */
const idGrowth = 16;

const answerCut = (tokens: number | undefined): Notice => ({
  code: "answer_cut",
  message: `the answer was cut off${tokens ? ` after ${tokens} tokens` : ""}: it was too long for the model`,
  hint: "Ask it to go on, or ask for less.",
});

export type Prepared = Sending & { asked: Asked };

export type Answered = {
  reply: string;
  messages: Message[];
  calls: CallRecord[];
  stats: TurnStats;
  /** It says that something was done, and no call of the turn did it. */
  unbacked: boolean;
};

const noReply: Reply = { text: "", thinking: "", calls: [], reason: "stop", usage: null };

/** One turn's way from its question to its answer. Rejects with ReadableError or the signal's reason. */
export class Answering {
  readonly #rooms: Rooms;
  readonly #prepared: Prepared;
  readonly #turn: RunningTurn;
  readonly #calls: TurnCalls;
  readonly #requests: Requests;
  readonly #options: CallOptions;
  readonly #stored: Message[] = [];
  readonly #mended = new Set<string>();
  readonly #begun = performance.now();
  #firstToken: number | null = null;
  #rounds = 0;
  /** What the person is being asked for. */
  #missing: Missing | null = null;

  constructor(rooms: Rooms, prepared: Prepared, turn: RunningTurn, options: CallOptions) {
    this.#rooms = rooms;
    this.#prepared = prepared;
    this.#turn = turn;
    this.#options = options;
    this.#calls = new TurnCalls(rooms, turn, options);
    this.#requests = new Requests(rooms, prepared, turn, options.signal);
  }

  async answer(): Promise<Answered> {
    this.#stored.push({ role: "user", content: this.#prepared.asked.text });
    for (let latest: Latest | null = { kind: "question" }; latest; )
      latest = await this.#round(latest);
    const reply = this.#turn.value.reply;
    const calls = this.#calls.records;
    const unbacked = claims(reply, {
      changed: this.#calls.changed,
      sent: calls.some(({ ok, name }) => ok && this.#rooms.tools.get(name)?.effect === "send"),
      called: calls.some((one) => one.ok),
    });
    const { costs } = this.#requests;
    const stats = statsOf({ begun: this.#begun, firstToken: this.#firstToken, costs, calls });
    return { reply, messages: this.#stored, calls, stats, unbacked };
  }

  #soFar(): SoFar {
    const { asked } = this.#prepared;
    const { toolRounds, think } = this.#rooms.config;
    return {
      asked,
      roundsLeft: toolRounds - this.#rounds,
      think: think && !asked.aloud,
      rounds: this.#rounds,
      failed: this.#calls.records.filter((one) => !one.ok).length,
    };
  }

  /** One request and what follows from its reply; null when that was the answer. */
  async #round(latest: Latest): Promise<Latest | null> {
    const { strategy, draft, asked } = this.#prepared;
    const step = strategy.next(latest, this.#soFar());
    draft.append(step.append);
    const shown = new Shown(
      this.#turn,
      (text) => strategy.mayBeCall(text, step, asked),
      () => {
        this.#firstToken ??= performance.now();
      },
    );
    const reply = await this.#ask(step, shown);
    if (!reply) return { kind: "mend", reply: null, reason: "disobeyed" };
    const reading = this.#read(reply, step);
    switch (reading.kind) {
      case "answer":
        shown.release(reading.text);
        this.#stored.push({ role: "assistant", content: reading.text });
        if (reply.reason === "length") this.#rooms.notice(answerCut(reply.usage?.output));
        return null;
      case "none":
      case "unsure":
        return reading;
      case "missing":
        this.#missing = { tool: reading.call.name, values: reading.missing };
        this.#stored.push(...storedMissing(reading.call, reading.missing));
        return reading;
      case "mend":
        return this.#mend(reply, reading.reason);
      case "calls":
        return this.#run(reply, reading, step, shown);
    }
  }

  /** A second look that finds no room is not taken: the choice stands. */
  #read(reply: Reply, step: Step): Reading {
    const { strategy, asked } = this.#prepared;
    const read = (as: Step) => strategy.read(reply, as, asked, () => this.#words());
    const reading = read(step);
    if (reading.kind !== "unsure") return reading;
    const { aside = [] } = strategy.next(reading, this.#soFar());
    const fits = serialise(aside).bytes <= this.#requests.space.left();
    return fits ? reading : read({ ...step, aside });
  }

  async #run(
    reply: Reply,
    reading: Extract<Reading, { kind: "calls" }>,
    step: Step,
    shown: Shown,
  ): Promise<Latest | null> {
    const fit = this.#fitting(reply, reading);
    const allowed = step.tools === "auto" || step.schema !== undefined;
    if (!allowed || fit.calls.length === 0) return this.#mend(reply, "disobeyed");
    this.#rounds += 1;
    if (reading.text.trim() !== "") shown.release();
    const results = await this.#calls.run(fit.calls, fit);
    const calls = results.map(({ call }) => call);
    this.#stored.push(...storedRound(reading.text, calls));
    const { text, wrote } = reading;
    return { kind: "reply", reply: { ...reply, text }, results, wrote };
  }

  /** All that was said in the conversation, results of this turn included. */
  #words(): string {
    const earlier = this.#options.turns.flatMap(({ user, reply }) => [user, reply]);
    const results = this.#calls.records.map(({ text }) => text);
    return [...earlier, this.#prepared.asked.text, ...results].join("\n");
  }

  /** A reply that is of no use is pointed out to the model once; then it is said plainly. */
  #mend(reply: Reply, reason: Fault): Latest | null {
    const about = reason === "json" ? "empty" : reason; // either way there are no words
    const first = !this.#mended.has(about) && !this.#mended.has("disobeyed");
    this.#mended.add(about);
    const { strategy } = this.#prepared;
    const worth = reason !== "empty" || this.#rounds > 0 || strategy.name === "plan";
    if (first && worth) return { kind: "mend", reply, reason };
    // What cannot be read as a choice is taken as none: the answer may still be a good one.
    if (reason === "unreadable") return { kind: "none", wrote: reply.text.trim() || "..." };
    const told = plainly(reason, {
      strategy: strategy.name,
      rounds: this.#rounds,
      toolRounds: this.#rooms.config.toolRounds,
      last: this.#calls.records.at(-1),
      missing: this.#missing,
    });
    const gap = this.#turn.value.reply === "" ? "" : "\n\n";
    this.#turn.emit({ type: "token", delta: gap + told });
    this.#stored.push({ role: "assistant", content: told });
    return null;
  }

  /** Streams one reply; null when the server refuses a request that allows no calls (some do). */
  async #ask(step: Step, shown: Shown): Promise<Reply | null> {
    try {
      return await this.#requests.send(step, shown);
    } catch (thrown) {
      if (!(thrown instanceof ReadableError)) throw thrown;
      const { strategy } = this.#prepared;
      const told = this.#rounds > 0 || strategy.name === "plan";
      if (thrown.code === "empty_answer" && told) return noReply;
      const { tools } = strategy.preamble;
      const refused = thrown.code === "server_error" && step.tools === "none" && tools !== null;
      if (refused && !this.#mended.has("disobeyed")) {
        this.#mended.add("disobeyed");
        return null;
      }
      if (!step.schema) shown.release();
      throw thrown;
    }
  }

  /** The calls of a reply that find room in the model's context, with the room for their results. */
  #fitting(reply: Reply, reading: Extract<Reading, { kind: "calls" }>) {
    const { calls, text } = reading;
    const { strategy } = this.#prepared;
    const bytes = (some: readonly ModelCall[]) => {
      const results = some.map((call) => ({ call, text: "", ok: true }));
      const latest: Latest = { ...reading, kind: "reply", reply: { ...reply, text }, results };
      const draft = new Draft();
      draft.append(strategy.next(latest, this.#soFar()).append);
      return draft.bytes;
    };
    const around = bytes([]);
    const { count, room } = callsThatFit(this.#requests.space.left(), {
      reply: around,
      frames: calls.map((call) => bytes([call]) - around + idGrowth),
    });
    const left = calls.length - count;
    const note = `\n[${left} more of your calls found no room in your context and were not run]`;
    return { calls: calls.slice(0, count), room, note: left === 0 ? "" : note };
  }
}

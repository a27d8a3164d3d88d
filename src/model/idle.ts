// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is done shortly after a choice or an answer, when nobody asks: a look, a new model's trial, reading ahead.
import { isAbort, ReadableError } from "../errors.ts";
import { isUrgent } from "./lane.ts";
import type { LeaseKind, Served } from "./model.ts";
import type { ToolsModes, Whose } from "./tools-mode.ts";
import { tryTools } from "./trial.ts";

/** Milliseconds; who asks at once, or again at once, is not to wait for our own questions. */
const pause = 300;

/** `loaded`: a request to it loads nothing and wakes nothing. */
export type Standing = { served: Served; whose: Whose; loaded: boolean };

export type IdleOptions = {
  modes: ToolsModes;
  signal: AbortSignal;
  /** The choice that stands; null when there is none. */
  standing: () => Standing | null;
  /** Its server has something to do. */
  busy: () => boolean;
  /** A question runs, even if it needs the model only later. */
  questionRuns: () => boolean;
  /** Looks at the server again. */
  look: () => Promise<unknown>;
  /** What else the program wants of a loaded model meanwhile; rejects with the signal's reason, or for a bug. */
  work: (served: Served, signal: AbortSignal) => Promise<unknown>;
};

export class Idle {
  readonly #options: IdleOptions;
  #timer: NodeJS.Timeout | null = null;
  /** What a request has kept from being done; it is made up for after that. */
  #pending: { look: boolean } | null = null;
  #running: Promise<void> | null = null;
  #interrupt = new AbortController();
  /** The model was tried since its last answer: a server with a fault is not asked in a loop. */
  #spent = false;
  /** The model has answered a question, so it is loaded. */
  #answered = false;

  constructor(options: IdleOptions) {
    this.#options = options;
  }

  /** Another model answers from now on. */
  changed(): void {
    this.#spent = false;
    this.#answered = false;
    this.rest();
  }

  /** A request has gone well. */
  after(kind: LeaseKind): void {
    if (kind === "answer") {
      this.#spent = false;
      this.#answered = true;
    }
    if (isUrgent(kind)) this.#pending = { look: true };
    if (this.#pending) this.#later();
  }

  /** There is something new to work at. */
  rest(): void {
    this.#pending ??= { look: false };
    this.#later();
  }

  /** A request is coming. */
  begin(kind: LeaseKind): void {
    if (isUrgent(kind)) this.interrupt();
  }

  /** Somebody asks: what is begun can wait. */
  interrupt(): void {
    this.#stop();
    this.#interrupt.abort(new ReadableError("preempted", "a question has come"));
    this.#interrupt = new AbortController();
  }

  #stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #later(): void {
    this.#stop();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#running) return;
      this.#running = this.#run().finally(() => {
        this.#running = null;
        // Something new came while it ran.
        if (this.#pending) this.#later();
      });
    }, pause);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const { standing, busy, questionRuns, look, work } = this.#options;
    const { signal } = this.#interrupt;
    if (!standing()) return;
    if (busy()) return this.#later();
    const pending = this.#pending;
    this.#pending = null;
    if (pending?.look) await look();
    if (questionRuns()) return this.rest();
    await this.#trial(signal);
    const now = signal.aborted ? null : this.#free();
    if (!now) return;
    try {
      await work(now.served, AbortSignal.any([signal, this.#options.signal]));
    } catch (thrown) {
      if (!isAbort(thrown, signal) && !isAbort(thrown, this.#options.signal)) throw thrown;
    }
  }

  /** The model, when a request to it disturbs nobody. */
  #free(): Standing | null {
    const { standing, busy, questionRuns } = this.#options;
    const now = busy() || questionRuns() ? null : standing();
    return now && (now.loaded || this.#answered) ? now : null;
  }

  async #trial(interrupt: AbortSignal): Promise<void> {
    const { modes, signal } = this.#options;
    const now = this.#free();
    if (!now || this.#spent || modes.known(now.whose)) return;
    this.#spent = true;
    const free = () => !interrupt.aborted && this.#free() !== null;
    const outcome = await tryTools(now.served, { signal, free });
    if (outcome) modes.learn(now.whose, outcome);
  }

  /** To be called when the signal has aborted; resolves when nothing is left running. */
  async close(): Promise<void> {
    this.interrupt();
    await this.#running;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is done shortly after a choice or an answer, when nobody asks: a look, and a new model's trial.
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
  /** The choice that stands; null when there is none, or its server has something to do. */
  standing: () => Standing | null;
  /** A question runs, even if it needs the model only later. */
  questionRuns: () => boolean;
  /** Looks at the server again. */
  look: () => Promise<unknown>;
};

export class Idle {
  readonly #options: IdleOptions;
  #timer: NodeJS.Timeout | null = null;
  /** What a request has kept from being done; it is made up for after that. */
  #pending: { look: boolean } | null = null;
  #running: Promise<void> | null = null;
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
    this.#pending ??= { look: false };
    this.#later();
  }

  /** A request has gone well. */
  after(kind: LeaseKind): void {
    if (kind === "answer") {
      this.#spent = false;
      this.#answered = true;
    }
    if (kind !== "warm-up") this.#pending = { look: true };
    if (this.#pending) this.#later();
  }

  /** A request is coming. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #later(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#running ??= this.#run().finally(() => {
        this.#running = null;
      });
    }, pause);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const { modes, signal, standing, questionRuns } = this.#options;
    if (!standing()) return;
    const look = this.#pending?.look;
    this.#pending = null;
    if (look) await this.#options.look();
    const now = standing();
    if (!now || this.#spent || questionRuns() || modes.known(now.whose)) return;
    if (!now.loaded && !this.#answered) return;
    this.#spent = true;
    const free = () => standing() !== null && !questionRuns();
    const outcome = await tryTools(now.served, { signal, free });
    if (outcome) modes.learn(now.whose, outcome);
  }

  /** To be called when the signal has aborted; resolves when nothing is left running. */
  async close(): Promise<void> {
    this.stop();
    await this.#running;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The order of requests to one server: who may send next, and who has to step aside.
import { ReadableError } from "../errors.ts";
import type { Lease, LeaseKind } from "./model.ts";

const order: readonly LeaseKind[] = ["answer", "tool", "title", "warm-up"];
/** A person waits for these. */
export const isUrgent = (kind: LeaseKind) => kind === "answer" || kind === "tool";
/** These can be asked again later; the last goes first. */
const yielding: readonly LeaseKind[] = ["warm-up", "title"];

type Waiting = { kind: LeaseKind; start: () => void };
type Running = { kind: LeaseKind; stop: AbortController };

/** `interrupted`: the request was broken off, so that the server may still be busy with it. */
export type LaneLease = Lease & { release(options?: { interrupted?: boolean }): void };

export type LaneOptions = {
  /** Requests that the server works on at the same time. */
  capacity?: number;
  /**
   * Resolves when the server works on no more than `allowed` requests, or when nobody can tell;
   * bounded, and rejects only when the signal aborts.
   */
  untilIdle?: (allowed: () => number, signal: AbortSignal) => Promise<void>;
};

/** Leases in the order answer, tool, title, warm-up, first come first served inside a kind. */
export class Lane {
  capacity: number;
  readonly #untilIdle: NonNullable<LaneOptions["untilIdle"]> | null;
  readonly #queue: Waiting[] = [];
  readonly #running = new Set<Running>();
  readonly #closing = new AbortController();
  /** Places that are free of us, but perhaps not yet idle at the server. */
  #settling = 0;

  constructor(options: LaneOptions = {}) {
    this.capacity = options.capacity ?? 1;
    this.#untilIdle = options.untilIdle ?? null;
  }

  /** True when nothing runs, waits or settles. */
  get idle(): boolean {
    return this.#running.size + this.#queue.length + this.#settling === 0;
  }

  /**
   * Waits for a place; `onWaiting` is called once if there is none now. Rejects with the signal's
   * reason; whoever waits or runs beside it does not notice. The lease's signal aborts with the
   * caller's, or with ReadableError "preempted" when an answer needs the place.
   */
  acquire(
    kind: LeaseKind,
    options: { signal: AbortSignal; onWaiting?: (() => void) | undefined },
  ): Promise<LaneLease> {
    const { signal, onWaiting } = options;
    return new Promise((resolve, reject) => {
      const over = AbortSignal.any([signal, this.#closing.signal]);
      if (over.aborted) {
        reject(over.reason);
        return;
      }
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(over.reason);
      };
      const waiting: Waiting = {
        kind,
        start: () => {
          over.removeEventListener("abort", leave);
          resolve(this.#lease(kind, over));
        },
      };
      over.addEventListener("abort", leave, { once: true });
      const rank = order.indexOf(kind);
      const behind = this.#queue.findIndex((other) => order.indexOf(other.kind) > rank);
      this.#queue.splice(behind < 0 ? this.#queue.length : behind, 0, waiting);
      this.#advance();
      if (this.#queue.includes(waiting)) onWaiting?.();
    });
  }

  #lease(kind: LeaseKind, over: AbortSignal): LaneLease {
    const running: Running = { kind, stop: new AbortController() };
    this.#running.add(running);
    return {
      signal: AbortSignal.any([over, running.stop.signal]),
      release: ({ interrupted = false } = {}) => {
        if (!this.#running.delete(running)) return;
        if (interrupted && this.#untilIdle && !this.#closing.signal.aborted) {
          this.#settle(this.#untilIdle);
        }
        this.#advance();
      },
    };
  }

  #settle(untilIdle: NonNullable<LaneOptions["untilIdle"]>): void {
    this.#settling += 1;
    const settled = () => {
      this.#settling -= 1;
      this.#advance();
    };
    untilIdle(() => this.#running.size, this.#closing.signal).then(settled, settled);
  }

  #advance(): void {
    while (this.#running.size + this.#settling < this.capacity) {
      const next = this.#queue.shift();
      if (!next) return;
      next.start();
    }
    this.#preempt();
  }

  /** Aborts as many side jobs as there are answers that wait; their places come free by release. */
  #preempt(): void {
    const waiting = this.#queue.filter((one) => isUrgent(one.kind)).length;
    const running = [...this.#running];
    let coming = this.#settling + running.filter((one) => one.stop.signal.aborted).length;
    for (const kind of yielding) {
      for (const one of running) {
        if (coming >= waiting) return;
        if (one.kind !== kind || one.stop.signal.aborted) continue;
        coming += 1;
        one.stop.abort(new ReadableError("preempted", `the ${kind} made room for a question`));
      }
    }
  }

  /** Aborts what runs and turns away what waits. */
  close(): void {
    this.#closing.abort(new ReadableError("closed", "the program ends"));
  }
}

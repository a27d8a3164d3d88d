// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Long pieces of work that are told as they go: started once, cancelled by anybody, always ended.
import { randomBytes } from "node:crypto";
import { describe, isAbort, ReadableError } from "../../errors.ts";
import type { Job } from "../../message.ts";

/** Progress is told at most this often, in milliseconds; the end is always told. */
const pace = 200;

type Work = (tools: {
  signal: AbortSignal;
  progress: (done: number, total: number) => void;
}) => Promise<void>;
type Running = { job: Job; stop: AbortController; end: Promise<unknown> };

/** A job that was started; `end` never rejects: null, or the fault that ended it. */
export type Started = { id: string; end: Promise<unknown> };

export class Jobs {
  readonly #running = new Map<string, Running>();
  readonly #onJob: (job: Job) => void;
  readonly #onBug: (thrown: unknown) => void;

  /** `onBug` gets what was thrown that is no ReadableError; the job fails with its description. */
  constructor(onJob: (job: Job) => void, onBug: (thrown: unknown) => void) {
    this.#onJob = onJob;
    this.#onBug = onBug;
  }

  running(): Job[] {
    return [...this.#running.values()].map(({ job }) => ({ ...job }));
  }

  /** Begins at once; `what` names it for people while it runs. */
  start(options: { kind: Job["kind"]; what: string; work: Work }): Started {
    const { kind, what, work } = options;
    const id = randomBytes(6).toString("base64url");
    const job: Job = { job: id, kind, done: 0, total: 0, state: "running", message: what };
    const stop = new AbortController();
    let told = performance.now();
    this.#onJob({ ...job });
    const progress = (done: number, total: number) => {
      job.done = done;
      job.total = total;
      if (performance.now() - told < pace) return;
      told = performance.now();
      this.#onJob({ ...job });
    };
    const end = this.#follow(job, work({ signal: stop.signal, progress }), stop.signal);
    this.#running.set(id, { job, stop, end });
    return { id, end };
  }

  /** False when no such job runs. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    running?.stop.abort(new ReadableError("cancelled", `${running.job.message}: cancelled`));
    return running !== undefined;
  }

  /** Cancels all and waits until they have let go. */
  async close(): Promise<void> {
    for (const id of this.#running.keys()) this.cancel(id);
    await Promise.all([...this.#running.values()].map(({ end }) => end));
  }

  async #follow(job: Job, work: Promise<void>, signal: AbortSignal): Promise<unknown> {
    let fault: unknown = null;
    try {
      await work;
      job.state = "done";
      if (job.total > 0) job.done = job.total;
    } catch (thrown) {
      fault = thrown;
      const { message, hint } = describe(thrown);
      job.state = isAbort(thrown, signal) ? "cancelled" : "failed";
      job.message = hint === "" || job.state === "cancelled" ? message : `${message}. ${hint}`;
      if (!(thrown instanceof ReadableError) && job.state === "failed") this.#onBug(thrown);
    }
    this.#running.delete(job.job);
    this.#onJob({ ...job });
    return fault;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The loads that the program asked a server for, as jobs that a person sees and can give up.
import { randomUUID } from "node:crypto";
import { describe, ReadableError } from "../errors.ts";
import type { Job } from "../message.ts";

export class Loads {
  readonly #onJob: (job: Job) => void;
  readonly #running = new Map<string, { job: Job; stop: AbortController }>();

  constructor(onJob: (job: Job) => void) {
    this.#onJob = onJob;
  }

  jobs(): Job[] {
    return [...this.#running.values()].map((one) => one.job);
  }

  /** Runs a load under a job's name. Rejects as the load does; "cancelled" when it was given up. */
  async run(
    model: string,
    signal: AbortSignal,
    load: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const stop = new AbortController();
    const job: Job = {
      job: randomUUID(),
      kind: "load",
      done: 0,
      total: 0,
      state: "running",
      message: `loading ${model}`,
    };
    this.#running.set(job.job, { job, stop });
    this.#onJob(job);
    try {
      await load(AbortSignal.any([signal, stop.signal]));
      this.#end({ ...job, state: "done", message: `${model} is loaded` });
    } catch (thrown) {
      const state = stop.signal.aborted || signal.aborted ? "cancelled" : "failed";
      this.#end({ ...job, state, message: describe(thrown).message });
      throw thrown;
    }
  }

  #end(job: Job): void {
    this.#running.delete(job.job);
    this.#onJob(job);
  }

  /** Ends the wait; the server may go on loading. False when there is no such job. */
  cancel(job: string): boolean {
    const found = this.#running.get(job);
    found?.stop.abort(new ReadableError("cancelled", `${found.job.message} was given up`));
    return found !== undefined;
  }
}

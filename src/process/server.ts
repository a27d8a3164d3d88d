// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Keeps one server process of ours alive: start, wait until ready, start again after a crash, end.
import { setTimeout as sleep } from "node:timers/promises";
import { ReadableError } from "../errors.ts";
import { becomesReady, type Life, type Probe, startLife } from "./life.ts";
import type { Environment } from "./spawn.ts";

export type ServerState = "stopped" | "starting" | "loading" | "ready" | "lost";

export type ServerOptions = {
  /** For people. */
  name: string;
  /** Called before each start, so that a port can be a new one. */
  launch: () => Promise<{ argv: string[]; env: Environment; cwd?: string }>;
  probe: Probe;
  onState?: (state: ServerState) => void;
  /** Milliseconds before each next start; one more crash in a row than there are pauses gives up. */
  pauses?: readonly number[];
  /** How long a started process may say nothing at all. */
  silentMs?: number;
  /** Between SIGTERM and SIGKILL. */
  stopMs?: number;
};

type Waiter = { resolve: () => void; reject: (reason: unknown) => void };
const closed = () => new ReadableError("closed", "the server is being ended");

/** One server process at a time. Who makes it must close it. */
export class ManagedServer {
  readonly #options: Required<Omit<ServerOptions, "onState">> & Pick<ServerOptions, "onState">;
  readonly #closing = new AbortController();
  readonly #waiters = new Set<Waiter>();
  #state: ServerState = "stopped";
  /** The process that became ready, until its end is dealt with. */
  #life: Life | null = null;
  #loop: Promise<void> | null = null;
  /** Somebody asked for it since it last became ready: a crash now is not one of a row. */
  #used = false;
  /** Crashes in a row. */
  #crashes = 0;
  /** Cuts the pause before the next start. */
  #hurry: AbortController | null = null;

  constructor(options: ServerOptions) {
    this.#options = {
      pauses: [250, 1_000, 2_000, 4_000],
      silentMs: 120_000,
      stopMs: 3_000,
      ...options,
    };
  }

  get state(): ServerState {
    return this.#state;
  }

  /**
   * Resolves when the server is ready, starting it if need be; one that was ready is asked once more,
   * since the system tells of a process's end later than its connections do. Rejects with
   * ReadableError "server_failed" (its last words in the message) once it was given up, "closed",
   * whatever `launch` rejects with, or the signal's reason. After it was given up, each call is one
   * more try.
   */
  async ready(signal: AbortSignal): Promise<void> {
    const closing = this.#closing.signal;
    const { probe, silentMs } = this.#options;
    for (;;) {
      if (signal.aborted) throw signal.reason;
      if (closing.aborted) throw closed();
      this.#used = true;
      const life = this.#life;
      if (life === null || life.gone.aborted) break;
      const either = AbortSignal.any([signal, closing, life.gone]);
      const onLoading = () => undefined;
      if (await becomesReady({ probe, signal: either, silentMs, onLoading })) return;
      // It has ended, or it hangs.
      if (!either.aborted) life.kill();
    }
    return this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<void> {
    this.#hurry?.abort();
    return new Promise<void>((resolve, reject) => {
      const onAbort = () => waiter.reject(signal.reason);
      const leave = () => {
        this.#waiters.delete(waiter);
        signal.removeEventListener("abort", onAbort);
      };
      const waiter: Waiter = {
        resolve: () => {
          leave();
          resolve();
        },
        reject: (reason) => {
          leave();
          reject(reason);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#loop ??= this.#keep();
    });
  }

  /** Ends the process and waits for its end; every waiting call rejects. Never starts again. */
  async close(): Promise<void> {
    this.#closing.abort(closed());
    await this.#loop;
    this.#tell("stopped");
  }

  #tell(state: ServerState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState?.(state);
  }

  #settle(fault?: unknown): void {
    for (const waiter of [...this.#waiters]) {
      if (fault === undefined) waiter.resolve();
      else waiter.reject(fault);
    }
  }

  /** Starts, watches and starts again, until closed or given up. Never rejects. */
  async #keep(): Promise<void> {
    const { pauses, name } = this.#options;
    const { signal } = this.#closing;
    let fault: unknown;
    while (!signal.aborted) {
      try {
        const end = await this.#once();
        if (this.#used) this.#crashes = 0;
        fault = new ReadableError("server_failed", `${name} ended: ${end}`);
      } catch (thrown) {
        fault = thrown;
        // A program that is not there will not be there in a second either.
        if (!(thrown instanceof ReadableError) || thrown.code !== "server_failed") break;
      }
      if (signal.aborted) break;
      this.#tell("lost");
      const pause = pauses[this.#crashes];
      if (pause === undefined) break;
      this.#crashes += 1;
      await this.#rest(pause);
    }
    this.#loop = null;
    if (signal.aborted) fault = closed();
    else this.#tell("lost");
    this.#settle(fault);
  }

  /** A pause that ends early when somebody asks or the server is closed. */
  async #rest(ms: number): Promise<void> {
    this.#hurry = new AbortController();
    const signal = AbortSignal.any([this.#hurry.signal, this.#closing.signal]);
    try {
      await sleep(ms, undefined, { signal });
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      this.#hurry = null;
    }
  }

  /**
   * One life: resolves with how it ended after it had been ready, rejects with "server_failed" when
   * it never was.
   */
  async #once(): Promise<string> {
    const { launch, name, probe, silentMs, stopMs } = this.#options;
    const closing = this.#closing.signal;
    this.#tell("starting");
    const { argv, ...rest } = await launch();
    closing.throwIfAborted();
    const life = await startLife(argv, { ...rest, closing, stopMs });
    try {
      const signal = AbortSignal.any([life.gone, closing]);
      const onLoading = () => this.#tell("loading");
      if (!(await becomesReady({ probe, signal, silentMs, onLoading }))) {
        const how = life.gone.aborted ? await life.ended : "it says nothing";
        throw new ReadableError("server_failed", `${name} does not start: ${how}`);
      }
      this.#used = this.#waiters.size > 0;
      this.#life = life;
      this.#tell("ready");
      this.#settle();
      return await life.ended;
    } finally {
      // A closed server was asked to end and has its time for it.
      if (!closing.aborted) life.kill();
      await life.ended;
      this.#life = null;
    }
  }
}

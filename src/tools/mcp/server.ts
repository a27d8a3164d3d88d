// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One server's life: connected in the background, started again after a failure, then left off.
import { describe } from "../../errors.ts";
import { before } from "../before.ts";
import { failure } from "../result.ts";
import type { Arguments } from "../schema.ts";
import type { ToolOutcome } from "../tool.ts";
import type { Limits, ServerConfig } from "./config.ts";
import { type Connection, connect } from "./connection.ts";
import { outcomeOf } from "./content.ts";
import type { Listed } from "./listed.ts";
import type { Turnstile } from "./turnstile.ts";

export type ServerState = "starting" | "ready" | "failed" | "off";

type Options = {
  /** In config.toml. */
  name: string;
  config: ServerConfig;
  limits: Limits;
  /** Shared by all that start. */
  turnstile: Turnstile;
  log: (line: string) => void;
  /** Its list was read, at a start or later. */
  onList: (tools: readonly Listed[]) => void;
  /** Its state or its error is another. */
  onState: (state: ServerState) => void;
  /** It failed too often, and is left off. */
  onLeft: (why: string) => void;
};

/** A tool by its name here and the server's own, and whether it still is what was offered. */
type Called = { name: string; tool: string; stands: () => boolean };

export class McpServer {
  readonly #options: Options;
  readonly #closing = new AbortController();
  #state: ServerState;
  #error = "";
  #connection: Connection | null = null;
  #loop: Promise<void> | null = null;
  /** Failures in a row. */
  #failures = 0;
  /** Cuts the pause before the next start. */
  #hurry = new AbortController();
  /** Resolves at the end of the attempt to connect that runs, or of the next one. */
  #tried = Promise.withResolvers<void>();
  #relist: NodeJS.Timeout | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#state = options.config.enabled ? "starting" : "off";
    if (options.config.enabled) this.#loop = this.#keep();
  }

  get state(): ServerState {
    return this.#state;
  }
  /** Why it is not ready, with its last words, or "". */
  get error(): string {
    return this.#error;
  }

  /** Resolves when its first attempt to connect is over. */
  async settled(): Promise<void> {
    if (this.#state === "starting") await this.#tried.promise;
  }

  /**
   * Waits while the server starts for the first time, else fails at once unless it is there. Rejects
   * only with the signal's reason.
   */
  async call(called: Called, args: Arguments, signal: AbortSignal): Promise<ToolOutcome> {
    const { name, config } = this.#options;
    const limit = new AbortController();
    // A timer that can be taken back: AbortSignal.timeout would keep each call for its whole time.
    const timer = setTimeout(() => limit.abort(), config.timeout * 1000);
    const stop = AbortSignal.any([signal, limit.signal]);
    try {
      if (this.#state === "starting") await before(this.#tried.promise, stop);
      const connection = this.#connection;
      if (!connection) return failure(`the server ${name} is not running: ${this.#error}`);
      // Its list may just have come.
      if (!called.stands())
        return failure(`${called.name} has changed meanwhile, so nothing was run`);
      const answer = await connection.call(called.tool, args, stop);
      this.#failures = 0;
      return outcomeOf(name, answer);
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      if (limit.signal.aborted)
        return failure(`the server ${name} did not answer within ${config.timeout} s`);
      return failure(`the server ${name}: ${describe(thrown).message}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Starts it if it is off by a failure, and reads its list anew; takes no longer than a start may. */
  async check(signal: AbortSignal): Promise<void> {
    if (this.#state === "off" || this.#closing.signal.aborted) return;
    if (this.#connection) return this.#listAnew(signal);
    const tried = this.#tried.promise;
    this.#failures = 0;
    this.#hurry.abort();
    this.#loop ??= this.#keep();
    await before(tried, signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#tried.resolve();
    if (this.#relist) clearTimeout(this.#relist);
    await this.#loop;
  }

  async #keep(): Promise<void> {
    const { limits, log, name, onLeft } = this.#options;
    const closing = this.#closing.signal;
    for (;;) {
      const why = await this.#live();
      if (closing.aborted) return;
      log(`mcp: ${name}: ${why}`);
      const pause = limits.pausesMs[this.#failures];
      this.#failures += 1;
      if (pause === undefined) break;
      this.#hurry = new AbortController();
      await delay(pause, AbortSignal.any([closing, this.#hurry.signal]));
      if (closing.aborted) return;
    }
    this.#loop = null;
    log(`mcp: ${name}: left off`);
    onLeft(this.#error);
  }

  /** Connects, and stays until the end of that; resolves with why it ended, and never rejects. */
  async #live(): Promise<string> {
    const { config, limits, log, name, onList, turnstile } = this.#options;
    const closing = this.#closing.signal;
    const through = await turnstile.enter();
    const late = AbortSignal.timeout(limits.startMs);
    let connection: Connection | null = null;
    let why: string;
    try {
      const signal = AbortSignal.any([closing, late]);
      const onListChanged = () => this.#listSoon();
      connection = await connect({ config, limits, signal, onListChanged });
      through();
      const begun = performance.now();
      this.#connection = connection;
      onList(connection.first);
      this.#become("ready", "");
      log(`mcp: ${name}: ready, tools: ${connection.first.length}`);
      this.#try();
      why = await before(connection.ended, closing);
      if (performance.now() - begun >= limits.steadyMs) this.#failures = 0;
    } catch (thrown) {
      why = describe(thrown).message;
    }
    through();
    this.#connection = null;
    // At a close it is no failure.
    if (!closing.aborted) this.#become("failed", why);
    this.#try();
    await connection?.close();
    return why;
  }

  #try(): void {
    this.#tried.resolve();
    this.#tried = Promise.withResolvers();
  }

  #become(state: ServerState, error: string): void {
    this.#state = state;
    this.#error = error;
    this.#options.onState(state);
  }

  #listSoon(): void {
    if (this.#relist || this.#closing.signal.aborted) return;
    this.#relist = setTimeout(() => {
      this.#relist = null;
      this.#listAnew(this.#closing.signal).catch((thrown) => {
        const { log, name } = this.#options;
        if (!this.#closing.signal.aborted) log(`mcp: ${name}: ${describe(thrown).message}`);
      });
    }, this.#options.limits.listMs);
  }

  /** Rejects only with the signal's reason: one that does not list any more is given up. */
  async #listAnew(signal: AbortSignal): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    const { limits, onList } = this.#options;
    const late = AbortSignal.timeout(limits.startMs);
    try {
      const tools = await connection.list(AbortSignal.any([signal, late]));
      if (connection === this.#connection) onList(tools);
    } catch (thrown) {
      if (signal.aborted) throw signal.reason;
      const slow = `it did not list its tools within ${limits.startMs / 1000} s`;
      connection.fail(late.aborted ? slow : describe(thrown).message);
    }
  }
}

/** Resolves after the time, or at the signal. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}

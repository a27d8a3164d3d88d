// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The process of one plugin: started, given calls, and ended whole when it does not do as it should.
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ReadableError } from "../../errors.ts";
import { type Environment, type Group, spawnGroup } from "../../process/spawn.ts";
import type { ToolContext } from "../context.ts";
import { failure } from "../result.ts";
import type { Arguments } from "../schema.ts";
import type { ToolOutcome } from "../tool.ts";
import { Asks } from "./asks.ts";
import type { Imports } from "./imports.ts";
import { type Order, type Report, readReport } from "./message.ts";
import { readOutcome } from "./outcome.ts";
import { logOutput } from "./output.ts";
import { Replies } from "./replies.ts";

const host = fileURLToPath(new URL("host.ts", import.meta.url));
/** Megabytes; beyond, Node ends itself. */
const memory = 256;
/** Milliseconds that a call has after its end was asked for, and a tool for its close. */
const grace = 300;
const closing = 500;

type Options = {
  path: string;
  env: Environment;
  /** Milliseconds. */
  loadMs: number;
  log: (text: string) => void;
  /** What it has imported, whether it can be loaded or not. */
  onImports: (imports: Imports) => void;
  signal: AbortSignal;
};

export class PluginProcess {
  readonly #name: string;
  readonly #log: (text: string) => void;
  readonly #onImports: (imports: Imports) => void;
  readonly #group: Group;
  readonly #replies = new Replies();
  readonly #asks: Asks;
  readonly #loaded = Promise.withResolvers<readonly unknown[]>();
  readonly #gone = Promise.withResolvers<void>();
  /** Ends of calls that were asked for and have not come yet. */
  readonly #stopping = new Set<Promise<void>>();
  /** Why it ended, once that is known; its message begins with the file's name. */
  #why: ReadableError | null = null;
  #state: "loading" | "ready" | "over" = "loading";

  private constructor(group: Group, { path, log, onImports }: Options) {
    this.#name = basename(path);
    this.#log = log;
    this.#onImports = onImports;
    this.#group = group;
    this.#asks = new Asks((order) => this.#send(order));
    const { child } = group;
    logOutput(
      [child.stdout, child.stderr].filter((stream) => stream !== null),
      { path, log },
    );
    child.on("message", (message) => this.#take(readReport(message)));
    child.once("exit", (status, signal) => {
      // Its last words may still be in the channel.
      if (!child.connected) return this.#ended(status, signal);
      const timer = setTimeout(() => this.#ended(status, signal), grace);
      child.once("disconnect", () => {
        clearTimeout(timer);
        this.#ended(status, signal);
      });
    });
  }

  /**
   * Resolves with the process and what its tools say of themselves. Rejects with ReadableError
   * "plugin_ended" when it cannot be loaded within `loadMs`, and when the signal aborts.
   */
  static async start(
    options: Options,
  ): Promise<{ process: PluginProcess; tools: readonly unknown[] }> {
    const { path, env, loadMs, signal } = options;
    const flags = [
      `--max-old-space-size=${memory}`,
      "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
    ];
    const group = await spawnGroup([process.execPath, ...flags, host, path], {
      cwd: dirname(path),
      env: { ...env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      ipc: true,
    });
    const started = new PluginProcess(group, options);
    const late = setTimeout(() => started.kill(`does not load within ${loadMs / 1000} s`), loadMs);
    const stop = () => started.kill();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      return { process: started, tools: await started.#loaded.promise };
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
    }
  }

  /** True from the moment on at which it can do no more calls. */
  get ending(): boolean {
    return this.#why !== null;
  }

  /** Resolves when no call is past its end, which may yet cost the process its life. */
  async calm(): Promise<void> {
    await Promise.all(this.#stopping);
  }

  /** Resolves when it has ended. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Settles within `grace` of the signal's end, whatever the tool does. */
  async call(tool: string, args: Arguments, signal: AbortSignal): Promise<ToolOutcome> {
    // It may have waited for the process.
    if (signal.aborted) return failure("stopped before it began");
    const { id, reply } = this.#replies.next();
    const over = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#send({ do: "abort", id });
      this.#stopping.add(over.promise);
      timer = setTimeout(() => this.kill(`was ended, since ${tool} did not stop`), grace);
    };
    this.#asks.calls.set(id, signal);
    this.#send({ do: "call", id, tool, args });
    signal.addEventListener("abort", stop, { once: true });
    try {
      const said = await reply;
      if ("message" in said) return failure(said.message);
      return readOutcome(said.json, `${tool} of ${this.#name}`);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.#asks.calls.delete(id);
      this.#stopping.delete(over.promise);
      over.resolve();
    }
  }

  /** Rejects with what the tool's bindContext threw. */
  async bind(tool: string, context: ToolContext): Promise<void> {
    if (this.#asks.contexts.get(tool) === context) return;
    this.#asks.contexts.set(tool, context);
    const { model: _, history: __, monitor: ___, ...plain } = context;
    const { id, reply } = this.#replies.next();
    this.#send({ do: "bind", id, tool, context: plain });
    const said = await reply;
    if ("message" in said) throw new ReadableError("plugin", said.message);
  }

  /** Bounded; what fails in it has no consequence but a line in the log. */
  async close(tool: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(() => resolve("takes too long"), closing);
    const { id, reply } = this.#replies.next();
    this.#send({ do: "close", id, tool });
    void reply.then((said) => resolve("message" in said ? said.message : ""));
    const fault = await promise;
    clearTimeout(timer);
    return fault;
  }

  /** With all that it has started. `why` is a sentence without its subject; "" when all is well. */
  kill(why = ""): void {
    if (why === "") this.#state = "over";
    this.#because(why || "has been let go");
    this.#group.kill();
  }

  #because(why: string, { line = null, hint = "" }: { line?: number | null; hint?: string } = {}) {
    const place = line === null ? this.#name : `${this.#name}:${line}`;
    this.#why ??= new ReadableError("plugin_ended", `${place}: ${why}`, { hint });
    return this.#why;
  }

  #send(order: Order): void {
    // What can no longer be told is settled by the end of the process.
    if (this.#group.child.connected) this.#group.child.send(order, (fault) => void fault);
  }

  #take(report: Report | null): void {
    if (report === null) return;
    if ("imports" in report) this.#onImports(report.imports);
    if (report.is === "loaded") {
      if (this.#state === "loading") this.#state = "ready";
      this.#loaded.resolve(report.tools);
    } else if (report.is === "broken") this.#because(report.message, report);
    else if (report.is === "ask") void this.#asks.answer(report);
    else if (report.is === "drop") this.#asks.drop(report.id);
    else this.#replies.settle(report.id, report);
  }

  #ended(status: number | null, signal: NodeJS.Signals | null): void {
    const why = this.#because(endOf(status, signal));
    // One that does not load is told to the person.
    if (this.#state === "ready") this.#log(`plugin ${why.message}`);
    this.#state = "over";
    // What it started may have left its group.
    this.#group.kill();
    this.#asks.close();
    this.#loaded.reject(why);
    this.#replies.end(why.message);
    this.#gone.resolve();
  }
}

/** Node ends itself by these when the memory that it may have is full. */
const outOfMemory: readonly unknown[] = ["SIGABRT", "SIGTRAP", "SIGILL"];

function endOf(status: number | null, signal: NodeJS.Signals | null): string {
  if (outOfMemory.includes(signal)) return `ran out of memory (${memory} MB) and was ended`;
  return signal ? `was ended by ${signal}` : `ended itself (exit status ${status})`;
}

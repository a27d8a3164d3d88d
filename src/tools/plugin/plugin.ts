// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One plugin as its file is now: its tools, and the process that they run in, started anew when it ended.
import { basename, dirname } from "node:path";
import { describe, ReadableError } from "../../errors.ts";
import type { Notice } from "../../message.ts";
import type { Environment } from "../../process/spawn.ts";
import type { ToolContext } from "../context.ts";
import { failure } from "../result.ts";
import type { Arguments } from "../schema.ts";
import type { Tool, ToolOutcome } from "../tool.ts";
import { type Facts, readList } from "./facts.ts";
import { haveChanged, type Imports } from "./imports.ts";
import { checkPlugin } from "./names.ts";
import { PluginProcess } from "./process.ts";

export type PluginOptions = {
  path: string;
  /** The whole environment of its process. */
  env: Environment;
  log: (text: string) => void;
  /** Milliseconds that it may take to load. */
  loadMs?: number;
};

/** A tool that stayed out, or "" for the whole plugin. */
export type Left = { name: string } & Notice;

export class Plugin {
  readonly #options: Required<PluginOptions>;
  readonly #ending = new AbortController();
  readonly #contexts = new Map<string, ToolContext>();
  readonly #closes = new Map<string, () => Promise<void>>();
  readonly #calls = new Set<Promise<ToolOutcome>>();
  #process: Promise<PluginProcess> | null = null;
  /** Null until it has been loaded or refused. */
  #tools: readonly Tool[] | null = null;
  #left: readonly Left[] = [];
  #imports: Imports = {};
  /** Resolves when that is so. */
  readonly loaded: Promise<void>;

  /** `text` is what the file holds. */
  constructor(text: string, { loadMs = 5000, ...options }: PluginOptions) {
    this.#options = { ...options, loadMs };
    this.loaded = this.#load(text);
  }

  /** Null while it loads. */
  get tools(): readonly Tool[] | null {
    return this.#tools;
  }
  get left(): readonly Left[] {
    return this.#left;
  }

  /** True when something that it has imported is not what it was. */
  get stale(): boolean {
    return haveChanged(this.#imports);
  }

  /** Ends it: with `wait` after the calls that run; each tool is closed once, bounded in time. */
  async end({ wait = false } = {}): Promise<void> {
    if (wait) await Promise.allSettled([...this.#calls]);
    await Promise.all([...this.#closes.values()].map((close) => close()));
    this.#ending.abort();
    const process = await this.#running();
    process?.kill();
    await process?.gone;
  }

  async #load(text: string): Promise<void> {
    try {
      checkPlugin(text);
      const started = await this.#start();
      this.#take(started.tools);
    } catch (thrown) {
      this.#leave("", thrown);
    }
    if (this.#tools === null || this.#tools.length === 0) {
      // Nothing of it will ever be called.
      (await this.#running())?.kill();
      this.#tools = [];
    }
  }

  #take(given: readonly unknown[]): void {
    const { facts, faults } = readList(given);
    for (const { name, place, fault } of faults) this.#leave(name, fault, place);
    this.#tools = facts.map((one) => this.#tool(one));
  }

  #leave(name: string, thrown: unknown, place = ""): void {
    const { message, hint } = describe(thrown);
    const { path } = this.#options;
    const ended = thrown instanceof ReadableError && thrown.code === "plugin_ended";
    const told = ended ? `${dirname(path)}/${message}` : `${path}: ${place}${message}`;
    this.#left = [...this.#left, { name, code: "tool_file", message: told, hint }];
  }

  #tool({ binds, closes, ...facts }: Facts): Tool {
    const { name } = facts;
    const close = once(() => this.#close(name));
    if (closes) this.#closes.set(name, close);
    return {
      ...facts,
      call: (args, { signal }) => this.#call(name, args, signal),
      ...(binds && { bindContext: (context: ToolContext) => this.#bind(name, context) }),
      ...(closes && { close }),
    };
  }

  #call(name: string, args: Arguments, signal: AbortSignal): Promise<ToolOutcome> {
    const calling = this.#called(name, args, signal);
    this.#calls.add(calling);
    const over = () => void this.#calls.delete(calling);
    calling.then(over, over);
    return calling;
  }

  async #called(name: string, args: Arguments, signal: AbortSignal): Promise<ToolOutcome> {
    try {
      const process = await this.#ready();
      return await process.call(name, args, signal);
    } catch (thrown) {
      if (!(thrown instanceof ReadableError)) throw thrown;
      return failure(thrown.message);
    }
  }

  async #bind(name: string, context: ToolContext): Promise<void> {
    this.#contexts.set(name, context);
    await (await this.#running())?.bind(name, context);
  }

  async #close(name: string): Promise<void> {
    const fault = await (await this.#running())?.close(name);
    if (fault) this.#options.log(`plugin ${basename(this.#options.path)}: close: ${fault}`);
  }

  /** The process that there is, else a new one. */
  async #ready(): Promise<PluginProcess> {
    for (;;) {
      const running = this.#process;
      if (!running) return (await this.#start()).process;
      const process = await running;
      await process.calm();
      if (!process.ending) return process;
      process.kill();
      if (this.#process === running) this.#process = null;
    }
  }

  /** The process that there is; a failed start is none. */
  async #running(): Promise<PluginProcess | null> {
    try {
      return await this.#process;
    } catch (thrown) {
      if (thrown instanceof ReadableError) return null;
      throw thrown;
    }
  }

  /** Also when an earlier process has ended; its tools then get their context once more. */
  #start(): Promise<{ process: PluginProcess; tools: readonly unknown[] }> {
    const started = PluginProcess.start({
      ...this.#options,
      onImports: (imports) => {
        this.#imports = imports;
      },
      signal: this.#ending.signal,
    });
    const running = started.then(({ process }) => process);
    this.#process = running;
    const forget = () => {
      if (this.#process === running) this.#process = null;
    };
    running.then((process) => {
      void process.gone.then(forget);
      for (const [name, context] of this.#contexts)
        process.bind(name, context).catch((thrown) => this.#options.log(describe(thrown).message));
    }, forget);
    return started;
  }
}

function once(does: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= does();
    return done;
  };
}

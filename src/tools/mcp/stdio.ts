// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A server that is a program of ours: messages over its standard input and output, and its end for sure.
import { homedir } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type Environment, type Group, spawnGroup } from "../../process/spawn.ts";
import type { Limits } from "./config.ts";
import { lineCutter } from "./lines.ts";
import { oneLine } from "./one-line.ts";
import { tooFast } from "./pace.ts";

/** What the SDK's own transport hands on: a server is no part of the person's session. */
const inherited = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
/** Lines in a row that are no message, after which it is no server. */
const mostStray = 10_000;
const wordsKept = 4_000;

function environment(own: Readonly<Record<string, string>>): Environment {
  const env: Environment = {};
  for (const name of inherited) {
    const value = process.env[name];
    // A shell's function, not a value.
    if (value !== undefined && !value.startsWith("()")) env[name] = value;
  }
  return { ...env, ...own };
}

/** The last things it said on its error output, which name the fault after a crash. */
function lastWords(text: string): string {
  const lines = text.split("\n").map((line) => oneLine(line, 200));
  return lines
    .filter((line) => line !== "")
    .slice(-5)
    .join(" / ");
}

export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  /** Why no more messages come; "" as long as they do, and when it was we who ended it. */
  why = "";
  #over = false;
  readonly #argv: readonly string[];
  readonly #env: Environment;
  readonly #limits: Limits;
  readonly #parse: (value: unknown) => JSONRPCMessage;
  #group: Group | null = null;
  #stderr = "";
  #stray = 0;
  readonly #unasked: (count: number) => boolean;
  readonly #words: (count: number) => boolean;
  #exited = Promise.withResolvers<void>();

  /** `parse` throws at what is no message. */
  constructor(options: {
    command: readonly string[];
    env: Readonly<Record<string, string>>;
    limits: Limits;
    parse: (value: unknown) => JSONRPCMessage;
  }) {
    this.#argv = options.command;
    this.#env = environment(options.env);
    this.#limits = options.limits;
    this.#unasked = tooFast(options.limits.unasked);
    this.#words = tooFast(options.limits.words);
    this.#parse = options.parse;
  }

  /** Rejects with ReadableError "cannot_run". */
  async start(): Promise<void> {
    const options = { cwd: homedir(), env: this.#env, stdin: "pipe" } as const;
    const group = await spawnGroup(this.#argv, options);
    this.#group = group;
    const { stdout, stderr } = group.child;
    stderr?.on("data", (bytes: Buffer) => {
      this.#stderr = (this.#stderr + bytes.subarray(-wordsKept).toString()).slice(-wordsKept);
      if (this.#words(bytes.length)) this.#fault("its error output has no end");
    });
    const cut = lineCutter({
      most: this.#limits.message,
      onLine: (line) => this.#read(line),
      onTooLong: () => this.#fault(`it sent a message of more than ${this.#limits.message} bytes`),
    });
    stdout?.on("data", cut);
    group.child.once("exit", (status, signal) => {
      this.#ended(signal ?? `status ${status}`);
    });
    // It was closed while it was being started.
    if (this.#over) group.kill();
  }

  /** With its last words, when it has any. */
  reason(why: string): string {
    const words = lastWords(this.#stderr);
    return words === "" ? why : `${why}: ${words}`;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#over) throw new Error(this.why || "it was ended");
    // Never waits: whoever does not read it has its limit elsewhere.
    this.#group?.child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Resolves when the program is gone, with all it started, which takes `killMs` at the most. */
  async close(): Promise<void> {
    this.#hangUp("");
    const group = this.#group;
    if (!group) return;
    const { termMs, killMs } = this.#limits;
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    group.child.stdin?.end();
    const term = setTimeout(() => group.kill("SIGTERM"), termMs);
    const kill = setTimeout(() => {
      this.#sweep(group);
      resolve();
    }, killMs);
    await Promise.race([this.#exited.promise, killed]);
    clearTimeout(term);
    clearTimeout(kill);
  }

  #read(line: Buffer): void {
    if (this.#over) return;
    // Banners and complaints are no JSON; looking at one byte spares the parser.
    const message = line[0] === 0x7b ? this.#message(line) : null;
    if (message) {
      this.#stray = 0;
      if ("method" in message && this.#unasked(1)) this.#fault("it sends messages without end");
      else this.onmessage?.(message);
      return;
    }
    this.#stray += 1;
    if (this.#stray > mostStray) this.#fault("what it writes is no MCP");
  }

  #message(line: Buffer): JSONRPCMessage | null {
    try {
      return this.#parse(JSON.parse(line.toString()));
    } catch (thrown) {
      this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
      return null;
    }
  }

  #fault(why: string): void {
    this.#hangUp(why);
    if (this.#group) this.#sweep(this.#group);
  }

  async #ended(how: string): Promise<void> {
    // Its last answer and its last words may still be in the pipes.
    await nextTurn();
    await nextTurn();
    this.#hangUp(this.reason(`it ended with ${how}`));
    if (this.#group) this.#sweep(this.#group);
    this.#exited.resolve();
  }

  /** What it started may live on elsewhere, and hold its pipes. */
  #sweep(group: Group): void {
    group.kill();
    group.child.stdout?.destroy();
    group.child.stderr?.destroy();
  }

  #hangUp(why: string): void {
    if (this.#over) return;
    this.#over = true;
    this.why = why;
    this.onclose?.();
  }
}

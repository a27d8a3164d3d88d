// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A real daemon in its own process and folders, and a client that sees every line.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { LineReader } from "../../src/protocol/lines.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export type Line = Record<string, unknown> & { type: string };

/** A fresh set of XDG folders below one temporary folder. */
export function makeHome() {
  const folder = mkdtempSync(join(tmpdir(), "da-"));
  const env: Record<string, string | undefined> = {
    ...process.env,
    HOME: folder,
    XDG_RUNTIME_DIR: join(folder, "run"),
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_DATA_HOME: join(folder, "data"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
    // Compiled code is shared by all tests: each start is 200 ms shorter.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "da-node-cache"),
  };
  delete env.DESKTOP_ASSISTANT_API_KEY;
  delete env.NODE_TEST_CONTEXT;
  mkdirSync(join(folder, "run"), { mode: 0o700 });
  chmodSync(join(folder, "run"), 0o700);
  const config = join(folder, "config", "desktop-assistant");
  mkdirSync(join(config, "tools"), { recursive: true });
  return {
    folder,
    env,
    socket: join(folder, "run", "desktop-assistant.sock"),
    /** Writes config.toml. */
    config: (text: string) => writeFileSync(join(config, "config.toml"), text),
    /** Writes a file of the tools folder. */
    tool: (name: string, text: string) => writeFileSync(join(config, "tools", name), text),
    tools: join(config, "tools"),
    data: join(folder, "data", "desktop-assistant"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
export type Home = ReturnType<typeof makeHome>;

/** One client on the socket, at the level of lines. */
export class TestClient {
  readonly socket: Socket;
  /** Every line so far, in order. */
  readonly lines: Line[] = [];
  closed = false;
  #taken = 0;
  #wake: (() => void) | null = null;

  constructor(path: string, { allowHalfOpen = true } = {}) {
    this.socket = createConnection({ path, allowHalfOpen });
    const reader = new LineReader(
      (text) => {
        this.lines.push(JSON.parse(text ?? "null"));
        this.#wake?.();
      },
      { limit: Number.POSITIVE_INFINITY },
    );
    this.socket.on("data", (chunk: Buffer) => reader.push(chunk));
    this.socket.on("error", () => this.#wake?.());
    this.socket.on("close", () => {
      this.closed = true;
      this.#wake?.();
    });
    this.socket.on("end", () => this.#wake?.());
  }

  send(...commands: unknown[]): void {
    this.socket.write(commands.map((command) => `${JSON.stringify(command)}\n`).join(""));
  }
  /** The next line that fits, and all before it are passed over. */
  async next(fits: string | ((line: Line) => boolean)): Promise<Line> {
    const test = typeof fits === "string" ? (line: Line) => line.type === fits : fits;
    for (;;) {
      while (this.#taken < this.lines.length) {
        const line = this.lines[this.#taken];
        this.#taken += 1;
        if (line && test(line)) return line;
      }
      if (this.closed || this.socket.readableEnded) {
        throw new Error(`closed before ${fits}; got ${JSON.stringify(this.lines.slice(-5))}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
  /** All lines of a turn that begins now, up to and with its `state idle`. */
  async turn(): Promise<Line[]> {
    await this.next("user");
    const from = this.#taken - 1;
    await this.next((line) => line.type === "state" && line.state === "idle");
    return this.lines.slice(from, this.#taken);
  }
  /** Sends a command with a `req` and gives its answer. */
  async ask(command: Record<string, unknown>): Promise<Line> {
    const req = `r${this.lines.length}-${Math.random()}`;
    this.send({ ...command, req });
    return this.next((line) => line.req === req);
  }
  async end(): Promise<void> {
    if (this.closed) return;
    const closed = once(this.socket, "close");
    this.socket.destroy();
    await closed;
  }
}

/** Starts `desktop-assistant daemon` and waits until it listens. */
export async function startDaemon(home: Home, { args = ["daemon"] }: { args?: string[] } = {}) {
  const child: ChildProcess = spawn(join(root, "bin/desktop-assistant"), args, {
    env: home.env,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const log: string[] = [];
  const clients: TestClient[] = [];
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  if (!child.stderr) throw new Error("no stderr");
  let wake: (() => void) | null = null;
  const reader = createInterface({ input: child.stderr });
  reader.on("line", (text) => {
    log.push(text);
    wake?.();
  });
  reader.on("close", () => wake?.());
  /** Waits for a log line; throws with the log when the daemon ends first. */
  const logged = async (text: string): Promise<string> => {
    for (let at = 0; ; ) {
      for (; at < log.length; at += 1) if (log[at]?.includes(text)) return log[at] ?? "";
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`daemon ended:\n${log.join("\n")}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  await logged("listening on");
  const stop = async () => {
    await Promise.all(clients.map((client) => client.end()));
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    return (await exited)[0];
  };
  return {
    child,
    log,
    logged,
    exited,
    pid: child.pid ?? 0,
    /** A client that has read its `hello`. */
    async connect(): Promise<TestClient & { hello: Line }> {
      const client = new TestClient(home.socket);
      clients.push(client);
      const hello = await client.next("hello");
      return Object.assign(client, { hello });
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}

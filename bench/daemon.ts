// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The daemon and the model server as processes, in a folder that is thrown away.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "./client.ts";
import { nothingTool } from "./tools.ts";

const root = join(import.meta.dirname, "..");

export type Daemon = {
  pid: number;
  socket: string;
  /** Milliseconds from the spawn to the first `hello`. */
  startMs: number;
  /** The last lines of its log. */
  log(): string;
  /** Resident memory in MB (1e6 bytes). */
  memory(): number;
  stop(): Promise<void>;
};

/** Starts the model server; its address with /v1. */
export async function startModel(): Promise<{ url: string; stop(): void }> {
  const child = fork(join(import.meta.dirname, "model.ts"));
  const [url]: unknown[] = await once(child, "message");
  if (typeof url !== "string") throw new Error("the model server told no address");
  return { url, stop: () => child.disconnect() };
}

/** A home of its own for the daemons of one benchmark: settings, history, socket. */
export function makeHome(llm: string, cacheOf?: string) {
  const home = mkdtempSync(join(tmpdir(), "bench-"));
  const cache = cacheOf ?? join(home, "cache");
  const config = join(home, "config", "desktop-assistant");
  const run = join(home, "run");
  mkdirSync(join(config, "tools"), { recursive: true, mode: 0o700 });
  writeFileSync(join(config, "tools", "nothing.toml"), nothingTool, { mode: 0o600 });
  mkdirSync(run, { mode: 0o700 });
  writeFileSync(join(config, "config.toml"), `llm = "${llm}"\n`);
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_DATA_HOME: join(home, "data"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: cache,
    XDG_RUNTIME_DIR: run,
  };
  return {
    env,
    cache,
    /** Added to config.toml. */
    config: (text: string) => appendFileSync(join(config, "config.toml"), text),
    socket: join(run, "desktop-assistant.sock"),
    log: join(home, "daemon.log"),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
export type Home = ReturnType<typeof makeHome>;

async function firstHello(home: Home, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const client = await Client.open(home.socket).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT" || cause.code === "ECONNREFUSED") return null;
      throw cause;
    });
    if (client !== null) {
      client.close();
      return;
    }
    await pause(1);
  }
  throw new Error("the daemon ended");
}

/** Starts a daemon; with `profile`, a folder, it writes a CPU profile there when it ends. */
export async function startDaemon(home: Home, profile?: string): Promise<Daemon> {
  const log = openSync(home.log, "a");
  const options = profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } : {};
  const began = performance.now();
  const child = spawn(join(root, "bin/desktop-assistant"), ["daemon"], {
    env: { ...home.env, ...options },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error("the daemon can't be started");
  await firstHello(home, child).catch((cause: unknown) => {
    throw new Error(`the daemon's log ends: ${readFileSync(home.log, "utf8").slice(-1000)}`, {
      cause,
    });
  });
  return {
    pid,
    socket: home.socket,
    startMs: performance.now() - began,
    log: () => readFileSync(home.log, "utf8").slice(-1000),
    memory() {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

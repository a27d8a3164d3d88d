// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Starts the daemon in the background and waits until it serves.
import { spawn } from "node:child_process";
import { closeSync, constants, fchmodSync, openSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../client/client.ts";
import { ReadableError, systemCode } from "../errors.ts";
import { logFile, socketPath } from "../paths.ts";

type Environment = Record<string, string | undefined>;
type Options = { env?: Environment; signal: AbortSignal };

const main = new URL("main.ts", import.meta.url).pathname;
/** Milliseconds that another daemon, which was started at the same moment, gets to serve. */
const patience = 10_000;
/** Milliseconds after which a daemon that still says nothing is left to itself. */
const longestStart = 120_000;

/** True when a daemon answers. Rejects with "no_answer" when one is there and hangs. */
export async function answers({ env = process.env, signal }: Options): Promise<boolean> {
  try {
    await using _client = await Client.connect(socketPath(env), { signal });
    return true;
  } catch (thrown) {
    if (thrown instanceof ReadableError && thrown.code === "not_running") return false;
    throw thrown;
  }
}

/** Appended to, never followed through a link that somebody else may have laid there. */
function openLog(path: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    const log = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    fchmodSync(log, 0o600);
    return log;
  } catch (cause) {
    if (systemCode(cause) === "") throw cause;
    throw new ReadableError("log", `cannot write the log ${path}: ${systemCode(cause)}`, {
      hint: "Set XDG_RUNTIME_DIR to a folder of yours with mode 0700, or unset it.",
      cause,
    });
  }
}

/** Bytes; the last lines are within them, and a log only grows. */
const longestTail = 64 * 1024;

/** The last lines that were written to the log after `from` bytes. */
export function logTail(path: string, options: { from?: number; lines: number }): string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return [];
  const from = Math.max(options.from ?? 0, size - longestTail);
  const bytes = Buffer.alloc(Math.max(0, size - from));
  const log = openSync(path, "r");
  try {
    readSync(log, bytes, 0, bytes.length, from);
  } finally {
    closeSync(log);
  }
  return bytes
    .toString()
    .trimEnd()
    .split("\n")
    .slice(-options.lines)
    .filter((line) => line !== "");
}

type Word = { serving: boolean; code: string; message: string; hint: string };

function readWord(value: unknown): Word {
  const fields: Record<string, unknown> =
    typeof value === "object" && value !== null ? { ...value } : {};
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : "");
  return {
    serving: fields.serving === true,
    code: text("code"),
    message: text("message"),
    hint: text("hint"),
  };
}

/** What the new daemon says first: its word, or null when it ended without one. */
async function firstWord(options: {
  env: Environment;
  log: number;
  signal: AbortSignal;
}): Promise<Word | null> {
  const { env, log, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Word | null>();
  const child = spawn(process.execPath, [main, "daemon"], {
    detached: true,
    cwd: homedir(),
    env,
    stdio: ["ignore", log, log, "ipc"],
  });
  const onAbort = () => {
    child.kill();
    reject(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(
    () => reject(new ReadableError("start_failed", "the daemon does not begin to serve")),
    longestStart,
  );
  child.once("message", (value) => resolve(readWord(value)));
  child.once("exit", () => resolve(null));
  child.once("error", (cause) =>
    reject(new ReadableError("start_failed", `cannot start ${process.execPath}`, { cause })),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** Another one was quicker, and may not listen yet. */
async function waitForOther(options: Options): Promise<void> {
  const end = performance.now() + patience;
  while (!(await answers(options))) {
    if (performance.now() > end) {
      throw new ReadableError("start_failed", "another daemon holds the lock and does not answer", {
        hint: "Type: desktop-assistant restart",
      });
    }
    await pause(50, undefined, { signal: options.signal });
  }
}

/** Resolves when a daemon answers. Rejects with what it said when it cannot start. */
export async function start({
  env = process.env,
  signal,
}: Options): Promise<"running" | "started"> {
  if (await answers({ env, signal })) return "running";
  const path = logFile(env);
  const log = openLog(path);
  try {
    const from = statSync(path).size;
    const word = await firstWord({ env, log, signal });
    if (word?.serving) return "started";
    if (word?.code === "already_running") {
      await waitForOther({ env, signal });
      return "running";
    }
    if (word) throw new ReadableError(word.code, word.message, { hint: word.hint });
    // Where in our sources it was is of no use to the person; the log has it.
    const said = logTail(path, { from, lines: 20 })
      .filter((line) => !/^\s+at /.test(line))
      .slice(-5)
      .join("\n");
    throw new ReadableError(
      "start_failed",
      `the daemon ended at once: ${said || "without a word"}`,
      {
        hint: `The log is ${path}`,
      },
    );
  } finally {
    closeSync(log);
  }
}

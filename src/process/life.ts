// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One life of a server process: what it says, when it becomes ready, how it ended.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type Environment, type Group, spawnGroup } from "./spawn.ts";

export type Health = "silent" | "loading" | "ready";
/** One look at the server; resolves whatever it finds, rejects only when the signal aborts. */
export type Probe = (signal: AbortSignal) => Promise<Health>;

export type Life = {
  /** Aborts when the process has ended. */
  gone: AbortSignal;
  /** How it ended, with its last words, for people. */
  ended: Promise<string>;
  kill(): void;
};

const longestWords = 4_000;

/** Reads all the process writes and keeps the end of it, which names the fault after a crash. */
function lastWords(group: Group): () => string {
  let text = "";
  const hear = (bytes: Buffer) => {
    text = (text + bytes.toString()).slice(-longestWords);
  };
  group.child.stdout?.on("data", hear);
  group.child.stderr?.on("data", hear);
  return () => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return lines.slice(-5).join("\n") || "it wrote nothing";
  };
}

/**
 * Starts a process. When `closing` aborts, its group gets SIGTERM, and SIGKILL `stopMs` later.
 * Rejects with ReadableError "cannot_run".
 */
export async function startLife(
  argv: readonly string[],
  options: { env: Environment; cwd?: string; closing: AbortSignal; stopMs: number },
): Promise<Life> {
  const { closing, stopMs, ...rest } = options;
  const group = await spawnGroup(argv, rest);
  const gone = new AbortController();
  const words = lastWords(group);
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    group.kill("SIGTERM");
    timer = setTimeout(() => group.kill(), stopMs);
  };
  const ended = new Promise<string>((resolve) => {
    group.child.once("exit", (status, signal) => {
      clearTimeout(timer);
      closing.removeEventListener("abort", end);
      gone.abort();
      resolve(signal === null ? `status ${status}` : `${signal}`);
    });
  }).then(async (how) => {
    // Its last words may still be in the pipe.
    await nextTurn();
    await nextTurn();
    return `${how}, ${words()}`;
  });
  closing.addEventListener("abort", end, { once: true });
  if (closing.aborted) end();
  return {
    gone: gone.signal,
    ended,
    kill() {
      if (!gone.signal.aborted) group.kill();
    },
  };
}

/** True once a probe finds it ready; false when `signal` aborts or nothing is heard for `silentMs`. */
export async function becomesReady(options: {
  probe: Probe;
  signal: AbortSignal;
  silentMs: number;
  onLoading: () => void;
}): Promise<boolean> {
  const { probe, signal, silentMs, onLoading } = options;
  let heard = performance.now();
  let step = 20;
  try {
    while (!signal.aborted) {
      const health = await probe(signal);
      if (signal.aborted) return false;
      if (health === "ready") return true;
      if (health === "loading") {
        heard = performance.now();
        onLoading();
      }
      if (performance.now() - heard > silentMs) return false;
      await sleep(step, undefined, { signal });
      step = Math.min(step * 1.5, 500);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
  return false;
}

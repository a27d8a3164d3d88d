// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs a program to its end, within a time, and gives its output; nothing can make it wait for longer.
import { type Environment, type Group, spawnGroup } from "./spawn.ts";

export type Finished = {
  /** Exit status; null when it ended by a signal or did not end in time. */
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: Buffer;
  /** It wrote more than `maxBytes` and was ended for that; the output is what came until then. */
  cut: boolean;
  timedOut: boolean;
};

export type RunOptions = {
  cwd?: string;
  env?: Environment;
  timeoutMs: number;
  signal: AbortSignal;
  /** The most that is read of stdout and of stderr, each. */
  maxBytes?: number;
  onOutput?: (bytes: Buffer, from: "stdout" | "stderr") => void;
};

/**
 * Calls `then` when nothing more can be waiting in the pipes of an ended program. What it wrote is in
 * the system's hands before its exit is told, and one turn of the event loop reads all of that; two
 * turns without a byte are proof. "close" would wait for every heir of the pipes.
 */
function whenDrained(heard: () => number, then: () => void): void {
  let before = heard();
  let quiet = 0;
  const turn = () => {
    quiet = heard() === before ? quiet + 1 : 0;
    before = heard();
    if (quiet < 2) setImmediate(turn);
    else then();
  };
  setImmediate(turn);
}

/** Collects the group's output; settles as `run` promises. */
function collect(group: Group, options: RunOptions): Promise<Finished> {
  const { timeoutMs, signal, maxBytes = 4 * 1024 * 1024, onOutput } = options;
  const { child } = group;
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const sizes = { stdout: 0, stderr: 0 };
  let cut = false;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const release = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      // A process that left the group may hold the other ends open for ever.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const settle = (end: Pick<Finished, "status" | "signal" | "timedOut">) => {
      release();
      resolve({
        ...end,
        cut,
        stdout: Buffer.concat(parts.stdout),
        stderr: Buffer.concat(parts.stderr),
      });
    };
    const fail = (reason: unknown) => {
      group.kill();
      release();
      reject(reason);
    };
    const onAbort = () => fail(signal.reason);
    const read = (from: "stdout" | "stderr") => (bytes: Buffer) => {
      const kept = bytes.subarray(0, maxBytes - sizes[from]);
      sizes[from] += kept.length;
      if (kept.length > 0) parts[from].push(kept);
      try {
        if (kept.length > 0) onOutput?.(kept, from);
      } catch (fault) {
        fail(fault);
        return;
      }
      if (kept.length === bytes.length || cut) return;
      cut = true;
      group.kill();
    };
    child.stdout?.on("data", read("stdout"));
    child.stderr?.on("data", read("stderr"));
    child.once("exit", (status, by) => {
      clearTimeout(timer);
      whenDrained(
        () => sizes.stdout + sizes.stderr,
        () => settle({ status, signal: by, timedOut: false }),
      );
    });
    timer = setTimeout(() => {
      group.kill();
      settle({ status: null, signal: "SIGKILL", timedOut: true });
    }, timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/**
 * Runs argv without a shell. Settles when the program itself ends; what it left in its process group
 * is then ended too. At the timeout and at an abort the whole group gets SIGKILL, with all that left
 * it and can be found, and the promise settles at once, whoever still holds the pipes. An abort
 * rejects with the signal's reason, a program that cannot be started with ReadableError "cannot_run".
 */
export async function run(argv: readonly string[], options: RunOptions): Promise<Finished> {
  options.signal.throwIfAborted();
  const { cwd, env } = options;
  const group = await spawnGroup(argv, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
  });
  return collect(group, options);
}

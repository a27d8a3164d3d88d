// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Ends the daemon: asked first, made to later.
import { setTimeout as pause } from "node:timers/promises";
import { ReadableError, systemCode } from "../errors.ts";
import { findDaemon, look } from "./process.ts";
import { answers } from "./start.ts";

/** Milliseconds between the request to end and the end without asking. */
const grace = 10_000;
const afterKill = 5000;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (systemCode(cause) !== "ESRCH") throw cause; // ended meanwhile
  }
}

async function gone(pid: number, within: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + within;
  while (look(pid)) {
    if (performance.now() > end) return false;
    // Nothing tells the end of a process that is not a child of ours.
    await pause(20, undefined, { signal });
  }
  return true;
}

/** Resolves when no daemon runs: "stopped", "killed" (it did not end when asked), or "none" ran. */
export async function stop(options: {
  env?: Record<string, string | undefined>;
  signal: AbortSignal;
}): Promise<"stopped" | "killed" | "none"> {
  const { env = process.env, signal } = options;
  const found = findDaemon(env);
  if (!found) {
    if (!(await answers({ env, signal }))) return "none";
    throw new ReadableError(
      "not_ours",
      "something answers on the socket, but it left no pid file",
      {
        hint: "It may be another program's. End it by hand.",
      },
    );
  }
  send(found.pid, "SIGTERM");
  // A halted process hears nothing else before it goes on.
  if (found.halted) send(found.pid, "SIGCONT");
  if (await gone(found.pid, grace, signal)) return "stopped";
  send(found.pid, "SIGKILL");
  if (await gone(found.pid, afterKill, signal)) return "killed";
  throw new ReadableError("not_ended", `process ${found.pid} does not end`);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The daemon's process as the system shows it: found by its pid file, checked, never just believed.
import { readFileSync } from "node:fs";
import { systemCode } from "../errors.ts";
import { pidFile } from "../paths.ts";

type Environment = Record<string, string | undefined>;

export type Running = {
  pid: number;
  /** Seconds since it started. */
  uptime: number;
  /** Bytes of memory that are its own or shared, in RAM. */
  memory: number;
  /** Stopped by SIGSTOP or a debugger: it lives and does not answer. */
  halted: boolean;
};

/** Null when the file is gone, which for /proc means that the process is. */
function read(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch (cause) {
    if (["ENOENT", "ESRCH", "EACCES"].includes(systemCode(cause))) return null;
    throw cause;
  }
}

// USER_HZ is 100 on every Linux that Node runs on (sysconf(_SC_CLK_TCK)).
const ticks = 100;

/** A process that is a daemon of ours; null when it has ended, or its number now belongs to another. */
export function look(pid: number): Running | null {
  const argv = read(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
  if (!argv.includes("daemon") || !argv.some((part) => /main\.ts$|desktop-assistant/.test(part))) {
    return null;
  }
  const stat = read(`/proc/${pid}/stat`);
  const status = read(`/proc/${pid}/status`);
  const up = read("/proc/uptime");
  if (stat === null || status === null || up === null) return null;
  // Fields after the name in brackets, which may itself hold brackets and spaces (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  // A zombie has ended; somebody only has not asked for its status yet.
  if (state === "Z" || state === "X") return null;
  const started = Number(fields[19]) / ticks;
  return {
    pid,
    uptime: Math.max(0, Number(up.split(" ")[0]) - started),
    memory: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024,
    halted: state === "T" || state === "t",
  };
}

/** The daemon of this environment, by its pid file. */
export function findDaemon(env: Environment = process.env): Running | null {
  const text = read(pidFile(env))?.trim() ?? "";
  return /^[0-9]{1,10}$/.test(text) ? look(Number(text)) : null;
}

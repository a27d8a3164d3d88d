// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Starts a program in a process group of its own that can be ended whole and never outlives the daemon.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { ReadableError, systemCode, systemReason } from "../errors.ts";
import { markVariable, related, startedAt } from "./find.ts";
import { heldAt, heldName, openHeld } from "./held.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

export type Environment = Record<string, string | undefined>;

export type Group = {
  child: ChildProcess;
  /** The program's process id, which is also its group's. */
  pid: number;
  /**
   * Sends a signal to the whole group; SIGKILL (the default) also reaches what left the group, as far
   * as it can be found by its environment or its parents. Does nothing for a group that is gone.
   */
  kill(signal?: NodeJS.Signals): void;
};

/** Random, so that two daemons never take each other's processes for their own. */
const daemonName = randomBytes(9).toString("base64url");
const daemonMark = `${daemonName}:`;
const groups = new Map<number, Group>();
let count = 0;
let watchdog: Watchdog | undefined;
/** Undefined before the first start, null when it could not be opened. */
let held: number | null | undefined;

function watch(): Watchdog {
  if (watchdog) return watchdog;
  const started = startWatchdog(daemonMark, () => {
    if (watchdog === started) watchdog = undefined;
  });
  for (const pid of groups.keys()) started.started(pid);
  watchdog = started;
  return started;
}

/** ESRCH (it has ended) and EPERM (it has become another user) are no faults here. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (fault) {
    if (systemCode(fault) === "") throw fault;
  }
}

/** Ends all that is related, until a look finds nobody new: a process may fork meanwhile. */
function sweep(leader: number | undefined, options: Parameters<typeof related>[1]): void {
  const family = new Set(leader === undefined ? [] : [leader]);
  const killed = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const fresh = related(family, options).filter((pid) => !killed.has(pid));
    // After the look, not before: with its parents gone, a process that also dropped its environment
    // could no longer be told from a stranger. The group goes in one stroke, so it cannot fork away.
    if (round === 0 && leader !== undefined) send(-leader, "SIGKILL");
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      killed.add(pid);
      send(pid, "SIGKILL");
    }
  }
}

function cannotRun(
  argv: readonly string[],
  cwd: string | undefined,
  cause: unknown,
): ReadableError {
  const code = systemCode(cause);
  const name = argv[0] ?? "";
  const there = (path: string) => statSync(path, { throwIfNoEntry: false });
  let reason = systemReason(code) ?? (cause instanceof Error ? cause.message : String(cause));
  let hint = "";
  if (code === "ENOENT") {
    // The system uses one word for a missing program, working folder and interpreter.
    if (cwd !== undefined && !there(cwd)?.isDirectory())
      reason = `the folder ${cwd} does not exist`;
    else if (name.includes("/") && there(resolve(cwd ?? "", name))) {
      reason = "the interpreter that its first line names does not exist";
      hint = "Look at the line that begins with #!. It must not end as lines do on Windows.";
    } else {
      reason = "no such program";
      hint = `Install ${name}, or write its full path.`;
    }
  } else if (code === "ERR_INVALID_ARG_VALUE") reason = "an argument holds a NUL character";
  return new ReadableError("cannot_run", `cannot run ${name}: ${reason}`, { hint, cause });
}

/**
 * Starts argv[0] (looked up on the PATH of `env`) without a shell, in its own process group and
 * session. Standard input is /dev/null unless `stdin` is "pipe"; the caller must read stdout and
 * stderr, or the program stands still when they are full. `env` replaces the daemon's environment;
 * the mark by which it is found again is added. With `ipc` it is a Node that can be sent messages.
 * Rejects with ReadableError "cannot_run". The program ends when the daemon ends, however that ends.
 */
export async function spawnGroup(
  argv: readonly string[],
  options: { cwd?: string; env?: Environment; stdin?: "ignore" | "pipe"; ipc?: boolean } = {},
): Promise<Group> {
  const { cwd, env = process.env, stdin = "ignore", ipc = false } = options;
  const [program, ...args] = argv;
  if (!program) throw new ReadableError("cannot_run", "cannot run an empty command");
  count += 1;
  const mark = `${daemonMark}${count};`;
  // A daemon that a tool of another daemon started keeps that one's mark beside its own.
  const above = env[markVariable];
  const marked = { ...env, [markVariable]: above ? `${above} ${mark}` : mark };
  const guard = watch();
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      detached: true,
      stdio: stdioOf(stdin, ipc),
      env: marked,
      ...(cwd === undefined ? {} : { cwd }),
    });
  } catch (fault) {
    throw cannotRun(argv, cwd, fault);
  }
  const { pid } = child;
  if (pid === undefined) {
    const fault = await new Promise<unknown>((resolve) => child.once("error", resolve));
    throw cannotRun(argv, cwd, fault);
  }
  guard.started(pid);
  const since = startedAt(pid);
  let leads = true;
  const group: Group = {
    child,
    pid,
    kill(signal = "SIGKILL") {
      // After the leader's end its number may belong to somebody else: only the mark counts then.
      if (signal === "SIGKILL") sweep(leads ? pid : undefined, { mark, since });
      else if (leads) send(-pid, signal);
    },
  };
  groups.set(pid, group);
  child.once("exit", () => {
    // What still stands in the group holds its number, so it is safe to end it now and only now.
    send(-pid, "SIGKILL");
    leads = false;
    groups.delete(pid);
    watchdog?.ended(pid);
  });
  // A reader that is gone shows in the program's exit; a late EPIPE must not take the daemon down.
  child.stdin?.on("error", () => child.stdin?.destroy());
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.on("error", (fault) => reject(cannotRun(argv, cwd, fault)));
  });
  return group;
}

/** The three streams, the way for messages, and far behind them the file by which a child is found. */
function stdioOf(stdin: "ignore" | "pipe", ipc: boolean): StdioOptions {
  held ??= openHeld(daemonName);
  const streams: ("ignore" | "pipe" | "ipc")[] = [
    stdin,
    "pipe",
    "pipe",
    ...(ipc ? ["ipc" as const] : []),
  ];
  if (held === null) return streams;
  const between = Array.from({ length: heldAt - streams.length }, () => "ignore" as const);
  return [...streams, ...between, held];
}

/** Ends every process that this program ever started and that still lives; for the daemon's end. */
export function killAll(): void {
  for (const group of groups.values()) group.kill();
  if (count === 0) return;
  sweep(undefined, { mark: daemonMark, held: heldName + daemonName, since: startedAt("self") });
}

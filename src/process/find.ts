// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Finds the processes that came from one we started, also those that left its process group.
import { readdirSync, readFileSync } from "node:fs";
import { systemCode } from "../errors.ts";
import { holds } from "./held.ts";

/** The variable that every started process carries, and hands on to its own children. */
export const markVariable = "DESKTOP_ASSISTANT_CHILD";

type Seen = { pid: number; parent: number; group: number; session: number; started: number };

/** A process may end at any moment between two looks at it: then there is nothing to read. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (fault) {
    if (systemCode(fault) !== "") return "";
    throw fault;
  }
}

/** One line of /proc/PID/stat (proc(5)); undefined when the process is gone or only a zombie. */
function look(pid: number): Seen | undefined {
  const line = readIfThere(`/proc/${pid}/stat`);
  // The command's name stands in brackets and may itself hold blanks and brackets.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  if (!state || state === "Z" || state === "X") return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(fields[19]),
  };
}

/** When a process started, in clock ticks since the boot; 0 when that cannot be told. */
export function startedAt(pid: number | "self"): number {
  const line = readIfThere(`/proc/${pid}/stat`);
  return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? 0);
}

function everyProcess(): Seen[] {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch (fault) {
    // Without /proc only the process groups themselves can be reached.
    if (systemCode(fault) !== "") return [];
    throw fault;
  }
  const seen: Seen[] = [];
  for (const name of names) {
    if (!/^[0-9]+$/.test(name)) continue;
    const one = look(Number(name));
    if (one && one.pid !== process.pid) seen.push(one);
  }
  return seen;
}

/**
 * Live processes that descend from one of `family`, are in its groups or sessions, or carry `mark` in
 * their environment, or have the file `held` open. What is found joins the family, so that a second look also finds what a killed
 * process had just forked. Only those that started at `since` (clock ticks) or later are looked into,
 * which keeps this cheap and spares older processes with a recycled id.
 */
export function related(
  family: Set<number>,
  options: { mark: string; since: number; held?: string },
): number[] {
  const candidates = everyProcess().filter((one) => one.started >= options.since);
  const found = new Set<number>();
  const add = ({ pid, group, session }: Seen) => {
    found.add(pid);
    for (const id of [pid, group, session]) family.add(id);
  };
  // Of one that is just ending the system says 0 or -1, and 1 is everybody's last parent.
  const { group: ownGroup, session: ownSession } = look(process.pid) ?? { group: 0, session: 0 };
  const isOurs = (id: number) => id > 1 && id !== ownGroup && id !== ownSession && family.has(id);
  for (const one of candidates) {
    const marked = readIfThere(`/proc/${one.pid}/environ`).includes(options.mark);
    const heir = marked || isOurs(one.pid);
    if (heir || (options.held !== undefined && holds(one.pid, options.held))) add(one);
  }
  let before: number;
  do {
    before = found.size;
    for (const one of candidates) {
      if (found.has(one.pid)) continue;
      if ([one.parent, one.group, one.session].some(isOurs)) add(one);
    }
  } while (found.size > before);
  return [...found];
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One small shell that outlives the daemon by a moment and ends whatever the daemon had started.
import { type ChildProcess, spawn } from "node:child_process";
import { markVariable } from "./find.ts";

// It reads "+ PID" and "- PID" until the pipe ends, which the system does even at kill -9 of the
// daemon. Then it ends the groups that still live, their descendants as far as the parent links
// reach, and every process that carries the mark; again and again until a round finds nobody, since
// a process may fork while it is being looked for. Plain POSIX sh: a Node would cost 40 MB.
const script = `
trap '' HUP INT TERM
live=' '
while read -r sign pid; do
  case $sign in
    +) live="$live$pid " ;;
    -) live="\${live%% $pid *} \${live#* $pid }" ;;
  esac
done
found=$live
grew=1
while [ "$grew" = 1 ]; do
  grew=0
  for file in /proc/[0-9]*/stat; do
    { read -r line <"$file"; } 2>/dev/null || continue
    pid=\${line%% *}
    case "$found" in *" $pid "*) continue ;; esac
    set -- \${line##*) }
    [ "$#" -gt 20 ] || continue
    case "$found" in *" $2 "* | *" $3 "* | *" $4 "*) found="$found$pid "; grew=1 ;; esac
  done
done
for pid in $live; do kill -9 -- "-$pid"; done 2>/dev/null
for pid in $found; do kill -9 "$pid"; done 2>/dev/null
round=0
while [ "$round" -lt 20 ]; do
  round=$((round + 1))
  files=$(grep -lFs -e "${markVariable}=$1" -e " $1" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$files" ] || break
  for file in $files; do
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}"
  done 2>/dev/null
done
`;

export type Watchdog = { started(pid: number): void; ended(pid: number): void };

/**
 * Starts the watchdog for processes marked with `mark`. `onGone` is called when somebody ended it,
 * so that the next start brings a new one. Neither it nor its pipe keeps the daemon alive.
 */
export function startWatchdog(mark: string, onGone: () => void): Watchdog {
  const shell: ChildProcess = spawn("/bin/sh", ["-c", script, "desktop-assistant-watchdog", mark], {
    // A group of its own, so that Ctrl+C in the daemon's terminal does not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" },
  });
  shell.on("error", onGone);
  shell.on("exit", onGone);
  shell.unref();
  const pipe = shell.stdin;
  // A shell that is gone tells so by "exit"; the pipe's own complaint adds nothing.
  pipe?.on("error", onGone);
  if (pipe && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
  return {
    started: (pid) => void pipe?.write(`+ ${pid}\n`),
    ended: (pid) => void pipe?.write(`- ${pid}\n`),
  };
}

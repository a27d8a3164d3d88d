// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One small shell that outlives the daemon by a moment and ends whatever the daemon had started.
import { type ChildProcess, spawn } from "node:child_process";
import { markVariable } from "./find.ts";
import { heldName } from "./held.ts";

// It reads "+ PID" and "- PID" until the pipe ends, which the system does even at kill -9 of the
// daemon. Then it ends the groups that still live, their descendants as far as the parent links
// reach, and every process that carries the mark or has its file open; again and again until a round
// finds nobody, since a process may fork while it is being looked for. The system says 0 or -1 for the
// group and session of one that is just ending, and to kill -1 would be to kill everything: only real
// numbers are taken. Nor is the daemon itself, which may be a little slower to end, nor its session,
// which may be the person's terminal. Plain POSIX sh: a Node would cost 40 MB.
const script = `
trap '' HUP INT TERM
numbers() {
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  case $line in *") "*) ;; *) return 1 ;; esac
  # The name in brackets may hold blanks and brackets; state, parent, group, session follow it.
  rest=\${line##*) }
  rest=\${rest#* }
  parent=\${rest%% *}
  rest=\${rest#* }
  group=\${rest%% *}
  rest=\${rest#* }
  session=\${rest%% *}
}
numbers $PPID
theirs=" $PPID $group $session "
live=' '
while read -r sign pid; do
  case $sign in
    +) live="$live$pid " ;;
    -) live="\${live%% $pid *} \${live#* $pid }" ;;
  esac
done
add() {
  case $1 in '' | *[!0-9]* | 0 | 1) return ;; esac
  case "$theirs" in *" $1 "*) return ;; esac
  case "$found" in *" $1 "*) ;; *) found="$found$1 " ;; esac
}
holders() {
  ls -l /proc/[0-9]*/fd 2>/dev/null | while read -r line; do
    case $line in
      /proc/*/fd:) pid=\${line#/proc/}; pid=\${pid%/fd:} ;;
      *"${heldName}\${1%:}"*) echo "$pid" ;;
    esac
  done
}
found=$live
round=0
while [ "$round" -lt 20 ]; do
  round=$((round + 1))
  before=$found
  for file in $(grep -lFs -e "${markVariable}=$1" -e " $1" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    add "\${pid%/environ}"
  done
  for pid in $(holders "$1"); do add "$pid"; done
  grew=1
  while [ "$grew" = 1 ]; do
    size=\${#found}
    for file in /proc/[0-9]*/stat; do
      pid=\${file#/proc/}
      pid=\${pid%/stat}
      numbers "$pid" || continue
      case "$found" in
        *" $pid "* | *" $parent "* | *" $group "* | *" $session "*) add "$pid"; add "$group"; add "$session" ;;
      esac
    done
    [ "\${#found}" = "$size" ] && grew=0
  done
  if [ "$round" = 1 ]; then
    for pid in $live; do kill -9 -- "-$pid"; done 2>/dev/null
  fi
  [ "$round" = 1 ] || [ "$found" != "$before" ] || break
  for pid in $found; do kill -9 "$pid"; done 2>/dev/null
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

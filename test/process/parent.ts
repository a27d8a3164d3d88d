// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stands for the daemon in a test that kills it: starts each shell script given as JSON, then lives on.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { spawnGroup } from "../../src/process/spawn.ts";

/** Ends the watchdog and waits until its end has been told to this process. */
async function killWatchdog(): Promise<void> {
  const name = "desktop-assistant-watchdog";
  for (const pid of readdirSync("/proc").filter((word) => /^[0-9]+$/.test(word))) {
    if (!existsSync(`/proc/${pid}/stat`)) continue;
    const parent = /^.*\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
    if (Number(parent) !== process.pid) continue;
    if (!readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(name)) continue;
    process.kill(Number(pid), "SIGKILL");
    // A process stays in /proc until its parent has taken note of its end.
    while (existsSync(`/proc/${pid}`)) await new Promise(setImmediate);
  }
}

const scripts: unknown = JSON.parse(process.argv[2] ?? "[]");
if (!Array.isArray(scripts)) throw new Error("a list of shell scripts is wanted");
for (const script of scripts) {
  if (script === "kill the watchdog") {
    await killWatchdog();
    continue;
  }
  const { child } = await spawnGroup(["sh", "-c", String(script)]);
  child.stdout?.resume();
  child.stderr?.resume();
}
process.stdin.resume();

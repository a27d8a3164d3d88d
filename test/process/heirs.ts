// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A named pipe that tells when the last of several processes has died, without looking at the clock.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCode } from "../../src/errors.ts";

/** Shell words for one process that says "up" on descriptor 3 and then holds it, with its child, for a day. */
export const holder = (tag: string) => `sh -c 'echo up >&3; sleep 86400; :' ${tag}`;

/** Live processes that were started by those words. */
export function countWith(tag: string): number {
  let count = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      if (readFileSync(`/proc/${name}/cmdline`, "latin1").includes(`\0${tag}\0`)) count += 1;
    } catch (fault) {
      // It ended between the two looks.
      if (!["ENOENT", "ESRCH"].includes(systemCode(fault))) throw fault;
    }
  }
  return count;
}

/** Open `path` for writing in the processes; `up(n)` waits for n lines, `ended` for the last writer's end. */
export function heirs() {
  const folder = mkdtempSync(join(tmpdir(), "heirs-"));
  const path = join(folder, "pipe");
  const gate = join(folder, "gate");
  execFileSync("mkfifo", [path, gate]);
  const stream = createReadStream(path, "utf8");
  let seen = "";
  const ended = new Promise<void>((resolve, reject) => {
    stream.on("end", resolve);
    stream.on("error", reject);
  });
  stream.on("data", (text) => {
    seen += text;
  });
  return {
    path,
    /** `read -r go <gate` in a script waits for open(). */
    gate,
    open: () => writeFile(gate, "go\n"),
    /** For `holder` and `countWith`. */
    tag: `holder-${randomBytes(6).toString("hex")}`,
    ended,
    /** What they have written so far. */
    seen: () => seen,
    up: (lines: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (seen.split("\n").length <= lines) return;
          stream.off("data", look);
          resolve();
        };
        stream.on("data", look);
        look();
      }),
    [Symbol.dispose]() {
      stream.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

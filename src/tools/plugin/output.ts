// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a plugin prints, for the daemon's log: short lines, and few of them, whatever it prints.
import { basename } from "node:path";
import type { Readable } from "node:stream";

const longestLine = 200;
const linesAMinute = 20;
const minute = 60_000;

/** Reads streams of the plugin at `path` to their end; both count together. */
export function logOutput(
  streams: readonly Readable[],
  {
    path,
    log,
    now = () => performance.now(),
  }: {
    path: string;
    log: (text: string) => void;
    now?: () => number;
  },
): void {
  const name = basename(path);
  let since = now();
  let told = 0;
  const tell = (line: string) => {
    if (line.trim() === "") return;
    if (now() - since > minute) {
      if (told > linesAMinute) log(`plugin ${name}: ${told - linesAMinute} more lines left out`);
      since = now();
      told = 0;
    }
    told += 1;
    if (told <= linesAMinute) log(`plugin ${name}: ${line.replaceAll(/\p{Cc}/gu, " ")}`);
  };
  for (const stream of streams) {
    let line = "";
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      const [first = "", ...more] = chunk.split("\n");
      line = (line + first.slice(0, longestLine)).slice(0, longestLine);
      for (const next of more) {
        tell(line);
        line = next.slice(0, longestLine);
      }
    });
    stream.on("end", () => tell(line));
  }
}

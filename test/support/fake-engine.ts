// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Puts the fake llama-server where a real one would be, and reads what its starts have logged.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";

const program = join(import.meta.dirname, "fake-llama-server.ts");

/** What a program file named llama-server holds to be the fake one. */
export const fakeScript = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;

/** Makes `folder`/llama-server and resolves with its path. */
export function placeFake(folder: string): string {
  const path = join(folder, "llama-server");
  writeFileSync(path, fakeScript, { mode: 0o755 });
  return path;
}

export type Start = {
  pid: number;
  argv: string[];
  key?: string;
  libraries?: string;
  strange?: string;
};

/** Every start that was logged so far. */
export function startsIn(log: string): Start[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").trim().split("\n");
  return lines.map((line): Start => JSON.parse(line));
}

/** The status of one GET; 0 when nobody answers. */
export function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    get(url, { headers, agent: false }, (answer) => {
      answer.resume();
      answer.once("close", () => resolve(answer.statusCode ?? 0));
    }).on("error", () => resolve(0));
  });
}

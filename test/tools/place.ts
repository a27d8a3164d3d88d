// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tools folder of a test's own, and the tools that are read from it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Notice } from "../../src/message.ts";
import { openTools } from "../../src/tools/open.ts";
import type { ToolResult } from "../../src/tools/tool.ts";
import type { Tools } from "../../src/tools/tools.ts";

/** A command as TOML writes it: JSON's lists of texts are TOML's. */
export const argv = (...command: string[]) => `command = ${JSON.stringify(command)}\n`;

/** A whole file: a description, the command, and what else is given. */
export const tool = (command: readonly string[], rest = "") =>
  `description = "Does it"\n${argv(...command)}${rest === "" ? "" : `${rest}\n`}`;

/** A shell script that gets the values as "$1", "$2" and so on. */
export const shell = (script: string, ...values: string[]) => ["sh", "-c", script, "sh", ...values];

export function place({ missing = false } = {}) {
  const base = mkdtempSync(join(tmpdir(), "da-tools-"));
  const folder = join(base, "tools");
  if (!missing) mkdirSync(folder, { mode: 0o700 });
  const notices: Notice[] = [];
  const opened: Tools[] = [];
  let wake: (() => void) | null = null;
  return {
    base,
    folder,
    notices,
    path: (name: string) => join(folder, name),
    write(name: string, text: string, mode = 0o644): string {
      const path = join(folder, name);
      writeFileSync(path, text);
      chmodSync(path, mode);
      return path;
    },
    /** Reads the folder, as the daemon does at its start. */
    open(env: Record<string, string> = {}): Tools {
      const onNotice = (notice: Notice) => {
        notices.push(notice);
        wake?.();
      };
      const tools = openTools({ folder, env, onNotice });
      opened.push(tools);
      return tools;
    },
    /** The first notice with these words, also one that has come already. */
    async notice(words: string, signal: AbortSignal): Promise<Notice> {
      // The watch in question would not keep this process alive.
      const alive = watch(base);
      try {
        for (;;) {
          const found = notices.find(({ message }) => message.includes(words));
          if (found) return found;
          await new Promise<void>((resolve, reject) => {
            wake = resolve;
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          });
        }
      } finally {
        alive.close();
      }
    },
    /** Messages of the notices so far, without the folder's name; they are forgotten then. */
    told: () => notices.splice(0).map(({ message }) => message.replaceAll(`${folder}/`, "")),
    async [Symbol.asyncDispose]() {
      for (const tools of opened) await tools.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
export type Place = ReturnType<typeof place>;

const { signal: never } = new AbortController();

/** One call with arguments as a model gives them. */
export function call(
  tools: Tools,
  name: string,
  args: Record<string, unknown> = {},
  signal: AbortSignal = never,
): Promise<ToolResult> {
  return tools.call(name, JSON.stringify(args), { signal });
}

/** Writes one tool, calls it, and gives what the model reads. */
export async function run(
  command: readonly string[],
  {
    args = {},
    rest = "",
    env = {},
  }: { args?: Record<string, unknown>; rest?: string; env?: Record<string, string> } = {},
): Promise<ToolResult> {
  await using here = place();
  here.write("it.toml", tool(command, rest));
  const tools = here.open(env);
  const notice = here.notices[0];
  if (notice && tools.list().length === 0) throw new Error(notice.message);
  return await call(tools, "it", args);
}

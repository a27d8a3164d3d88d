// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A program in a real pseudo-terminal (script of util-linux), its output drawn by the terminal in memory.
import { spawn } from "node:child_process";
import { Emulator } from "./emulator.ts";

export type Pty = {
  screen: Emulator;
  /** As if typed. */
  type(text: string): void;
  /** The terminal gets another size, and its program is told. */
  resize(columns: number, rows: number): Promise<void>;
  /** The program's exit status. */
  ended: Promise<number | null>;
  kill(): void;
};

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Starts a program; whoever starts it waits for `ended` or kills it. */
export function openPty(
  argv: readonly string[],
  options: { env: NodeJS.ProcessEnv; columns?: number; rows?: number; cwd?: string },
): Pty {
  const { env, columns = 80, rows = 24, cwd } = options;
  const screen = new Emulator({ columns, rows });
  // The first line is the terminal's name, for the change of its size.
  const command = `stty cols ${columns} rows ${rows}; tty; exec ${argv.map(quote).join(" ")}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const { promise: name, resolve: setName } = Promise.withResolvers<string>();
  let head = "";
  let named = false;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    if (named) {
      screen.write(text);
      return;
    }
    head += text;
    const end = head.indexOf("\n");
    if (end < 0) return;
    named = true;
    setName(head.slice(0, end).trim());
    screen.write(head.slice(end + 1));
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    screen,
    ended,
    type: (text) => child.stdin.write(text),
    async resize(width, height) {
      const tty = await name;
      screen.columns = width;
      screen.rows = height;
      const stty = spawn("stty", ["-F", tty, "cols", String(width), "rows", String(height)]);
      await new Promise((resolve) => stty.once("close", resolve));
    },
    kill: () => child.kill("SIGKILL"),
  };
}

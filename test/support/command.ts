// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs the command line as a person's shell does, and tells what came out of it.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const program = fileURLToPath(new URL("../../bin/desktop-assistant", import.meta.url));

export type Ran = { status: number | null; output: string; errors: string };

/** Starts a command. `input` is what is piped in; without it there is nothing to read. */
export function begin(
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; input?: string; argv?: readonly string[] },
) {
  const { env, input, argv = [program] } = options;
  const [file = program, ...first] = argv;
  const child = spawn(file, [...first, ...args], {
    env,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  const watchers: (() => void)[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    for (const watcher of watchers) watcher();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
    for (const watcher of watchers) watcher();
  });
  child.stdin?.end(input);
  const ended = new Promise<Ran>((resolve) =>
    child.once("close", (status) => resolve({ status, output, errors })),
  );
  const until = async (shown: () => boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => shown() && resolve();
    watchers.push(look);
    look();
    const ran = await Promise.race([promise, ended]);
    if (ran && !shown()) throw new Error(`it ended first: ${JSON.stringify(ran)}`);
  };
  return {
    child,
    ended,
    /** Resolves when the output holds a text. */
    printed: (text: string) => until(() => output.includes(text)),
    /** The same for standard error. */
    complained: (text: string) => until(() => errors.includes(text)),
  };
}

export const run = (...args: Parameters<typeof begin>): Promise<Ran> => begin(...args).ended;

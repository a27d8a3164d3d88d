// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The command line's own words: errors for people, a pipe that closes early, Ctrl-C.

import { errorLines } from "../chat/answer.ts";
import { clean } from "../chat/clean.ts";
import { paint, paintFor } from "../chat/line.ts";
import { describe, ReadableError, systemCode } from "../errors.ts";

/** Exit statuses: 0 fine, 1 a fault, 2 a command that was typed wrong, 130 stopped by Ctrl-C. */
export const interrupted = 130;

/** Tells on standard error what failed and what to do next. */
export function complain(thrown: unknown): void {
  const { message, hint } = describe(thrown);
  const how = paintFor(process.stderr);
  const columns = process.stderr.isTTY ? Math.max(20, (process.stderr.columns ?? 80) - 1) : 1000;
  const lines = errorLines({ message: `desktop-assistant: ${message}`, hint }, columns);
  process.stderr.write(`${lines.map((line) => paint(line, how)).join("\n")}\n`);
  if (!(thrown instanceof ReadableError) && thrown instanceof Error && thrown.stack) {
    process.stderr.write(`${clean(thrown.stack)}\n`);
  }
}

/** A reader such as `head` that has enough closes the pipe: no fault, and nobody is left to tell. */
export function quietPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (fault) => {
      if (systemCode(fault) === "EPIPE") process.exit(0);
      throw fault;
    });
  }
}

/**
 * Aborts at the first Ctrl-C or request to end; a second one ends the program at once. The handlers
 * stay: a command runs once.
 */
export function endSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(interrupted);
    controller.abort();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
  return controller.signal;
}

export function out(text: string): void {
  process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

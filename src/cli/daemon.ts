// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The daemon in the foreground; a starter that waits is told when it serves, or why it cannot.
import { checkSettings, startDaemon } from "../daemon/start.ts";
import { describe } from "../errors.ts";

/** What goes to the starter, which holds the other end of Node's own channel. */
export type Word = { serving: true } | { code: string; message: string; hint: string };

async function tell(word: Word): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The starter may have gone away: then there is nobody to tell, and the daemon serves all the same.
  if (!process.send?.(word, () => resolve())) return;
  await promise;
  process.disconnect?.();
}

/** Throws ReadableError for settings with which the next daemon would not start. */
export const checkBeforeStop = () => checkSettings();

/** Serves until a signal ends the process; what keeps it from serving is told, and ends it with 1. */
export async function runDaemon(): Promise<void> {
  try {
    const { closed } = await startDaemon();
    await tell({ serving: true });
    process.exit(await closed);
  } catch (thrown) {
    await tell(describe(thrown));
    const { complain } = await import("./terminal.ts");
    complain(thrown);
    process.exit(1);
  }
}

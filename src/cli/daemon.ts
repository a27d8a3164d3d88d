// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The daemon in the foreground; a starter that waits is told when it serves, or why it cannot.
import { startDaemon } from "../daemon/start.ts";
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

/** Runs until a signal ends it; resolves with the exit status. */
export async function daemon(): Promise<number> {
  let closed: Promise<number>;
  try {
    ({ closed } = await startDaemon());
  } catch (thrown) {
    await tell(describe(thrown));
    throw thrown;
  }
  await tell({ serving: true });
  return await closed;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Waits of a person and of a watcher: until the daemon asks nothing more, until something shows.
import { setTimeout as pause } from "node:timers/promises";
import type { Passage } from "../pick/proxy.ts";

/** Milliseconds between two looks. */
const look = 5;
/** Nothing here takes longer on any machine that is worth measuring. */
const longest = 600_000;

/** Resolves with what `find` finds, or with null after `within` milliseconds. */
export async function until<T>(find: () => T | null, within: number): Promise<T | null> {
  const end = performance.now() + within;
  for (;;) {
    const found = find();
    if (found !== null) return found;
    if (performance.now() > end) return null;
    await pause(look);
  }
}

/** Resolves when no request runs, and the last one has been over for so many milliseconds. */
export async function untilQuiet(
  { requests }: Pick<Passage, "requests">,
  quiet: number,
): Promise<void> {
  const from = performance.now();
  const still = () => {
    if (requests.some(({ ended }) => ended === null)) return null;
    const last = Math.max(from, ...requests.map(({ ended }) => ended ?? 0));
    return performance.now() - last >= quiet ? true : null;
  };
  if ((await until(still, longest)) === null)
    throw new Error(`the daemon was not quiet within ${longest / 1000} s`);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Waiting for a server that says it is still loading, with growing pauses.
import { ReadableError } from "../errors.ts";

/** Milliseconds. */
const firstPause = 250;
const longestPause = 5000;

/** Resolves after so many milliseconds; rejects with the signal's reason when it aborts first. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
  });
}

/**
 * Repeats an attempt for as long as it rejects with ReadableError "loading" (HTTP 503): each such
 * answer is a sign of life, so only the signal or another fault ends it. `onLoading` is called once.
 */
export async function whileLoading<T>(
  attempt: () => Promise<T>,
  options: { signal: AbortSignal; onLoading?: (() => void) | undefined },
): Promise<T> {
  for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof ReadableError) || thrown.code !== "loading") throw thrown;
      if (wait === firstPause) options.onLoading?.();
      await pause(wait, options.signal);
    }
  }
}

/** The promise's outcome, or the signal's reason if that comes first; the work itself goes on. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    const leave = () => signal.removeEventListener("abort", abort);
    promise.then(resolve, reject).finally(leave);
  });
}

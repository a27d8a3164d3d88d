// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Looks at a llama-server's slots until a broken-off request has really ended there.
import { isAbort, ReadableError } from "../errors.ts";
import type { Address } from "./address.ts";
import { askJson } from "./http.ts";
import { isRecord } from "./json.ts";
import { Lane } from "./lane.ts";
import { pause } from "./patience.ts";
import type { Chosen } from "./served.ts";
import { routed } from "./survey.ts";

/** Milliseconds. A server looks at an abort only between batches, which can take many seconds. */
const longest = 30_000;
const firstPause = 20;
const longestPause = 250;

/**
 * Resolves when no more than `allowed` slots are at work, when the server does not tell (no /slots,
 * a fault), or after 30 s. Rejects with the signal's reason.
 */
export async function untilIdle(options: {
  address: Address;
  /** What routed requests need behind the path: "?model=…&autoload=false", or "". */
  query: string;
  apiKey: string | null;
  allowed: () => number;
  signal: AbortSignal;
}): Promise<void> {
  const { address, query, apiKey, allowed, signal } = options;
  const limit = AbortSignal.timeout(longest);
  const either = AbortSignal.any([signal, limit]);
  const url = `${address.root}/slots${query}`;
  try {
    for (let wait = firstPause; ; wait = Math.min(wait * 1.5, longestPause)) {
      const slots = await askJson({ url, apiKey, signal: either, stall: longest });
      if (!Array.isArray(slots)) return;
      const busy = slots.filter((slot) => isRecord(slot) && slot.is_processing === true).length;
      if (busy <= allowed()) return;
      await pause(wait, either);
    }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (isAbort(thrown, limit) || thrown === limit.reason) return;
    if (thrown instanceof ReadableError) return;
    throw thrown;
  }
}

/** A server's lane; `now` tells the model that is used there when a request has been broken off. */
export function laneFor(chosen: Chosen, now: () => Chosen): Lane {
  const { kind, address, apiKey } = chosen;
  if (kind !== "llama" && kind !== "router") return new Lane();
  return new Lane({
    untilIdle: (allowed, signal) =>
      untilIdle({ address, query: routed(kind, now().model), apiKey, allowed, signal }),
  });
}

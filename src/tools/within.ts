// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Ends work that others had a word in when it takes too long: a pattern or a schema can take for ever.
import { type Context, createContext, Script } from "node:vm";
import { asRecord } from "./schema.ts";

const place = { work: (): unknown => undefined };
/** Made at the first use: it takes a megabyte. */
let context: Context | null = null;
// What is entered through here can be stopped from outside, in the middle of a pattern's search too.
const enter = new Script("work()");

/** Milliseconds of the processor that this thread has used since `begun`. */
function usedSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

/**
 * What `work` returns or throws. After `ms` milliseconds of the processor it is stopped where it is, and
 * this throws. On a busy machine a clock says nothing of the work: what has had less is begun again.
 */
export function within<T>(ms: number, work: () => T): T {
  place.work = work;
  context ??= createContext(place);
  const begun = process.threadCpuUsage();
  try {
    for (let wait = ms; ; wait *= 2) {
      try {
        return enter.runInContext(context, { timeout: wait });
      } catch (thrown) {
        if (asRecord(thrown).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw thrown;
        if (usedSince(begun) >= ms) throw new Error("it takes too long", { cause: thrown });
      }
    }
  } finally {
    place.work = () => undefined;
  }
}

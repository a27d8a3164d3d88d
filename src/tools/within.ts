// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Ends work that others had a word in when it takes too long: a pattern or a schema can take for ever.
import { type Context, createContext, Script } from "node:vm";
import { asRecord } from "./schema.ts";

const place = { work: (): unknown => undefined };
/** Made at the first use: it takes a megabyte. */
let context: Context | null = null;
// What is entered through here can be stopped from outside, in the middle of a pattern's search too.
const enter = new Script("work()");

/** What `work` returns or throws; after `ms` milliseconds it is stopped where it is, and this throws. */
export function within<T>(ms: number, work: () => T): T {
  place.work = work;
  context ??= createContext(place);
  try {
    return enter.runInContext(context, { timeout: ms });
  } catch (thrown) {
    const late = asRecord(thrown).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    throw late ? new Error("it takes too long", { cause: thrown }) : thrown;
  } finally {
    place.work = () => undefined;
  }
}

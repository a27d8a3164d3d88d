// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Ends work that others had a word in when it takes too long: a pattern or a schema can take for ever.
import { createContext, Script } from "node:vm";
import { asRecord } from "./schema.ts";

const place = { work: (): unknown => undefined };
const context = createContext(place);
// What is entered through here can be stopped from outside, in the middle of a pattern's search too.
const enter = new Script("work()");

/** What `work` returns or throws; after `ms` milliseconds it is stopped where it is, and this throws. */
export function within<T>(ms: number, work: () => T): T {
  place.work = work;
  try {
    return enter.runInContext(context, { timeout: ms });
  } catch (thrown) {
    const late = asRecord(thrown).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    throw late ? new Error("it takes too long", { cause: thrown }) : thrown;
  } finally {
    place.work = () => undefined;
  }
}

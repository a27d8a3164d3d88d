// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The arguments of a call that was read out of a text, with their numbers as the model wrote them there.
import { equal } from "./check.ts";
import { isObject, parse, type Value, write } from "./value.ts";

function readValue(text: string): Value | undefined {
  try {
    return parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/**
 * `given` is JSON of arguments that were taken out of `reply` and written anew, which makes 5.0 a 5. A value
 * that is still the same gets its first form back; one that was changed on the way stays as it is.
 */
export function asWritten(given: string, reply: string): string {
  const taken = readValue(given);
  const call = readValue(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));
  const { arguments: args, parameters } = isObject(call) ? call : {};
  const first = args ?? parameters;
  if (!isObject(taken) || !isObject(first)) return given;
  for (const [name, value] of Object.entries(taken)) {
    const before = Object.hasOwn(first, name) ? first[name] : undefined;
    if (before !== undefined && equal(before, value)) taken[name] = before;
  }
  return write(taken);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a plugin's tool says of itself, as plain data for the daemon, which judges it.
import { inspect } from "node:util";

export type Made = Record<string, unknown>;

export const isMade = (value: unknown): value is Made =>
  typeof value === "object" && value !== null;

/** An error's words without its stack; a plugin may throw anything. */
export function reason(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === "string" ? thrown : inspect(thrown, { depth: 1, breakLength: Infinity });
}

const plain = [
  "name",
  "configKey",
  "description",
  "parameters",
  "effect",
  "confirm",
  "untrusted",
  "personal",
  "announce",
  "timeout",
];

/** Its own names and those of its class: a mistyped one is found by them. */
function namesOf(made: object): string[] {
  const names = new Set<string>();
  for (
    let at: unknown = made;
    isMade(at) && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  )
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
}

/** Never throws: one bad tool of a list must not hide the others. */
export function factsOf(made: unknown): unknown {
  if (typeof made === "function")
    return { fault: `it is a function or a class; export a tool, such as new ${made.name}()` };
  if (!isMade(made)) return { fault: "it is no tool, but must be an object" };
  try {
    const facts = Object.fromEntries(plain.map((key) => [key, made[key]]));
    const has = (method: string) => typeof made[method] === "function";
    return {
      ...JSON.parse(JSON.stringify(facts)),
      names: namesOf(made),
      calls: has("call"),
      binds: has("bindContext"),
      closes: has("close"),
    };
  } catch (thrown) {
    return { fault: `it cannot be read: ${reason(thrown)}` };
  }
}

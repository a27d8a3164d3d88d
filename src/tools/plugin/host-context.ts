// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The context of a tool inside its plugin's process: plain data, and three things to ask the daemon for.
import type { ToolContext } from "../context.ts";
import type { Asked, PlainContext } from "./message.ts";

/** Asks the daemon; rejects with the signal's reason at once when that aborts. */
export type Ask = (what: keyof Asked, args: unknown[], signal?: AbortSignal) => Promise<unknown>;

/** What the daemon answers is its own, so it has the shape that was asked for. */
type Answers = <K extends keyof Asked>(
  what: K,
  args: unknown[],
  signal?: AbortSignal,
) => Promise<Asked[K]>;

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

export function contextOf(plain: PlainContext, ask: Ask): ToolContext {
  const answers: Answers = async (what, args, signal) => {
    const value: unknown = await ask(what, args, signal);
    return isAnswer(what, value) ? value : Promise.reject(new Error(`no answer for ${what}`));
  };
  return frozen({
    ...plain,
    model: (prompt, { signal, ...options }) => answers("model", [prompt, options], signal),
    history: { search: (words, options = {}) => answers("search", [words, options]) },
    monitor: () => answers("monitor", []),
  });
}

function isAnswer<K extends keyof Asked>(what: K, value: unknown): value is Asked[K] {
  return what === "model" ? typeof value === "string" : typeof value === "object";
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What all tools are handed of the program: made once, of the rooms that are open.
import { freemem, loadavg } from "node:os";
import type { Config } from "../config/config.ts";
import type { History } from "../history/turns.ts";
import type { Served } from "../model/model.ts";
import type { SharedContext } from "../tools/context.ts";
import type { Daemon } from "./daemon.ts";

/** Tokens of a small completion, unless a tool wants otherwise. */
const usualTokens = 256;

type Options = {
  daemon: Pick<Daemon, "sessions">;
  ready: (signal: AbortSignal) => Promise<Served>;
  history: Pick<History, "search" | "load">;
  archivePath: string;
  config: Pick<Config, "env" | "plugins" | "person" | "assistantName">;
};

export function sharedContext({
  daemon,
  ready,
  history,
  archivePath,
  config,
}: Options): SharedContext {
  return Object.freeze({
    env: frozen(config.env),
    pluginsConfig: frozen(config.plugins),
    model: async (prompt, { signal, system, maxTokens = usualTokens, schema }) => {
      const served = await ready(signal);
      const first = system === undefined ? [] : [{ role: "system", content: system }];
      const messages = [...first, { role: "user", content: prompt }];
      const reply = await served.complete(
        {
          messages: messages.map((message) => JSON.stringify(message).toWellFormed()),
          think: false,
          maxTokens,
          ...(schema && { schema: { ...schema } }),
        },
        { kind: "tool", signal, emit: () => undefined },
      );
      return reply.text;
    },
    history: Object.freeze({
      async search(words: string, { limit }: { limit?: number } = {}) {
        const { items } = await history.search(words);
        return items.slice(0, limit).map(({ id, title, snippet }) => {
          const last = history.load(id, { limit: 1 })?.turns.at(-1);
          return { id, title, snippet, at: last?.at ?? 0 };
        });
      },
    }),
    archivePath,
    person: frozen(config.person),
    assistantName: config.assistantName,
    monitor: async () => ({
      memory: { rss: process.memoryUsage.rss(), free: freemem() },
      load: loadavg(),
      queue: [...daemon.sessions.values()].reduce((sum, { queue }) => sum + queue.length, 0),
    }),
    extras: Object.freeze({}),
  });
}

/** A copy that nobody can change: what one tool is handed, all others are too. */
function frozen<T extends object>(value: T): Readonly<T> {
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// MCP servers opened as the daemon opens them, with what they tell and a wait for whatever may come.
import { join } from "node:path";
import type { Notice } from "../../../src/message.ts";
import type { Limits, ServerConfig } from "../../../src/tools/mcp/config.ts";
import { McpServers } from "../../../src/tools/mcp/servers.ts";
import type { ToolResult } from "../../../src/tools/tool.ts";
import { Tools } from "../../../src/tools/tools.ts";
import type { Script } from "./server.ts";

const { signal: never } = new AbortController();

/** The command line of a server that does as it is told. */
export const scripted = (script: Script = {}): string[] => [
  process.execPath,
  join(import.meta.dirname, "server.ts"),
  JSON.stringify(script),
];

export type Given = Partial<ServerConfig> & { script?: Script };

/** A whole table of a server; a script stands for its command. */
export function config({ script, ...given }: Given): ServerConfig {
  const command = given.command ?? (given.url ? null : scripted(script));
  const usual = { url: null, env: {}, tools: null, read: [], timeout: 30, enabled: true };
  return { ...usual, ...given, command };
}

/** Something to remember in, which tells how often it was written. */
export function memory(value: unknown = undefined) {
  const kept = { value, writes: 0 };
  return Object.assign(kept, {
    get: () => kept.value,
    set: (next: unknown) => {
      kept.value = JSON.parse(JSON.stringify(next));
      kept.writes += 1;
    },
  });
}

export function open(
  given: Record<string, Given>,
  options: { limits?: Partial<Limits>; remembered?: ReturnType<typeof memory> } = {},
) {
  const { limits = {}, remembered = memory() } = options;
  const logged: string[] = [];
  const notices: Notice[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  let tools: Tools | null = null;
  const onNotice = (notice: Notice) => {
    notices.push(notice);
    wake();
  };
  const entries = Object.entries(given).map(([name, one]) => [name, config(one)] as const);
  const servers = new McpServers({
    servers: Object.fromEntries(entries),
    remembered,
    limits,
    log: (line) => {
      logged.push(line);
      wake();
    },
    onNotice,
    onChange: () => {
      tools?.scan();
      wake();
    },
  });
  tools = new Tools([servers], { servers, onNotice });
  const all = tools;
  /** Resolves when it holds, looked at after each change, log line and notice. */
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const item = (server: string) => {
    const found = all.servers().find((one) => one.server === server);
    if (!found) throw new Error(`no server ${server}`);
    return found;
  };
  const state = (server: string) => item(server).state;
  return {
    tools: all,
    servers,
    logged,
    notices,
    remembered,
    until,
    item,
    state,
    /** Until all of them are ready. */
    ready: () => until(() => all.servers().every((one) => one.state === "ready")),
    known: (name: string) => {
      const found = all.items().find((one) => one.name === name);
      if (!found) throw new Error(`no tool ${name}: ${all.items().map((one) => one.name)}`);
      return found;
    },
    call: (name: string, args: Record<string, unknown> = {}, signal = never): Promise<ToolResult> =>
      all.call(name, args, { signal }),
    [Symbol.asyncDispose]: () => all.close(),
  };
}

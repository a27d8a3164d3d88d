// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Where tools come from: what is built in, the tools folder, the MCP servers.
import type { ServerItem } from "../message.ts";
import type { Tool } from "./tool.ts";

/** A tool, or what was to become one, as a person is told of it. */
export type Known = {
  name: string;
  description: string;
  source: "built-in" | "file" | "plugin" | "mcp";
  /** The file's path, the server's name in config.toml, or "" when built in. */
  from: string;
  /**
   * "ready": it may be called; "starting": its server or plugin is not there yet; "changed": off until
   * it is accepted; "broken": it stayed out, or its server is gone; "off": the person left it out.
   */
  state: "ready" | "starting" | "changed" | "broken" | "off";
  /** Why it is not ready, or "". */
  error: string;
  /** What to do about it, or "". */
  hint: string;
  /** Null when nothing can be called; the same object as long as it is the same tool. */
  tool: Tool | null;
};

export interface Source {
  /** In the order in which a prompt lists them, the same at every start; those that stayed out too. */
  known(): readonly Known[];
  /** Looks at everything anew, bounded in time: files read, plugins loaded, servers asked. */
  check(signal: AbortSignal): Promise<void>;
  /** Resolves when nothing is loading any more that a first question should wait for. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What is special about the source of MCP tools. */
export interface Servers extends Source {
  items(): ServerItem[];
  /** Takes a changed tool as it is now, or all of a server; false when nothing of that name waits. */
  accept(name: string): boolean;
}

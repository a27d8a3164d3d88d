// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Where tools come from: what is built in, the tools folder, the MCP servers.
import type { Notice, ToolItem } from "../message.ts";
import type { Tool } from "./tool.ts";

/** A tool, or what was to become one, as its source knows it. */
export type Known = Pick<
  ToolItem,
  "name" | "description" | "source" | "from" | "state" | "error" | "hint"
> & {
  remarks?: ToolItem["remarks"];
  /** Why it could not run as things are; a look at the disk, so only for a person who asks. */
  unable?: () => Notice | null;
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

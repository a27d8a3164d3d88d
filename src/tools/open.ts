// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Builds the sources of tools and joins them: what is built in, the tools folder, the MCP servers.
import type { Notice } from "../message.ts";
import type { PluginTables } from "./built-in/settings.ts";
import { BuiltIn } from "./built-in/source.ts";
import { toolEnvironment } from "./environment.ts";
import { ToolsFolder } from "./folder.ts";
import { McpServers } from "./mcp/servers.ts";
import { Tools } from "./tools.ts";

/** Reads the folder before it returns. Whoever opens closes. */
export function openTools({
  folder,
  env,
  plugins,
  mcp,
  log,
  onNotice,
}: {
  folder: string;
  /** The [env] table. */
  env: Record<string, string>;
  /** The [plugins.*] tables, of which the built-in tools have theirs; absent: no such tools. */
  plugins?: PluginTables;
  /** The [mcp.*] tables, and what is remembered of those servers' tools; absent: no servers. */
  mcp?: Omit<ConstructorParameters<typeof McpServers>[0], "onNotice" | "onChange">;
  /** Of what plugins print. */
  log?: (text: string) => void;
  onNotice: (notice: Notice) => void;
}): Tools {
  let tools: Tools | null = null;
  const onChange = () => tools?.scan();
  const files = new ToolsFolder({
    folder,
    env: toolEnvironment(env),
    ...(log && { log }),
    onNotice,
    onChange,
  });
  const builtIn = plugins ? [new BuiltIn({ plugins, onNotice })] : [];
  const servers = mcp ? new McpServers({ ...mcp, onNotice, onChange }) : null;
  const sources = [...builtIn, files, ...(servers ? [servers] : [])];
  tools = new Tools(sources, { servers, onNotice });
  return tools;
}

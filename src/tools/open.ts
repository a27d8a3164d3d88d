// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Builds the sources of tools and joins them: what is built in, the tools folder, the MCP servers.
import type { Notice } from "../message.ts";
import type { PluginTables } from "./built-in/settings.ts";
import { BuiltIn } from "./built-in/source.ts";
import { toolEnvironment } from "./environment.ts";
import { ToolsFolder } from "./folder.ts";
import type { McpServers } from "./mcp/servers.ts";
import { Tools } from "./tools.ts";

type Told = "onNotice" | "onChange";
type ServerOptions = ConstructorParameters<typeof McpServers>[0];
export type OpenServers = (told: Pick<ServerOptions, Told>) => McpServers;

/**
 * How to start the servers of the [mcp.*] tables; `remembered` is what is known of their tools. Null
 * when there is none, and then nothing of it is loaded: that is 3 MB of every daemon's memory.
 */
export async function mcpServers(options: Omit<ServerOptions, Told>): Promise<OpenServers | null> {
  if (Object.keys(options.servers).length === 0) return null;
  const { McpServers } = await import("./mcp/servers.ts");
  return (told) => new McpServers({ ...options, ...told });
}

/** Reads the folder before it returns. Whoever opens closes. */
export function openTools({
  folder,
  env,
  plugins,
  servers: openServers,
  log,
  onNotice,
}: {
  folder: string;
  /** The [env] table. */
  env: Record<string, string>;
  /** The [plugins.*] tables, of which the built-in tools have theirs; absent: no such tools. */
  plugins?: PluginTables;
  /** Starts the MCP servers, see `mcpServers`; absent or null: there are none. */
  servers?: OpenServers | null;
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
  const servers = openServers?.({ onNotice, onChange }) ?? null;
  const sources = [...builtIn, files, ...(servers ? [servers] : [])];
  tools = new Tools(sources, { servers, ...(plugins && { plugins }), onNotice });
  return tools;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A server's tool as the registry knows tools.
import type { Effect, Tool } from "../tool.ts";
import type { ServerConfig } from "./config.ts";
import type { Seen } from "./remembered.ts";
import type { McpServer } from "./server.ts";

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * What the server says of its tools counts for nothing here: only the person's word makes one a
 * reading one, and a call to another machine carries words there even so.
 */
function effectOf({ read, url }: ServerConfig, name: string): Effect {
  if (!read.includes(name)) return "change";
  return url === null || loopback.test(new URL(url).hostname) ? "read" : "send";
}

export function mcpTool(options: {
  /** For the model. */
  name: string;
  /** Of the server, in config.toml. */
  configKey: string;
  seen: Seen;
  config: ServerConfig;
  server: McpServer;
  /** Whether the server's tool is the one that was seen, which its first list may deny. */
  stands: () => boolean;
}): Tool {
  const { name, configKey, seen, config, server, stands } = options;
  return {
    name,
    configKey,
    description: seen.description,
    parameters: seen.parameters,
    effect: effectOf(config, seen.name),
    untrusted: true,
    call: (args, { signal }) => server.call({ name, tool: seen.name, stands }, args, signal),
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Builds the sources of tools and joins them: what is built in, the tools folder, the MCP servers.
import type { Notice } from "../message.ts";
import { toolEnvironment } from "./environment.ts";
import { ToolsFolder } from "./folder.ts";
import { Tools } from "./tools.ts";

/** Reads the folder before it returns. Whoever opens closes. */
export function openTools({
  folder,
  env,
  onNotice,
}: {
  folder: string;
  /** The [env] table. */
  env: Record<string, string>;
  onNotice: (notice: Notice) => void;
}): Tools {
  let tools: Tools | null = null;
  const onChange = () => tools?.scan();
  const files = new ToolsFolder({ folder, env: toolEnvironment(env), onNotice, onChange });
  tools = new Tools([files], { onNotice });
  return tools;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A daemon with a scripted model, and one call that ends both.
import { makeHome, startDaemon } from "./daemon.ts";
import { type ModelServerOptions, startModelServer } from "./model-server.ts";

/** For a config.toml: the tools that are there without a file are left out, so that a test counts its own. */
export const withoutBuiltIn = ["history_search", "notes", "note"]
  .map((name) => `[plugins.${name}]\nenabled = false\n`)
  .join("");

/** `config` is added to a config.toml that names the scripted model; `tools` are files by name. */
export async function start({
  config = "",
  tools = {},
  ...options
}: ModelServerOptions & { config?: string; tools?: Record<string, string> } = {}) {
  const model = await startModelServer(options);
  const home = makeHome();
  home.config(`llm = "${model.url}"\n${config}`);
  for (const [name, text] of Object.entries(tools)) home.tool(name, text);
  const daemon = await startDaemon(home);
  const end = async () => {
    await daemon.stop();
    await model.close();
    home.remove();
  };
  return { model, home, daemon, end };
}

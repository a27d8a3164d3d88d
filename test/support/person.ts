// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Somebody at the command line: own folders, a scripted model, commands; the daemon is stopped at the end.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { begin, run } from "./command.ts";
import { makeHome } from "./daemon.ts";
import { type Script, startModelServer } from "./model-server.ts";

/** `config` is added to a config.toml that names the scripted model server; `tools` are files by name. */
export async function startPerson(
  options: { script?: Script; config?: string; tools?: Record<string, string> } = {},
) {
  const { script, config = "", tools = {} } = options;
  const model = await startModelServer(script ? { script } : {});
  const home = makeHome();
  home.config(`llm = "${model.url}"\nwarm = false\ntitles = false\n${config}`);
  for (const [name, text] of Object.entries(tools)) home.tool(name, text);
  const { env } = home;
  const runtime = join(home.folder, "run", "desktop-assistant");
  return {
    home,
    env,
    model,
    log: `${runtime}.log`,
    pidFile: `${runtime}.pid`,
    pid: () => Number(readFileSync(`${runtime}.pid`, "utf8")),
    run: (args: string[], input?: string) =>
      run(args, { env, ...(input === undefined ? {} : { input }) }),
    begin: (args: string[]) => begin(args, { env }),
    async [Symbol.asyncDispose]() {
      await run(["stop"], { env });
      await model.close();
      home.remove();
    },
  };
}

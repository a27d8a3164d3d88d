// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Example tools in a folder as `tools add` makes it, asked as a model would ask them.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Notice } from "../../src/message.ts";
import { openTools } from "../../src/tools/open.ts";

const examples = new URL("../../examples/tools/", import.meta.url).pathname;
const { signal } = new AbortController();

/** `env` is what stands in [env] of config.toml. */
export function shipped(name: string, options: { env?: Record<string, string> } = {}) {
  const home = mkdtempSync(join(tmpdir(), "examples-"));
  const folder = join(home, "tools");
  mkdirSync(folder, { mode: 0o700 });
  for (const file of readdirSync(examples).filter((one) => one.startsWith(`${name}.`))) {
    copyFileSync(join(examples, file), join(folder, file));
    // A clone made with a generous umask is not what is tested here.
    chmodSync(join(folder, file), file.endsWith(".sh") ? 0o755 : 0o644);
  }
  const notices: Notice[] = [];
  const env = { HOME: home, XDG_CACHE_HOME: "", XDG_DATA_HOME: "", ...options.env };
  const tools = openTools({ folder, env, onNotice: (notice) => void notices.push(notice) });
  return {
    home,
    tools,
    notices,
    /** What the model would read. */
    read: async (args: Record<string, unknown> = {}) =>
      (await tools.call(name, JSON.stringify(args), { signal })).text,
    async [Symbol.asyncDispose]() {
      await tools.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The built-in tools in a folder of a test's own, with a history that the test writes.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Notice } from "../../../src/message.ts";
import { BuiltIn } from "../../../src/tools/built-in/source.ts";
import type { FoundConversation, SharedContext } from "../../../src/tools/context.ts";
import { Tools } from "../../../src/tools/tools.ts";

const { signal } = new AbortController();

type Table = Record<string, Record<string, unknown>>;

/** `search` is the stored history's; `plugins` are the tables of config.toml. */
export function builtIn(
  t: TestContext,
  {
    plugins = {},
    search = async () => [],
  }: { plugins?: Table; search?: (words: string) => Promise<FoundConversation[]> } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "da-built-in-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const archivePath = join(folder, "data", "notes.md");
  const noticed: Notice[] = [];
  const onNotice = (notice: Notice) => void noticed.push(notice);
  const tools = new Tools([new BuiltIn({ plugins, onNotice })], { onNotice });
  const context: SharedContext = {
    pluginsConfig: plugins,
    env: {},
    model: async () => "",
    history: { search },
    archivePath,
    person: { name: null, address: null },
    assistantName: null,
    monitor: async () => ({ memory: { rss: 0, free: 0 }, load: [], queue: 0 }),
    extras: {},
  };
  tools.bindContext(context);
  return {
    tools,
    folder,
    archivePath,
    noticed,
    file: () => (existsSync(archivePath) ? readFileSync(archivePath, "utf8") : null),
    call: (name: string, args: Record<string, unknown> = {}) => tools.call(name, args, { signal }),
  };
}

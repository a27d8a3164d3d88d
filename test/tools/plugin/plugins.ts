// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tools folder with plugins, loaded as the daemon loads them.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Notice } from "../../../src/message.ts";
import { toolEnvironment } from "../../../src/tools/environment.ts";
import { ToolsFolder } from "../../../src/tools/folder.ts";
import type { ToolResult } from "../../../src/tools/tool.ts";
import { Tools } from "../../../src/tools/tools.ts";

/** One tool as a plugin writes it; `body` is what its call does. */
export const tool = (name: string, body: string, rest = "") =>
  `{ name: "${name}", description: "Does ${name}", parameters: { x: { type: "string" } }, ${rest}
    async call(args, { signal }) { ${body} } }`;

/** A plugin of one tool, or of several. */
export const plugin = (...tools: string[]) =>
  `${top}export default ${tools.length === 1 ? tools[0] : `[${tools.join(", ")}]`};\n`;

/** What the tools of these tests need, in one line, so that lines can be counted. */
const top = [
  'import { spawn, execFileSync } from "node:child_process";',
  'import { openSync, readFileSync, writeFileSync, appendFileSync } from "node:fs";',
  'import { readFile } from "node:fs/promises"; let count = 0;',
].join(" ");

const { signal: never } = new AbortController();

/** Nothing is late in these tests but where they say so. */
export async function opened(
  files: Record<string, string> = {},
  { loadMs = 100_000, env = {} }: { loadMs?: number; env?: Record<string, string> } = {},
) {
  const base = mkdtempSync(join(tmpdir(), "da-plugins-"));
  const folder = join(base, "tools");
  mkdirSync(folder, { mode: 0o700 });
  const write = (name: string, text: string, mode = 0o600) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const notices: Notice[] = [];
  const logged: string[] = [];
  const onNotice = (notice: Notice) => notices.push(notice);
  const source = new ToolsFolder({
    folder,
    env: toolEnvironment(env),
    loadMs,
    onNotice,
    onChange: () => undefined,
    log: (text) => logged.push(text),
  });
  const tools = new Tools([source], { onNotice });
  await source.settled();
  tools.scan();
  return {
    base,
    folder,
    source,
    tools,
    notices,
    logged,
    write,
    /** Takes in what has changed. */
    async settled() {
      tools.scan();
      await source.settled();
      tools.scan();
    },
    names: () => tools.list().map(({ name }) => name),
    /** Messages of the notices so far, without the folder's name; they are forgotten then. */
    told: () => notices.splice(0).map(({ message }) => message.replaceAll(`${folder}/`, "")),
    call: (name: string, args: Record<string, unknown> = {}, signal = never): Promise<ToolResult> =>
      tools.call(name, args, { signal }),
    async [Symbol.asyncDispose]() {
      await tools.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

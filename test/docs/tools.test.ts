// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs the tool that docs/tools.md shows, and loads its settings.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadConfig } from "../../src/config/load.ts";
import { openTools } from "../../src/tools/open.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/tools.md"), "utf8");
const blocks = [...page.matchAll(/^```toml\n(.*?)^```$/gms)].map(([, text = ""]) => text);
const block = (words: string) => blocks.find((text) => text.includes(words)) ?? "";

function folder(t: { after(end: () => void): void }): string {
  const made = mkdtempSync(join(tmpdir(), "docs-"));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

test("the tool on the page loads without a notice and tells how full the disk is", async (t) => {
  const place = folder(t);
  writeFileSync(join(place, "disk.toml"), block("{folder}"), { mode: 0o600 });
  const onNotice = ({ message }: { message: string }) => assert.fail(message);
  const tools = openTools({ folder: place, env: {}, onNotice });
  t.after(() => tools.close());
  const { signal } = new AbortController();
  const { ok, text } = await tools.call("disk", { folder: "/tmp" }, { signal });
  assert.equal(ok, true, text);
  assert.match(text, /%/);
});

test("the settings on the page load as config.toml", async (t) => {
  const file = join(folder(t), "config.toml");
  writeFileSync(file, `${block("[plugins.note]")}\n${block("[mcp.")}`);
  const { plugins, mcp } = await loadConfig(file);
  assert.equal(plugins.history_search?.enabled, false);
  assert.equal(plugins.note?.confirm, "never");
  assert.deepEqual(Object.keys(mcp), ["files"]);
  assert.deepEqual(mcp.files?.read, ["read_text_file", "list_directory"]);
});

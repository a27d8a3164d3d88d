// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs the tool that docs/tools.md shows.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTools } from "../../src/tools/open.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/tools.md"), "utf8");

test("the tool on the page loads without a notice and tells how full the disk is", async (t) => {
  const [, toml = ""] = /^```toml\n(.*?)^```$/ms.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "docs-"));
  writeFileSync(join(folder, "disk.toml"), toml, { mode: 0o600 });
  const onNotice = ({ message }: { message: string }) => assert.fail(message);
  const tools = openTools({ folder, env: {}, onNotice });
  t.after(async () => {
    await tools.close();
    rmSync(folder, { recursive: true });
  });
  const { signal } = new AbortController();
  const { ok, text } = await tools.call("disk", "{}", { signal });
  assert.equal(ok, true, text);
  assert.match(text, /%/);
});

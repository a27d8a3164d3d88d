// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs the plugin that docs/plugins.md shows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { opened } from "../tools/plugin/plugins.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/plugins.md"), "utf8");
const [, plugin = ""] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
const [, given = ""] = /tools run days_until '(.*)'$/m.exec(page) ?? [];

test("the plugin on the page loads without a notice and counts the days", async () => {
  await using here = await opened({ "days_until.ts": plugin });
  assert.deepEqual(here.told(), []);
  const { date, occasion } = JSON.parse(given);
  const { ok, text, card } = await here.call("days_until", { date, occasion });
  assert.equal(ok, true, text);
  // It is past at some time.
  assert.match(text, /^(\d+ days until the exam|the exam was \d+ days ago)$/);
  assert.deepEqual(card, { kind: "list", title: date, items: [text] });
  const far = await here.call("days_until", { date: "2000-01-01" });
  assert.match(far.text, /^2000-01-01 was \d{4,} days ago$/);
  assert.equal((await here.call("days_until", { date: "soon" })).text.slice(0, 12), "error: date:");
  assert.equal((await here.call("days_until")).text, "error: date is missing");
});

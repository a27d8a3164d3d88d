// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs the plugin that docs/contract.md shows, and holds its tables to the contract itself.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseToml } from "../../src/toml/parse.ts";
import { contextFor, type SharedContext } from "../../src/tools/context.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { resultOf } from "../../src/tools/result.ts";
import { opened } from "../tools/plugin/plugins.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/contract.md"), "utf8");
const block = (language: string) =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";

const settings = Object(parseToml(block("toml"), "config.toml").value.plugins);

const context: SharedContext = {
  pluginsConfig: settings,
  env: {},
  model: async (prompt, { system }) => `${system} ${prompt}`,
  history: {
    search: async (words, { limit = 0 } = {}) =>
      words === "bees" ? [{ id: 1, title: "Honey", snippet: `${limit} hives`, at: 0 }] : [],
  },
  archivePath: "",
  person: { name: null, address: null },
  assistantName: null,
  monitor: async () => ({ memory: { rss: 0, free: 0 }, load: [], queue: 0 }),
  extras: {},
};

test("the plugin on the page searches with its setting, asks the model, and gives a card", async () => {
  await using here = await opened({ "where_were_we.ts": block("ts") });
  assert.deepEqual(here.told(), []);
  here.tools.bindContext(context);
  const { ok, text, card, meta } = await here.call("where_were_we", { subject: "bees" });
  assert.equal(ok, true, text);
  assert.equal(text, "In two sentences: what was said about bees? Honey: 3 hives");
  assert.deepEqual(card, { kind: "list", title: "bees", items: ["Honey"] });
  assert.deepEqual(meta, { hits: 1 });
  const none = await here.call("where_were_we", { subject: "wasps" });
  assert.equal(none.text, "nothing was said about wasps");
  assert.equal((await here.call("where_were_we")).text, "error: subject is missing");
});

test("the page names every part of a result, of the context, and of the registry", () => {
  const methods = Object.getOwnPropertyNames(ToolRegistry.prototype).slice(1);
  const parts = [
    ...Object.keys(resultOf({ ok: true }, 0)),
    ...Object.keys(contextFor(context, "a")),
  ];
  const missing = [...methods, ...parts].filter((name) => !new RegExp(`\`${name}\\b`).test(page));
  assert.deepEqual(missing, []);
});

test("the page names every part of a tool that its source has", () => {
  const source = readFileSync(join(import.meta.dirname, "../../src/tools/tool.ts"), "utf8");
  const [, body = ""] = /^export interface Tool \{\n(.*?)^\}$/ms.exec(source) ?? [];
  const parts = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, name]) => name);
  assert.ok(parts.length > 12);
  assert.deepEqual(
    parts.filter((name) => !new RegExp(`\`${name}\\b`).test(page)),
    [],
  );
});

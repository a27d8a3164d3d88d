// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// examples/config.toml is held true: every key, its default, its meaning.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { engine, type Key, person, server, tables, top } from "../../src/config/keys.ts";
import { parseToml } from "../../src/toml/parse.ts";
import { load } from "./folder.ts";

const path = join(import.meta.dirname, "../../examples/config.toml");
const example = readFileSync(path, "utf8");
/** "#key" is a setting that is switched off, "# Word" is for reading. */
const switchedOn = example.replace(/^#(?! )/gm, "");
const { value } = parseToml(switchedOn, path);

/** As JSON, which knows no prototypes. */
const plain = (given: unknown): unknown => JSON.parse(JSON.stringify(given));

const groups: [header: string, keys: Record<string, Key<unknown>>, found: unknown][] = [
  ["the top", top, value],
  ["[person]", person, value.person],
  ["[engine]", engine, value.engine],
  ["[mcp.NAME]", server, { ...Object(value.mcp).files, ...Object(value.mcp).notes }],
];

for (const [header, keys, found] of groups) {
  for (const { name, sample, meaning } of Object.values(keys)) {
    test(`the example shows ${name} of ${header} with its value and meaning`, () => {
      assert.deepEqual(plain(Object(found)[name]), sample);
      assert.ok(example.includes(`\n# ${meaning}\n#${name} = `), meaning);
    });
  }
}

test("the example explains every table", () => {
  for (const [name, { meaning }] of Object.entries(tables)) {
    assert.ok(example.includes(`\n# ${meaning}\n#[${name}`), meaning);
  }
});

test("the example as it is gives the defaults", async () => {
  assert.deepEqual(await load(example), await load(""));
});

test("the example with everything switched on loads, and what has a default keeps it", async () => {
  const config = await load(switchedOn);
  for (const [property, { fallback }] of Object.entries<Key<unknown>>(top)) {
    const given = Object(config)[property];
    if (fallback === null) assert.notEqual(given, null, property);
    else assert.equal(given, fallback, property);
  }
});

test("every line of the example is a setting, a table, a comment or empty", () => {
  const outside = example.replace(/"""[\s\S]*?"""/g, '""').split("\n");
  const odd = outside.filter((line) => !/^(|# .*|#[\w]+ = .*|#\[[\w.]+\])$/.test(line));
  assert.deepEqual(odd, []);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What config.toml says of the built-in tools, and what is told when it cannot be understood.
import assert from "node:assert/strict";
import { test } from "node:test";
import { builtIn } from "./place.ts";

test("there are three, none of which needs a file, and only one changes something", (t) => {
  const { tools, noticed } = builtIn(t);
  assert.deepEqual(
    tools
      .items()
      .map(({ name, source, state, effect, confirm, untrusted, personal }) => [
        name,
        source,
        state,
        effect,
        confirm,
        untrusted,
        personal,
      ]),
    [
      ["history_search", "built-in", "ready", "read", "auto", true, true],
      ["notes", "built-in", "ready", "read", "auto", true, true],
      ["note", "built-in", "ready", "change", "auto", false, false],
    ],
  );
  assert.deepEqual(noticed, []);
});

test("enabled = false leaves one out, and the list says how to have it again", (t) => {
  const { tools, noticed } = builtIn(t, {
    plugins: { notes: { enabled: false }, note: { enabled: true } },
  });
  assert.deepEqual(
    tools.list().map(({ name }) => name),
    ["history_search", "note"],
  );
  const item = tools.items().find(({ name }) => name === "notes");
  assert.deepEqual(
    [item?.state, item?.error, item?.hint],
    ["off", "it is left out by config.toml", "Below [plugins.notes] write: enabled = true"],
  );
  assert.deepEqual(noticed, []);
});

test("confirm is taken from the person's file", (t) => {
  const { tools } = builtIn(t, {
    plugins: { note: { confirm: "never" }, notes: { confirm: "always" } },
  });
  assert.deepEqual([tools.get("note")?.confirm, tools.get("notes")?.confirm], ["never", "always"]);
});

const faults: [key: string, value: unknown, shown: string][] = [
  ["enabled", "no", 'plugins.note.enabled must be true or false, and is "no"'],
  ["enabled", 0, "plugins.note.enabled must be true or false, and is 0"],
  ["confirm", "nevr", 'plugins.note.confirm must be "auto", "always" or "never", and is "nevr"'],
  ["confirm", false, 'plugins.note.confirm must be "auto", "always" or "never", and is false'],
  ["confrim", "never", "plugins.note.confrim is no known key and counts for nothing"],
];
for (const [key, value, shown] of faults) {
  test(`${key} = ${JSON.stringify(value)} is told, and the tool is no freer for it`, (t) => {
    const { tools, noticed } = builtIn(t, { plugins: { note: { [key]: value } } });
    assert.deepEqual(
      noticed.map(({ message }) => message),
      [`config.toml: ${shown}`],
    );
    const note = tools.get("note");
    if (key === "enabled") assert.equal(note, undefined);
    else assert.equal(note?.confirm, key === "confirm" ? "always" : "auto");
  });
}

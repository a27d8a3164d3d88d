// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Keys that make a TOML tool safe: misspelt, misplaced or of the earlier contract, they keep it out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadableError } from "../../src/errors.ts";
import { tomlTool } from "../../src/tools/toml-tool.ts";
import { argv } from "./place.ts";

const needed = `description = "d"\n${argv("echo", "{x}")}`;

/** Message and hint of the fault that keeps a file out. */
function fault(text: string): [message: string, hint: string] {
  try {
    tomlTool("/t/it.toml", text, {});
  } catch (thrown) {
    if (!(thrown instanceof ReadableError)) throw thrown;
    return [thrown.message.replace("/t/it.toml:", ""), thrown.hint];
  }
  throw new Error("the file was taken");
}

test("an unknown key that is nearly a guard keeps the file out", () => {
  const near = [
    ["efect", "effect"],
    ["Effect", "effect"],
    ["confirms", "confirm"],
    ["un-trusted", "untrusted"],
    ["personnal", "personal"],
  ];
  for (const [key, meant] of near) {
    assert.deepEqual(fault(`${needed}${key} = true\n`), [
      `3: unknown key ${key}, so the tool is left out`,
      `Did you mean ${meant}?`,
    ]);
  }
});

test("a guard that slipped below a table header keeps the file out", () => {
  for (const [header, at] of [
    ["tool", "tool"],
    ["[tool]", "tool"],
    ["tool.deep", "tool"],
    ["x.y", "x"],
  ])
    for (const key of ["effect", "confirm", "untrusted", "personal", "efect"])
      assert.deepEqual(fault(`${needed}[${header}]\n${key} = "change"\n`), [
        `4: ${key} means nothing below ${at}, so the tool is left out`,
        "Write it above the first [table].",
      ]);
  for (const table of ["params.x", "announce"])
    for (const key of ["effect", "confirm", "untrusted", "personal"])
      assert.deepEqual(fault(`${needed}[${table}]\n${key} = "change"\n`), [
        `4: unknown key ${key}, so the tool is left out`,
        "Write it above the first [table].",
      ]);
});

test("the guards of the earlier contract keep the file out and are translated", () => {
  assert.deepEqual(fault(`${needed}side_effects = true\n`), [
    "3: unknown key side_effects, so the tool is left out",
    'Write: effect = "change"',
  ]);
  assert.equal(fault(`${needed}requires_confirmation = true\n`)[1], 'Write: confirm = "always"');
});

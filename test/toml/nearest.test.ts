// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The nearest known word is found for a slip, and none for a different word.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "../../src/toml/nearest.ts";

const known = ["llm", "model", "system", "temperature", "think", "tool_rounds", "tools_mode"];

const slips: [written: string, meant: string | null][] = [
  ["lmm", "llm"],
  ["lm", "llm"],
  ["modell", "model"],
  ["mdoel", "model"],
  ["temprature", "temperature"],
  ["toolRounds", "tool_rounds"],
  ["tool-rounds", "tool_rounds"],
  ["Think", "think"],
  ["tool_mode", "tools_mode"],
  ["temp", null],
  ["colour", null],
  ["x", null],
  ["", null],
];

for (const [written, meant] of slips) {
  test(`"${written}" is ${meant === null ? "near to nothing" : `nearest to "${meant}"`}`, () => {
    assert.equal(nearest(written, known), meant);
  });
}

test("the first of equally near words is taken", () => {
  assert.equal(nearest("rad", ["read", "road"]), "read");
  assert.equal(nearest("rad", ["road", "read"]), "road");
});

test("a key of a million letters is near to nothing", () => {
  assert.equal(nearest("x".repeat(1_000_000), known), null);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a server's cache must hold at the least, judged by the last request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Held } from "../../src/conversation/held.ts";

const system = "s".repeat(3000);
const tools = "t".repeat(1000);

test("what comes behind the same beginning is expected in the cache, all but what differs", () => {
  const held = new Held();
  assert.equal(held.least({ tools, messages: [system, "q"] }), 0);
  held.note({ tools, messages: [system, "q".repeat(100)] }, { prompt: 1000 });
  // 100 bytes are at most 50 tokens, and 16 may stand around them.
  assert.equal(held.least({ tools, messages: [system, "other"] }), 934);
  assert.equal(held.least({ tools, messages: [system, "q".repeat(100), "more"] }), 984);
});

test("other tools, another system message or nothing in common: nothing is expected", () => {
  const held = new Held();
  held.note({ tools, messages: [system, "q"] }, { prompt: 1000 });
  assert.equal(held.least({ tools: "", messages: [system, "q"] }), 0);
  assert.equal(held.least({ tools, messages: ["else", "q"] }), 0);
});

test("a prompt is covered when all of it was read", () => {
  const held = new Held();
  assert.equal(held.covers({ tools, messages: [system] }), false);
  held.note({ tools, messages: [system, "a", "b"] }, { prompt: 1000 });
  assert.equal(held.covers({ tools, messages: [system, "a"] }), true);
  assert.equal(held.covers({ tools, messages: [system, "a", "b", "c"] }), false);
  assert.equal(held.covers({ tools: "", messages: [system, "a"] }), false);
});

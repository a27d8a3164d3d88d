// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is sent to be read ahead when the beginning is not kept yet.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ahead } from "../../src/conversation/ahead.ts";
import { Held } from "../../src/conversation/held.ts";
import type { Completion } from "../../src/model/model.ts";
import { servedBy } from "../support/served.ts";

const { signal } = new AbortController();

const served = (sent: Completion[], lacks: boolean) =>
  servedBy(
    async (completion) => {
      sent.push(completion);
      const usage = { prompt: 100, cached: 90, output: 1, readMs: 9, outputMs: 9 };
      return { text: "", thinking: "", calls: [], reason: "length", usage };
    },
    { llama: true, lacksBeginning: () => lacks },
  );

const coming = (...turns: string[]) => ({
  held: new Held(),
  list: "[]",
  messages: ["system", ...turns, "stamp"],
  beginning: ["system", "stamp"],
  think: false,
});

async function read(lacks: boolean, ...turns: string[]) {
  const sent: Completion[] = [];
  const ahead = new Ahead({ warm: true, notice: () => undefined, log: () => undefined });
  await ahead.read(served(sent, lacks), coming(...turns), signal);
  return sent.map(({ messages, beginning = false }) => [messages.length, beginning]);
}

test("a beginning that is not kept is read alone before the talk, once for all", async () => {
  assert.deepEqual(await read(true, "a", "b"), [
    [2, true],
    [4, false],
  ]);
  assert.deepEqual(await read(false, "a", "b"), [[4, false]]);
  assert.deepEqual(await read(false), [[2, true]]);
  assert.deepEqual(await read(true), [[2, true]]);
});

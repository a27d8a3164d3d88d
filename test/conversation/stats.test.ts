// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a turn is told to have cost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cost, statsOf } from "../../src/conversation/stats.ts";

const cost = (
  output: number,
  { outputMs = null, wroteMs = null }: { outputMs?: number | null; wroteMs?: number | null },
): Cost => ({ usage: { prompt: 100, cached: null, output, readMs: null, outputMs }, wroteMs });
const speed = (...costs: Cost[]) =>
  statsOf({ begun: 0, firstToken: null, costs, calls: [] }).tokens_per_second;

test("the speed of writing is what the server says, over all requests, with one decimal", () => {
  assert.equal(speed(cost(10, { outputMs: 1000 })), 10);
  assert.equal(speed(cost(10, { outputMs: 1000 }), cost(21, { outputMs: 2000 })), 10.3);
  // What was seen counts only where no server says anything.
  assert.equal(speed(cost(10, { outputMs: 1000, wroteMs: 10 }), cost(9, { wroteMs: 900 })), 10);
});

test("where the server does not say, it is measured from the first word to the last", () => {
  assert.equal(speed(cost(11, { wroteMs: 1000 })), 10);
  assert.equal(speed(cost(11, { wroteMs: 1000 }), cost(30, {})), 10);
});

test("a speed that nobody can tell is null", () => {
  assert.equal(speed(), null);
  assert.equal(speed(cost(10, {})), null);
  assert.equal(speed(cost(0, { outputMs: 100 })), null);
  assert.equal(speed(cost(1, { outputMs: 0 })), null);
  // All of it at once: it was not written as it came.
  assert.equal(speed(cost(100, { wroteMs: 2 })), null);
  assert.equal(speed(cost(1, { wroteMs: 1000 })), null);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How fast a model reads is learned from its requests, and becomes the batch of the next start.
import assert from "node:assert/strict";
import { test } from "node:test";
import { batchFor, Speeds } from "../../../src/model/engine/speed.ts";
import type { Usage } from "../../../src/model/model.ts";

const read = (tokens: number, readMs: number | null, cached: number | null = 1000): Usage => ({
  prompt: tokens + (cached ?? 0),
  cached,
  output: 1,
  readMs,
  outputMs: 5,
});

/** Remembers how often it was written. */
function state(first: unknown = undefined) {
  const kept = { value: first, writes: 0 };
  return {
    kept,
    get: () => kept.value,
    set: (value: unknown) => {
      kept.value = value;
      kept.writes += 1;
    },
  };
}

test("a batch takes half a second, in steps of 16, from 16 to 2,048", () => {
  const machine = { memory: 8e9, gpuMemory: 0, threads: 2 };
  const cases = [4, 33, 95, 100, 130, 900, 1e5].map((speed) => batchFor(speed, machine));
  assert.deepEqual(cases, [16, 16, 48, 48, 64, 448, 2048]);
});

test("before anything was measured the graphics card decides", () => {
  const machine = { memory: 8e9, gpuMemory: 0, threads: 2 };
  assert.equal(batchFor(null, machine), 64);
  assert.equal(batchFor(null, { ...machine, gpuMemory: 8e9 }), 512);
});

test("only a request that read 200 tokens says how fast a model is", () => {
  const kept = state();
  const speeds = new Speeds(kept);
  for (const usage of [read(199, 1000), read(400, null), read(400, 1000, null), read(400, 0)])
    speeds.learn("m", usage);
  assert.equal(speeds.of("m"), null);
  assert.equal(kept.kept.writes, 0);
  speeds.learn("m", read(200, 2000));
  assert.equal(speeds.of("m"), 100);
  assert.equal(speeds.of("other"), null);
});

test("it is written only when it changed by more than a tenth", () => {
  const kept = state();
  const speeds = new Speeds(kept);
  for (const ms of [4000, 4300, 3700]) speeds.learn("m", read(400, ms));
  assert.equal(kept.kept.writes, 1);
  speeds.learn("m", read(400, 5000));
  assert.deepEqual(kept.kept, { value: { m: 80 }, writes: 2 });
});

test("what is no speed in the state file counts as not measured, and 50 models are remembered", () => {
  for (const damaged of [7, "fast", [1, 2], null, { m: "90" }, { m: -1 }, { m: 1e9 }, { m: {} }])
    assert.equal(new Speeds(state(damaged)).of("m"), null);
  const kept = state({ m: 90, other: "?" });
  const speeds = new Speeds(kept);
  assert.equal(speeds.of("m"), 90);
  for (let at = 0; at < 60; at += 1) speeds.learn(`m${at}`, read(400, 1000));
  assert.equal(Object.keys(Object(kept.kept.value)).length, 50);
  assert.equal(speeds.of("m59"), 400);
  assert.equal(speeds.of("m"), null);
});

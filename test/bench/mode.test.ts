// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The way of calling tools that a run measures is the one that the daemon would take.
import assert from "node:assert/strict";
import { test } from "node:test";
import { modeOf } from "../../bench/mode.ts";
import { Unusable } from "../../bench/share.ts";
import { startModelServer } from "../support/model-server.ts";

const placeOf = ({ url }: { url: string }) => ({
  url,
  apiKey: null,
  close: async () => undefined,
});

test("a model of some server is tried first, since a run leaves the daemon no idle time", async () => {
  await using good = await startModelServer();
  await using small = await startModelServer({
    trial: (reply) => reply.text('{"name": "weather"}').finish().done(),
  });
  const [one, other] = [
    await modeOf("auto", { place: placeOf(good), ours: null }),
    await modeOf("auto", { place: placeOf(small), ours: null }),
  ];
  assert.deepEqual([one.strategy, other.strategy], ["native", "plan"]);
  assert.deepEqual([good.trials.length, small.trials.length], [2, 1]);
});

test("a model of the catalog on our own engine is known, and so is a way that was named", async () => {
  await using server = await startModelServer();
  const place = placeOf(server);
  const mode = async (wanted: string, ours: string | null) =>
    (await modeOf(wanted, { place, ours })).strategy;
  assert.equal(await mode("auto", "qwen2.5-coder-1.5b"), "plan");
  assert.equal(await mode("auto", "qwen3-4b-instruct"), "native");
  assert.equal(await mode("native", "qwen2.5-coder-1.5b"), "native");
  assert.equal(await mode("plan", null), "plan");
  await assert.rejects(mode("rescue", null), Unusable);
  assert.equal(server.trials.length, 0);
});

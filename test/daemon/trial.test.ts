// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How a daemon finds out, remembers and tells in which way its model calls tools.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon, type TestClient } from "../support/daemon.ts";
import { start } from "../support/started.ts";

const stateOf = (home: { folder: string }) =>
  join(home.folder, "state", "desktop-assistant", "state.json");
const remembered = (home: { folder: string }): unknown =>
  JSON.parse(readFileSync(stateOf(home), "utf8")).tool_modes;

/** The strategy and its reason, as soon as the reason is this; what it waits for has begun. */
async function told(client: TestClient, why: string) {
  for (;;) {
    const { strategy, strategy_why } = await client.ask({ type: "status" });
    if (strategy_why === why) return strategy;
  }
}

const asText = "it wrote a call as text when tried";

test("a model that writes calls as text is tried once, also over a restart, and again when state.json is gone", async (t) => {
  const { daemon, model, home, end } = await start({
    trial: (reply) => reply.text('{"name": "weather"}').finish().done(),
  });
  t.after(end);
  await model.until(() => model.trials.length === 1);
  const client = await daemon.connect();
  assert.equal(await told(client, asText), "plan");
  const { items } = await client.ask({ type: "models" });
  assert.ok(Array.isArray(items));
  const used = items.find((row) => row.used);
  assert.deepEqual([used.strategy, used.strategy_why], ["plan", asText]);
  const toy = items.find((row) => row.model === "smollm2-135m");
  assert.deepEqual([toy.strategy, toy.strategy_why], ["plan", "it is known of smollm2-135m"]);
  const kept = { [`${model.url} scripted`]: "text" };
  assert.deepEqual(remembered(home), kept);
  await daemon.stop();

  const again = await startDaemon(home);
  const later = await again.connect();
  assert.equal(await told(later, asText), "plan");
  assert.equal(model.trials.length, 1);
  await again.stop();

  rmSync(stateOf(home));
  await using anew = await startDaemon(home);
  await model.until(() => model.trials.length === 2);
  assert.equal(await told(await anew.connect(), asText), "plan");
  assert.deepEqual(remembered(home), kept);
});

test("whatever stands in state.json, the daemon starts and finds out anew", async (t) => {
  const { daemon, model, home, end } = await start();
  t.after(end);
  const proper = "it called tools properly when tried";
  await model.until(() => model.trials.length === 2);
  await told(await daemon.connect(), proper);
  await daemon.stop();
  const key = `${model.url} scripted`;
  let trials = 2;
  for (const junk of [["text"], { [key]: ["plan"] }, { [key]: "__proto__", x: 1 }]) {
    writeFileSync(stateOf(home), JSON.stringify({ tool_modes: junk }));
    await using again = await startDaemon(home);
    trials += 2;
    await model.until(() => model.trials.length === trials);
    assert.equal(await told(await again.connect(), proper), "native");
    assert.deepEqual(remembered(home), { [key]: "proper" });
  }
});

test("before there is a model no way is told, and what config.toml says is told as such", async (t) => {
  const { daemon, model, home, end } = await start({ config: 'tools_mode = "plan"\n' });
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  await client.turn();
  assert.equal(await told(client, 'tools_mode = "plan" in config.toml'), "plan");
  await daemon.stop();
  await model.close();
  home.config('llm = "http://localhost:9/v1"\n');
  await using again = await startDaemon(home);
  const { strategy, strategy_why } = await (await again.connect()).ask({ type: "status" });
  assert.deepEqual([strategy, strategy_why], ["", ""]);
  assert.equal(model.trials.length, 0);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is known of a model's way of calling tools before and after it was tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolsModes, type Whose } from "../../src/model/tools-mode.ts";

const here: Whose = { engine: false, local: true, url: "http://localhost:1/v1", model: "m" };
const own = (model: string): Whose => ({ ...here, engine: true, model });

function remembering(first: unknown = undefined) {
  let value = first;
  const tried = {
    get: () => value,
    set: (next: unknown) => {
      value = next;
    },
  };
  return { tried, modes: new ToolsModes("auto", tried) };
}

test("the settings come before everything, a server elsewhere is native", () => {
  const { tried, modes } = remembering({ "http://localhost:1/v1 m": "text" });
  const plan = new ToolsModes("plan", tried);
  for (const whose of [here, { ...here, local: false }, own("qwen3-8b")]) {
    assert.deepEqual(plan.known(whose), {
      strategy: "plan",
      why: 'tools_mode = "plan" in config.toml',
    });
  }
  assert.equal(modes.of(here).strategy, "plan");
  assert.equal(modes.known({ ...here, local: false })?.strategy, "native");
});

test("the catalog knows its models, but only where our own engine runs exactly one of them", () => {
  const { modes } = remembering();
  const strategies = ["qwen3-8b", "qwen3-4b-instruct", "qwen2.5-coder-1.5b", "smollm2-135m"].map(
    (name) => modes.known(own(name))?.strategy,
  );
  assert.deepEqual(strategies, ["native", "native", "plan", "plan"]);
  assert.equal(modes.known(own("smollm2-135m-mine")), null);
  assert.equal(modes.known({ ...here, model: "smollm2-135m" }), null);
  assert.deepEqual(modes.of(own("mine")), { strategy: "native", why: "it was not tried yet" });
});

test("the last 50 trials are remembered, those of the engine under its name", () => {
  const { tried, modes } = remembering();
  for (let at = 0; at < 60; at += 1) modes.learn({ ...here, model: `m${at}` }, "text");
  modes.learn({ ...here, model: "m20" }, "proper");
  modes.learn({ ...own("mine"), url: "http://127.0.0.1:4321/v1" }, "needless");
  const kept = tried.get();
  assert.ok(typeof kept === "object" && kept !== null);
  assert.equal(Object.keys(kept).length, 50);
  assert.deepEqual(Object.entries(kept).slice(-2), [
    ["http://localhost:1/v1 m20", "proper"],
    ["engine mine", "needless"],
  ]);
  assert.equal(modes.known({ ...own("mine"), url: "http://127.0.0.1:9/v1" })?.strategy, "plan");
  assert.equal(modes.known({ ...here, model: "m10" }), null);
});

test("whatever else stands where trials are remembered is passed over", () => {
  const key = "http://localhost:1/v1 m";
  for (const junk of [
    null,
    7,
    "proper",
    ["proper"],
    { [key]: 1 },
    { [key]: "toString" },
    { [key]: { strategy: "plan" } },
    JSON.parse('{"__proto__":"text"}'),
  ]) {
    const { tried, modes } = remembering(junk);
    assert.equal(modes.known(here), null, JSON.stringify(junk));
    modes.learn(here, "none");
    assert.equal(modes.of(here).strategy, "plan");
    assert.equal(JSON.stringify(tried.get()).includes("toString"), false);
  }
});

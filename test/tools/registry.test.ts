// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The registry holds its promises whatever a tool does, and cuts and marks what it says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { Tool, ToolOutcome } from "../../src/tools/tool.ts";

const { signal } = new AbortController();

function made(name: string, does: Tool["call"]): Tool {
  return {
    name,
    description: "d",
    parameters: { type: "object", properties: { x: { type: "string" } } },
    effect: "read",
    confirm: "auto",
    untrusted: false,
    personal: false,
    announce: {},
    call: does,
  };
}

async function outcome(given: ToolOutcome) {
  const registry = new ToolRegistry();
  registry.register(made("it", () => Promise.resolve(given)));
  return registry.call("it", {}, { signal });
}

test("a result is whole, frozen and timed", async () => {
  const result = await outcome({ ok: true, data: { a: 1 }, meta: { hits: 2 } });
  const { latencyMs, ...rest } = result;
  assert.deepEqual(rest, {
    ok: true,
    data: { a: 1 },
    text: '{"a":1}',
    error: "",
    meta: { hits: 2 },
    card: null,
  });
  assert.ok(latencyMs >= 0);
  assert.ok(Object.isFrozen(result) && Object.isFrozen(result.meta));
});

test("the model reads the text, else the data, and never nothing", async () => {
  const text = async (given: ToolOutcome) => (await outcome(given)).text;
  assert.equal(await text({ ok: true, data: "d", text: "t" }), "t");
  assert.equal(await text({ ok: true, data: "d" }), "d");
  assert.equal(await text({ ok: true, data: [1, null] }), "[1,null]");
  assert.equal(await text({ ok: true, data: 0 }), "0");
  for (const given of [{}, { data: null }, { data: "" }, { text: "" }, { text: " \n" }])
    assert.equal(await text({ ok: true, ...given }), "(no output)");
  assert.equal((await outcome({ ok: true, data: "" })).data, "");
});

test("a fault has no data, and its text and error say the same", async () => {
  const of = async (given: ToolOutcome) => {
    const { ok, data, text, error } = await outcome(given);
    assert.deepEqual([ok, data], [false, null]);
    return [text, error];
  };
  assert.deepEqual(await of({ ok: false, error: "no net", data: 3 }), ["error: no net", "no net"]);
  assert.deepEqual(await of({ ok: false, text: "error: no net" }), ["error: no net", "no net"]);
  assert.deepEqual(await of({ ok: false }), ["error: failed", "failed"]);
});

test("a text is cut after 2,000 code points, with a mark that says how much is gone", async () => {
  const text = async (given: string) => (await outcome({ ok: true, text: given })).text;
  const a = (count: number) => "a".repeat(count);
  assert.equal(await text(a(2000)), a(2000));
  assert.equal(await text(a(2001)), `${a(2000)}\n[cut: 1 more character]`);
  assert.equal(await text(a(5000)), `${a(2000)}\n[cut: 3000 more characters]`);
  assert.equal(await text("🎉".repeat(2000)), "🎉".repeat(2000));
  assert.equal(await text("🎉".repeat(2002)), `${"🎉".repeat(2000)}\n[cut: 2 more characters]`);
  // L29
  assert.equal(await text(`${a(1999)}🎉b`), `${a(1999)}🎉\n[cut: 1 more character]`);
  assert.ok((await text(`${a(1999)}\ud83c`)).isWellFormed());
  assert.equal((await outcome({ ok: false, error: a(3000) })).error.length < 2100, true);
});

test("whatever a tool throws or returns, the call resolves with a fault", async () => {
  const registry = new ToolRegistry();
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  registry.register(
    made("throws", () => {
      throw new Error("at once");
    }),
  );
  registry.register(made("rejects", () => Promise.reject("late")));
  registry.register(made("circle", () => Promise.resolve({ ok: true, data: circle })));
  registry.register(made("big", () => Promise.resolve({ ok: true, data: 1n })));
  registry.register(made("none", () => Promise.resolve(JSON.parse("null"))));
  const text = async (name: string) => (await registry.call(name, {}, { signal })).text;
  assert.equal(await text("throws"), "error: at once");
  assert.equal(await text("rejects"), "error: late");
  for (const name of ["circle", "big", "none"]) assert.match(await text(name), /^error: ./);
  assert.equal(await text("missing"), "error: no tool named missing");
});

test("a call rejects with the signal's reason, also when its tool answers all the same", async () => {
  const registry = new ToolRegistry();
  const stop = new AbortController();
  const reason = new Error("stopped");
  registry.register(
    made("it", () => {
      stop.abort(reason);
      return Promise.resolve({ ok: true });
    }),
  );
  await assert.rejects(registry.call("it", {}, { signal: stop.signal }), reason);
});

test("tools are listed in their order, and a new one takes the place of its namesake", () => {
  const registry = new ToolRegistry();
  const nothing = () => Promise.resolve({ ok: true });
  for (const name of ["b", "a", "c", "a"]) registry.register(made(name, nothing));
  registry.unregister("c");
  assert.deepEqual(
    registry.list().map(({ name }) => name),
    ["b", "a"],
  );
});

test("close closes every tool once", async () => {
  const registry = new ToolRegistry();
  const closed: string[] = [];
  for (const name of ["a", "b"])
    registry.register({
      ...made(name, () => Promise.resolve({ ok: true })),
      close: () => Promise.resolve(void closed.push(name)),
    });
  await registry.close();
  assert.deepEqual(closed, ["a", "b"]);
});

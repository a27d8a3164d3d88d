// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the slot of the engine is made to hold before a request, and how threads take turns in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { beginning, makeSlotWorld, of, signal, usage } from "./slot-world.ts";

test("two threads take turns: the one is put aside, a new one begins from the file", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  assert.equal(await world.ask(slot, beginning), "save");
  const asked = ["a", "a", "b", "a", "b", "b", "c", "a"];
  const done: string[] = [];
  for (const thread of asked) done.push(await world.ask(slot, of(thread)));
  assert.deepEqual(done, ["", "", "aside restore", "aside", "aside", "", "aside restore", "aside"]);
  assert.deepEqual(world.lines, []);
});

test("a request without a thread displaces one, and nobody keeps its own words", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  await world.ask(slot, beginning);
  const other = { ...of(null), tools: "[1]" };
  assert.equal(await world.ask(slot, of("a")), "");
  assert.equal(await world.ask(slot, other), "aside");
  assert.equal(await world.ask(slot, other), "");
  assert.equal(await world.ask(slot, of("a")), "aside");
  assert.equal(await world.ask(slot, of(null)), "aside restore");
  assert.equal(await world.ask(slot, of("b")), "restore");
});

test("a beginning makes no thread known, and it is not restored where it is", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  await world.ask(slot, { ...beginning, thread: "a" });
  assert.equal(await world.ask(slot, of("a")), "");
  assert.equal(await world.ask(slot, { ...beginning, thread: "b" }), "aside restore");
  assert.equal(await world.ask(slot, of("b")), "");
  assert.equal(await world.ask(slot, of("a")), "aside");
});

test("it says that a beginning is not kept yet, from the first request until it is", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  assert.equal(slot.lacks(beginning), false);
  await world.ask(slot, of("a"));
  assert.equal(slot.lacks(beginning), true);
  assert.equal(await world.ask(slot, { ...beginning, thread: "a" }), "save");
  assert.deepEqual([slot.lacks(beginning), slot.lacks(of("b"))], [false, false]);
  assert.equal(slot.lacks({ ...beginning, tools: "[1]" }), true);
  const next = world.make();
  await world.ask(next, of("a"));
  assert.equal(next.lacks(beginning), false);
  const without = world.make({ folder: null });
  await world.ask(without, of("a"));
  assert.equal(without.lacks(beginning), false);
});

test("with no file a new thread is still kept from displacing the other", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make({ folder: null });
  const done: string[] = [];
  for (const thread of ["a", "b", "a"]) done.push(await world.ask(slot, of(thread)));
  assert.deepEqual(done, ["", "aside", "aside"]);
  assert.equal(await world.ask(slot, beginning), "aside");
});

test("a server without a memory keeps what two threads share", async () => {
  await using world = await makeSlotWorld();
  await world.ask(world.make(), beginning);
  const slot = world.make({ memory: false });
  const done: string[] = [];
  for (const thread of ["a", "b", "a"]) done.push(await world.ask(slot, of(thread)));
  assert.deepEqual(done, ["restore", "", ""]);
});

test("an abort while a thread is put aside leaves it where it was", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  await world.ask(slot, of("a"));
  world.scripted.next.aside = "hang";
  const stop = new AbortController();
  const reason = new Error("stopped by a test");
  const arrival = world.arrival();
  const before = slot.before(of("b"), stop.signal);
  await arrival;
  stop.abort(reason);
  await assert.rejects(before, (thrown) => thrown === reason);
  world.scripted.next = {};
  assert.equal(await world.ask(slot, of("b")), "aside");
  assert.deepEqual(world.lines, []);
});

test("an abort after it was put aside does not put it aside again", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  await world.ask(slot, beginning);
  await world.ask(slot, of("a"));
  world.scripted.next.restore = "hang";
  const stop = new AbortController();
  const aside = world.arrival();
  const before = slot.before(of("b"), stop.signal);
  await aside;
  await world.arrival();
  stop.abort();
  await assert.rejects(before, { name: "AbortError" });
  world.scripted.next = {};
  assert.equal(await world.ask(slot, of("b")), "restore");
});

test("a server that will not, or ends, is told of once, and no request fails", async () => {
  for (const outcome of [400, 404, 501, "die"] as const) {
    await using world = await makeSlotWorld();
    const slot = world.make({ folder: null });
    world.scripted.next.aside = outcome;
    for (const thread of ["a", "b", "a"]) await world.ask(slot, of(thread));
    assert.equal(world.lines.length, 1, world.lines.join("\n"));
    assert.deepEqual(world.bugs, []);
  }
});

test("what a request has read says how fast the model is", async () => {
  await using world = await makeSlotWorld();
  await world.make().after(of("a"), { ...usage, prompt: 400, readMs: 4000 }, signal);
  assert.equal(world.speeds.of("m"), 100);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The file of the beginning: written once, used only where it fits, and never a reason to fail.
import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { makePrivate } from "../../../src/model/engine/beginning.ts";
import {
  beginning,
  makeSlotWorld,
  of,
  props,
  type SlotWorld,
  signal,
  system,
  usage,
} from "./slot-world.ts";

/** A world where an earlier start has saved its beginning. */
async function saved(): Promise<SlotWorld> {
  const world = await makeSlotWorld();
  assert.equal(await world.ask(world.make(), beginning), "save");
  return world;
}

const isGone = (world: SlotWorld) =>
  assert.deepEqual([existsSync(world.kv), existsSync(world.note)], [false, false]);

test("the first request after a start gets the beginning from the file, whatever it asks", async () => {
  for (const first of [beginning, of("a", "What is new?"), of(null, "?")]) {
    await using world = await saved();
    assert.equal(await world.ask(world.make(), first), "restore");
  }
});

test("it is saved once, after a beginning and after nothing else", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  assert.equal(await world.ask(slot, of("a")), "");
  isGone(world);
  assert.equal(await world.ask(slot, beginning), "aside save");
  const before = readFileSync(world.note, "utf8");
  assert.equal(await world.ask(slot, beginning), "");
  assert.equal(await world.ask(world.make(), beginning), "restore");
  assert.equal(readFileSync(world.note, "utf8"), before);
  const tomorrow = { ...beginning, tools: "[2]" };
  assert.equal(await world.ask(slot, tomorrow), "save");
  assert.notEqual(readFileSync(world.note, "utf8"), before);
});

test("nobody else can read file, note and folder, also when they were open to others", async () => {
  await using world = await makeSlotWorld();
  chmodSync(world.folder, 0o755);
  writeFileSync(world.kv, "old", { mode: 0o644 });
  await makePrivate(world.folder);
  await world.ask(world.make(), beginning);
  const modes = [world.kv, world.note, world.folder].map((path) => statSync(path).mode & 0o777);
  assert.deepEqual(modes, [0o600, 0o600, 0o700]);
});

test("what makes the beginning another one keeps the file from being used", async (t) => {
  type Change = (world: SlotWorld) => unknown;
  const elsewhere: [string, Change][] = [
    ["the program's date", ({ program }) => utimesSync(program, 1, 1)],
    ["the program's size", ({ program }) => appendFileSync(program, "x")],
    ["the model's date", ({ model }) => utimesSync(model, 1, 1)],
    ["the model's size", ({ model }) => appendFileSync(model, "x")],
    ["another program", ({ folder, model }) => ({ files: [dirname(folder), model] })],
    ["the build", ({ tell }) => tell({ ...props, build_info: "b2" })],
    ["the template", ({ tell }) => tell({ ...props, chat_template: "" })],
    ["the context", ({ tell }) => tell({ ...props, default_generation_settings: { n_ctx: 4096 } })],
    ["the options", () => ({ form: ["--ctx-size", "8192", "--n-gpu-layers", "9"] })],
  ];
  for (const [what, change] of elsewhere) {
    await t.test(what, async () => {
      await using world = await saved();
      const slot = world.make(Object(change(world)));
      assert.equal(await world.ask(slot, of("a")), "");
      assert.ok(existsSync(world.kv));
      assert.deepEqual(world.lines, []);
    });
  }
  const asked = of("a");
  const others = {
    "the tools": { ...asked, tools: "[1]" },
    "no tools": { messages: asked.messages, think: false },
    thinking: { ...asked, think: true },
    "the system message": {
      ...asked,
      messages: [system.replace("help", "rest"), ...asked.messages.slice(1)],
    },
    "one more message": { ...asked, messages: [system, ...asked.messages] },
  };
  for (const [what, completion] of Object.entries(others)) {
    await t.test(what, async () => {
      await using world = await saved();
      assert.equal(await world.ask(world.make(), completion), "");
      assert.ok(existsSync(world.kv));
    });
  }
});

test("a file that is damaged, cut, longer, or that nothing vouches for is removed and not used", async (t) => {
  const damage: Record<string, (world: SlotWorld) => void> = {
    "other bytes": ({ kv }) => writeFileSync(kv, "what was reaD"),
    cut: ({ kv }) => truncateSync(kv, 4),
    empty: ({ kv }) => truncateSync(kv, 0),
    longer: ({ kv }) => appendFileSync(kv, "x"),
    "no file": ({ kv }) => rmSync(kv),
    "no note": ({ note }) => rmSync(note),
    "a cut note": ({ note }) => truncateSync(note, 9),
    "a note of another kind": ({ note }) => writeFileSync(note, "[7]"),
  };
  for (const [what, harm] of Object.entries(damage)) {
    await t.test(what, async () => {
      await using world = await saved();
      harm(world);
      const slot = world.make();
      assert.equal(await world.ask(slot, of("a")), "");
      isGone(world);
      assert.equal(await world.ask(slot, beginning), "aside save");
      assert.ok(existsSync(world.note));
      assert.deepEqual([world.lines, world.bugs], [[], []]);
    });
  }
});

test("a file that is exchanged while the engine runs is looked at again", async () => {
  await using world = await makeSlotWorld();
  const slot = world.make();
  await world.ask(slot, beginning);
  await world.ask(slot, of("a"));
  writeFileSync(world.kv, "what was reaD");
  assert.equal(await world.ask(slot, of("b")), "aside");
  isGone(world);
});

test("a file that the server refuses, or ends of, is removed, and the request goes out", async () => {
  for (const outcome of [400, 404, 500, 501, "die"] as const) {
    await using world = await saved();
    world.scripted.next.restore = outcome;
    const slot = world.make();
    assert.equal(await world.ask(slot, of("a")), "restore");
    isGone(world);
    assert.equal(world.lines.length, 1);
    assert.equal(await world.ask(slot, of("a")), "");
    assert.deepEqual(world.bugs, []);
  }
});

test("a server that will not save is asked once, and nothing is left", async () => {
  for (const outcome of [400, 404, 501, "die"] as const) {
    await using world = await makeSlotWorld();
    world.scripted.next.save = outcome;
    const slot = world.make();
    assert.equal(await world.ask(slot, beginning), "save");
    isGone(world);
    assert.equal(await world.ask(slot, beginning), "");
    assert.equal(world.lines.length, 1);
    assert.deepEqual(world.bugs, []);
  }
});

test("a save that wrote nothing is none", async () => {
  await using world = await makeSlotWorld();
  world.scripted.content = "";
  await world.ask(world.make(), beginning);
  isGone(world);
  assert.match(world.lines.join(), /0 bytes/);
});

test("a save that is broken off leaves nothing that vouches for it, and is made up for", async () => {
  await using world = await makeSlotWorld();
  world.scripted.next.save = "hang";
  const slot = world.make();
  await slot.before(beginning, signal);
  const stop = new AbortController();
  const arrival = world.arrival();
  const after = slot.after(beginning, usage, stop.signal);
  await arrival;
  stop.abort();
  await after;
  isGone(world);
  world.scripted.next = {};
  assert.equal(await world.ask(slot, beginning), "save");
  assert.deepEqual(world.lines, []);
});

test("a restore that is broken off leaves the file for the next request", async () => {
  await using world = await saved();
  world.scripted.next.restore = "hang";
  const slot = world.make();
  const stop = new AbortController();
  const arrival = world.arrival();
  const before = slot.before(of("a"), stop.signal);
  await arrival;
  stop.abort();
  await assert.rejects(before, { name: "AbortError" });
  world.scripted.next = {};
  assert.equal(await world.ask(slot, of("a")), "restore");
});

test("a folder that is gone costs one line in the log", async () => {
  await using world = await makeSlotWorld();
  rmSync(world.folder, { recursive: true });
  const slot = world.make();
  await world.ask(slot, beginning);
  await world.ask(slot, of("a"));
  assert.equal(world.lines.length, 1);
  assert.deepEqual(world.bugs, []);
});

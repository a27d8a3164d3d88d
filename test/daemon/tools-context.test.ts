// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a tool is handed of a running program: its model, its history, its settings, all frozen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedContext } from "../../src/daemon/tool-context.ts";
import type { History } from "../../src/history/turns.ts";
import type { Completion, LeaseKind } from "../../src/model/model.ts";
import { contextFor } from "../../src/tools/context.ts";
import { open, turn } from "../support/history.ts";
import { servedBy } from "../support/served.ts";

const { signal } = new AbortController();

const served = (asked: [Completion, LeaseKind][]) =>
  servedBy(async (completion, { kind }) => {
    asked.push([completion, kind]);
    return { text: "Fine.", thinking: "", calls: [], reason: "stop", usage: null };
  });

function made(history: History, asked: [Completion, LeaseKind][] = []) {
  const plugins = { lamp: { rooms: ["hall"] } };
  const shared = sharedContext({
    daemon: { sessions: new Map() },
    ready: async () => served(asked),
    history,
    archivePath: "/data/notes.md",
    config: {
      env: { CITY: "Rome" },
      plugins,
      person: { name: "Robin", address: null },
      assistantName: "Ada",
    },
  });
  return { plugins, context: contextFor(shared, "lamp") };
}

test("its own table, the person and the variables are copies that cannot be changed", (t) => {
  const { plugins, context } = made(open(t).history);
  assert.deepEqual(context.config, { rooms: ["hall"] });
  assert.deepEqual(
    [context.person, context.assistantName, context.env],
    [{ name: "Robin", address: null }, "Ada", { CITY: "Rome" }],
  );
  assert.equal(context.archivePath, "/data/notes.md");
  for (const part of [
    context,
    context.config,
    context.config.rooms,
    context.pluginsConfig,
    context.env,
    context.person,
    context.history,
    context.extras,
  ])
    assert.ok(Object.isFrozen(part));
  plugins.lamp.rooms.push("attic");
  assert.deepEqual(context.config, { rooms: ["hall"] });
});

test("a completion is small, unthinking, and in the tools' place of the queue", async (t) => {
  const asked: [Completion, LeaseKind][] = [];
  const { context } = made(open(t).history, asked);
  assert.equal(await context.model("Why?", { signal }), "Fine.");
  await context.model("Why?", {
    signal,
    system: "Be short.",
    maxTokens: 9,
    schema: { type: "object" },
  });
  const user = '{"role":"user","content":"Why?"}';
  const system = '{"role":"system","content":"Be short."}';
  assert.deepEqual(asked, [
    [{ messages: [user], think: false, maxTokens: 256 }, "tool"],
    [{ messages: [system, user], think: false, maxTokens: 9, schema: { type: "object" } }, "tool"],
  ]);
});

test("a search gives at most as many as are wanted, each with when it was last spoken in", async (t) => {
  const { history } = open(t);
  const { id } = history.finish(null, turn("a zebra", "yes", { at: 100 }));
  history.finish(id, turn("more", "yes", { at: 200 }));
  history.finish(null, turn("the zebra", "no", { at: 300 }));
  const { context } = made(history);
  const found = await context.history.search("zebra");
  assert.deepEqual(found.map(({ title, at }) => [title, at]).sort(), [
    ["a zebra", 200],
    ["the zebra", 300],
  ]);
  assert.equal((await context.history.search("zebra", { limit: 1 })).length, 1);
});

test("the load of the machine can be looked at", async (t) => {
  const { context } = made(open(t).history);
  const { memory, load, queue } = await context.monitor();
  assert.ok(memory.rss > 0 && memory.free > 0);
  assert.deepEqual([load.length, queue], [3, 0]);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Listing and picking models, at a server and of the embedded engine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startModelServer } from "../support/model-server.ts";
import { EngineDouble } from "./engine-double.ts";
import { codeOf, makeBackend, signal } from "./made-backend.ts";
import { startRouter } from "./servers.ts";

test("models are those of the server and of the engine, with their status and which one is used", async () => {
  await using router = await startRouter({ a: "unloaded", b: "loaded" });
  await using made = makeBackend({ candidates: [router.server.url] });
  const before = (await made.backend.models(signal)).map((row) => row.used);
  assert.deepEqual(before, [false, false, false, false]);
  await made.backend.ready(signal);
  const rows = await made.backend.models(signal);
  assert.deepEqual(
    rows.map((row) => [row.model, row.status, row.used, row.source]),
    [
      ["a", "unloaded", false, router.server.url],
      ["b", "loaded", true, router.server.url],
      ["scripted", "fetched", false, "engine"],
      ["other", "not fetched", false, "engine"],
    ],
  );
});

test("a loaded model can be picked; an unloaded one only with load, and it is then loaded", async () => {
  await using router = await startRouter({ a: "loaded", b: "loaded", c: "unloaded" });
  await using made = makeBackend({ llm: router.server.url });
  const { backend } = made;
  await backend.ready(signal);
  await backend.use("b", { signal });
  assert.equal(backend.status().model, "b");
  assert.equal(await codeOf(backend.use("c", { signal })), "not_loaded");
  assert.equal(await codeOf(backend.use("nope", { signal })), "no_model");
  assert.deepEqual(router.loads.explicit, []);
  await backend.use("c", { load: true, signal });
  assert.deepEqual([backend.status().model, made.remembered.model], ["c", "c"]);
  assert.deepEqual(router.loads, { explicit: ["c"], implicit: [] });
});

test("a model of the engine can be picked instead of a server that was found", async () => {
  await using server = await startModelServer({ models: [{ id: "elsewhere" }] });
  await using own = await startModelServer();
  const engine = new EngineDouble(own.url);
  await using made = makeBackend({ candidates: [server.url], engine });
  assert.equal((await made.backend.ready(signal)).model, "elsewhere");
  assert.equal(await codeOf(made.backend.use("other")), "not_loaded");
  await made.backend.use("scripted");
  const served = await made.backend.ready(signal);
  assert.deepEqual([served.url, engine.calls], [own.url, ["use scripted"]]);
  await made.backend.use("elsewhere");
  assert.equal((await made.backend.ready(signal)).url, server.url);
});

test("a load that is cancelled ends the wait", async () => {
  await using router = await startRouter({ a: "unloaded" });
  const told = Promise.withResolvers<string>();
  await using made = makeBackend({
    llm: router.server.url,
    onJob: (job) => job.state === "running" && told.resolve(job.job),
  });
  const waiting = made.backend.ready(signal);
  const job = await told.promise;
  assert.deepEqual(
    made.backend.jobs().map((one) => one.kind),
    ["load"],
  );
  await made.backend.cancel(job);
  assert.equal(await codeOf(waiting), "cancelled");
  assert.deepEqual(made.backend.jobs(), []);
});

test("fetching, removing and cancelling are the engine's", async () => {
  const engine = new EngineDouble();
  await using made = makeBackend({ engine });
  assert.equal(made.backend.fetch("other"), "job-1");
  await made.backend.remove("other");
  await made.backend.cancel("job-1");
  assert.deepEqual(engine.calls, ["fetch other", "remove other", "cancel job-1"]);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What servers say of themselves, and loading by an explicit request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "../../src/model/address.ts";
import { findServer } from "../../src/model/find.ts";
import { loadModel } from "../../src/model/load.ts";
import { measure, survey } from "../../src/model/survey.ts";
import { startModelServer } from "../support/model-server.ts";
import { closedAddress, startLmStudio, startOllama, startRouter } from "./servers.ts";

const { signal } = new AbortController();
const asking = (url: string) => ({
  address: parseAddress(url),
  apiKey: null,
  signal,
  stall: 60_000,
});
/** For those that do answer: a busy machine may be slow. */
const patient = { apiKey: null, signal, within: 20_000 };
const rowsOf = async (url: string) => {
  const { kind, rows } = await survey(asking(url));
  return [kind, ...rows.map((row) => `${row.id} ${row.status} ${row.context}`)];
};

test("a llama-server is known by its /props, which tell context and slots", async () => {
  await using server = await startModelServer({
    models: [{ id: "m", meta: { n_ctx: 2048 } }],
    props: { default_generation_settings: { n_ctx: 4096 }, total_slots: 3 },
  });
  assert.deepEqual(await rowsOf(server.url), ["llama", "m loaded 2048"]);
  const size = await measure(asking(server.url), "llama", null);
  assert.deepEqual(size, { contextTokens: 4096, slots: 3 });
});

test("a router's models come with their status, and each request to one says autoload=false", async () => {
  await using router = await startRouter({ a: "unloaded", "b/c": "sleeping" });
  const { url, paths } = router.server;
  assert.deepEqual(await rowsOf(url), ["router", "a unloaded 0", "b/c sleeping 0"]);
  const row = { id: "b/c", status: "sleeping" as const, context: 0, failed: false };
  assert.equal((await measure(asking(url), "router", row)).contextTokens, 1001);
  assert.equal(paths.at(-1), "GET /props?model=b%2Fc&autoload=false");
});

test("Ollama tells in /api/ps what is loaded, LM Studio in /api/v0/models", async () => {
  await using ollama = await startOllama(["a", "b"], ["b"]);
  assert.deepEqual(await rowsOf(ollama.server.url), ["ollama", "a unloaded 0", "b loaded 4096"]);
  await using studio = await startLmStudio({ a: "not-loaded", b: "loaded", embed: "loaded" });
  assert.deepEqual(await rowsOf(studio.server.url), ["lmstudio", "a unloaded 0", "b loaded 2048"]);
});

test("any other server is taken as it is", async () => {
  await using server = await startModelServer({
    props: null,
    models: [{ id: "m", max_model_len: 512 }, { nothing: 1 }],
  });
  assert.deepEqual(await rowsOf(server.url), ["other", "m unknown 512"]);
  const [row] = (await survey(asking(server.url))).rows;
  assert.deepEqual(await measure(asking(server.url), "other", row ?? null), {
    contextTokens: 512,
    slots: 1,
  });
});

test("a model is loaded by the server's own request and waited for", async () => {
  await using router = await startRouter({ a: "unloaded" });
  await loadModel(asking(router.server.url), "router", "a");
  assert.deepEqual(router.loads, { explicit: ["a"], implicit: [] });
  await using ollama = await startOllama(["a"], []);
  await loadModel(asking(ollama.server.url), "ollama", "a");
  assert.deepEqual(ollama.explicit, ["a"]);
  await using studio = await startLmStudio({ a: "not-loaded" });
  await loadModel(asking(studio.server.url), "lmstudio", "a");
  assert.deepEqual(studio.explicit, ["a"]);
});

test("a model that somebody else is loading already is waited for", async () => {
  await using router = await startRouter({ a: "loading" });
  await loadModel(asking(router.server.url), "router", "a");
  assert.equal(router.statuses.a, "loaded");
});

test("a load that fails says so, and other servers can't be asked", async () => {
  await using router = await startRouter({ a: "unloaded" });
  router.failing.add("a");
  const { url } = router.server;
  await assert.rejects(loadModel(asking(url), "router", "a"), { code: "load_failed" });
  await assert.rejects(loadModel(asking(url), "router", "nope"), { code: "load_failed" });
  await assert.rejects(loadModel(asking(url), "other", "a"), { code: "load_failed" });
});

test("of the usual addresses the first in the list answers, not the fastest", async () => {
  await using slow = await startModelServer({
    handle: (_request, response) => {
      // One turn later than the other one.
      setImmediate(() => response.end(JSON.stringify({ data: [{ id: "slow" }] })));
      return true;
    },
  });
  await using fast = await startModelServer();
  const closed = await closedAddress();
  const found = await findServer([closed, slow.url, fast.url], patient);
  assert.equal(found?.v1, slow.url);
});

test("what is no model server, has no model or says nothing is passed over", async () => {
  await using page = await startModelServer({
    handle: (_request, response) => {
      response.end("<html>");
      return true;
    },
  });
  await using empty = await startModelServer({ models: [] });
  await using silent = await startModelServer({ handle: () => true });
  const addresses = [page.url, empty.url, silent.url];
  assert.equal(await findServer(addresses, { apiKey: null, signal }), null);
});

test("B1: a server that is still loading answers", async () => {
  await using server = await startModelServer({
    handle: (_request, response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end('{"error":{"type":"unavailable_error","message":"Loading model"}}');
      return true;
    },
  });
  const found = await findServer([server.url], patient);
  assert.equal(found?.v1, server.url);
});

test("an aborted search rejects with the signal's reason", async () => {
  const stopped = AbortSignal.abort();
  await assert.rejects(findServer([], { apiKey: null, signal: stopped }), { name: "AbortError" });
});

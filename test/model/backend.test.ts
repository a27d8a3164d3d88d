// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The standing choice of server and model, and what makes it anew (cases/streams.md, rows B1, B2).
import assert from "node:assert/strict";
import { test } from "node:test";
import { startModelServer } from "../support/model-server.ts";
import { EngineDouble } from "./engine-double.ts";
import { ask, codeOf, config, makeBackend, signal } from "./made-backend.ts";
import { closedAddress, startOllama, startRouter } from "./servers.ts";

test("a configured server answers, and nothing is asked again while the choice stands", async () => {
  await using server = await startModelServer();
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  assert.equal((await ask(served)).text, "Hello there.");
  const before = server.paths.length;
  assert.equal(await made.backend.ready(signal), served);
  assert.equal(server.paths.length, before);
  assert.deepEqual(made.backend.status(), {
    state: "ready",
    url: server.url,
    model: "scripted",
    why: "config.toml names this server; scripted is loaded there",
    contextTokens: 8192,
    local: true,
    slots: 1,
    looking: false,
  });
  assert.equal(made.remembered.model, "scripted");
});

test("without a configured server the first that answers is used, else the engine with its key", async () => {
  await using server = await startModelServer();
  const engine = new EngineDouble(server.url);
  {
    await using made = makeBackend({ candidates: [await closedAddress(), server.url], engine });
    await made.backend.ready(signal);
    assert.match(made.backend.status().why, /^it is the first server that answered here; /);
    assert.equal(engine.starts, 0);
  }
  await using made = makeBackend({ engine });
  await ask(await made.backend.ready(signal));
  assert.match(
    made.backend.status().why,
    /^no other model server was found, so the built-in engine answers; /,
  );
  assert.equal(server.chats[0]?.headers.authorization, "Bearer engine-key");
});

test("a probe starts an installed engine, but fetches none", async () => {
  await using server = await startModelServer();
  const engine = new EngineDouble(server.url);
  engine.onDisk = false;
  await using made = makeBackend({ engine });
  await made.backend.probe();
  assert.deepEqual([engine.starts, made.backend.status().state], [0, "absent"]);
  engine.onDisk = true;
  await made.backend.probe();
  assert.deepEqual([engine.starts, made.backend.status().state], [1, "ready"]);
});

test("a question during a probe shares it, hears the phases, and its abort ends only the wait", async () => {
  await using server = await startModelServer();
  const engine = new EngineDouble(server.url);
  const gate = Promise.withResolvers<void>();
  engine.gate = gate.promise;
  await using made = makeBackend({ engine });
  const probing = made.backend.probe();
  await made.change();
  const phases: string[] = [];
  const stop = new AbortController();
  const stopped = made.backend.ready(stop.signal);
  const waiting = made.backend.ready(signal, (phase) => phases.push(phase));
  made.backend.engineChanged("loading");
  stop.abort();
  assert.equal(await codeOf(stopped), "20");
  gate.resolve();
  await Promise.all([probing, waiting]);
  assert.deepEqual(phases, ["starting", "loading"]);
  assert.equal(engine.starts, 1);
});

test("a question after a probe that found nothing fetches the engine", async () => {
  await using server = await startModelServer();
  const engine = new EngineDouble(server.url);
  engine.onDisk = false;
  await using made = makeBackend({ engine });
  const probing = made.backend.probe();
  const phases: string[] = [];
  await made.backend.ready(signal, (phase) => phases.push(phase));
  await probing;
  assert.deepEqual(phases, ["fetching"]);
});

test("B1: a server that is loading is waited for, with the phase told", async () => {
  let refusals = 2;
  await using server = await startModelServer({
    handle: (_request, response) => {
      if (refusals === 0) return false;
      refusals -= 1;
      response.writeHead(503, { "content-type": "application/json" });
      response.end('{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}');
      return true;
    },
  });
  await using made = makeBackend({ llm: server.url });
  const phases: string[] = [];
  await made.backend.ready(signal, (phase) => phases.push(phase));
  assert.deepEqual(phases, ["loading"]);
  assert.deepEqual(made.changes, ["loading", "ready"]);
});

test("B2: a model that was unloaded before the question is told as such, and nothing is loaded", async () => {
  await using router = await startRouter({ a: "loaded", b: "unloaded" });
  await using made = makeBackend({ llm: router.server.url });
  const served = await made.backend.ready(signal);
  router.statuses.a = "unloaded";
  assert.equal(await codeOf(ask(served)), "model_unloaded");
  assert.deepEqual(router.loads, { explicit: [], implicit: [] });
});

test("after that the loaded model answers the next question", async () => {
  await using router = await startRouter({ a: "loaded", b: "unloaded" });
  await using made = makeBackend({ llm: router.server.url });
  const served = await made.backend.ready(signal);
  router.statuses.a = "unloaded";
  await codeOf(ask(served));
  router.statuses.b = "loaded";
  assert.equal((await made.backend.ready(signal)).model, "b");
  assert.deepEqual(router.loads, { explicit: [], implicit: [] });
});

test("a configured model never displaces the loaded one, and one notice says so", async () => {
  await using router = await startRouter({ a: "unloaded", b: "loaded" });
  await using made = makeBackend({ llm: router.server.url, model: "a" });
  await made.backend.ready(signal);
  await made.backend.use("b");
  assert.equal(made.backend.status().model, "b");
  assert.deepEqual(
    made.notices.map((notice) => notice.code),
    ["model_not_loaded"],
  );
  assert.match(made.notices[0]?.hint ?? "", /model use a --load$/);
  assert.deepEqual(router.loads, { explicit: [], implicit: [] });
});

test("when all are unloaded, a question loads one by an explicit request, with notice and job", async () => {
  await using router = await startRouter({ a: "unloaded", b: "unloaded" });
  await using made = makeBackend({ llm: router.server.url, model: "b" });
  await made.backend.probe();
  assert.deepEqual([router.loads.explicit, made.backend.status().state], [[], "absent"]);
  const phases: string[] = [];
  const served = await made.backend.ready(signal, (phase) => phases.push(phase));
  assert.equal(served.model, "b");
  assert.equal(served.contextTokens, 1001);
  assert.deepEqual(router.loads, { explicit: ["b"], implicit: [] });
  assert.deepEqual(phases, ["loading"]);
  assert.deepEqual(
    made.notices.map((notice) => notice.code),
    ["loading_model"],
  );
  assert.deepEqual(made.jobs, ["load running", "load done"]);
});

test("load_if_none = false is an error with the command to type", async () => {
  await using router = await startRouter({ a: "unloaded" });
  const strict = { ...config, llm: router.server.url, loadIfNone: false };
  await using made = makeBackend({ config: strict });
  assert.equal(await codeOf(made.backend.ready(signal)), "not_loaded");
  assert.deepEqual(router.loads.explicit, []);
});

test("after an answer the server is looked at again in idle time, so that status stays true", async () => {
  await using router = await startRouter({ a: "loaded", b: "unloaded" });
  await using made = makeBackend({ llm: router.server.url });
  await ask(await made.backend.ready(signal));
  router.statuses.a = "unloaded";
  router.statuses.b = "loaded";
  const change = made.change();
  await change;
  assert.equal(made.backend.status().model, "b");
  assert.equal(made.backend.status().contextTokens, 1001);
});

test("Ollama is asked before each question, because naming a model would load it", async () => {
  await using ollama = await startOllama(["a", "b"], ["b"]);
  await using made = makeBackend({ llm: ollama.server.url });
  assert.equal((await made.backend.ready(signal)).model, "b");
  ollama.loaded.splice(0, 1, "a");
  assert.equal((await made.backend.ready(signal)).model, "a");
  assert.deepEqual(ollama.explicit, []);
});

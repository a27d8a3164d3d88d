// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The standing choice of server and model, and what makes it anew (cases/streams.md, rows B1, B2, B4).
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { Notice } from "../../src/message.ts";
import { Backend, type BackendOptions } from "../../src/model/backend.ts";
import type { LeaseKind, Served } from "../../src/model/model.ts";
import { type ReplyWriter, startModelServer } from "../support/model-server.ts";
import { EngineDouble } from "./engine-double.ts";
import { closedAddress, startOllama, startRouter } from "./servers.ts";

const { signal } = new AbortController();
const config = { llm: null, model: null, loadIfNone: true, temperature: null, stall: 60 };

/** A backend with everything it tells, written down. */
function makeBackend(
  options: Partial<BackendOptions> & { llm?: string | null; model?: string } = {},
) {
  const notices: Notice[] = [];
  const jobs: string[] = [];
  const changes: string[] = [];
  const changed = new EventTarget();
  const remembered = {
    model: null as string | null,
    set(model: string) {
      this.model = model;
    },
  };
  const backend = new Backend({
    config: { ...config, llm: options.llm ?? null, model: options.model ?? null },
    apiKey: null,
    candidates: [],
    within: 20_000,
    engine: new EngineDouble(),
    remembered,
    onNotice: (notice) => notices.push(notice),
    onJob: (job) => jobs.push(`${job.kind} ${job.state}`),
    onChange: () => {
      changes.push(backend.status().state);
      changed.dispatchEvent(new Event("change"));
    },
    ...options,
  });
  return {
    backend,
    notices,
    jobs,
    changes,
    remembered,
    /** Resolves at the next change. */
    change: () => once(changed, "change"),
    [Symbol.asyncDispose]: () => backend.close(),
  };
}

const ask = (served: Served, options: { kind?: LeaseKind; signal?: AbortSignal } = {}) =>
  served.complete(
    { messages: ['{"role":"user","content":"hi"}'], think: true },
    { kind: options.kind ?? "answer", signal: options.signal ?? signal, emit: () => undefined },
  );
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "",
    (thrown) => String(thrown.code ?? thrown.name),
  );

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
  });
  assert.equal(made.remembered.model, "scripted");
});

test("a llama-server gets its own fields and autoload=false, another server neither", async () => {
  await using llama = await startModelServer();
  await using strict = await startModelServer({ props: null });
  for (const [server, own] of [
    [llama, true],
    [strict, false],
  ] as const) {
    await using made = makeBackend({ llm: server.url });
    await ask(await made.backend.ready(signal));
    assert.equal(server.chats[0]?.url.endsWith("?autoload=false"), own);
    assert.equal(server.chats[0]?.json.cache_prompt, own || undefined);
  }
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
  assert.match(made.backend.status().why, /^no other server answers here; /);
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
  assert.match(made.notices[0]?.hint ?? "", /model use a$/);
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

test("a server that is gone is told as unreachable, and found again when it is back", async () => {
  const first = await startModelServer();
  await using made = makeBackend({ llm: first.url });
  const served = await made.backend.ready(signal);
  await first.close();
  assert.equal(await codeOf(ask(served)), "unreachable");
  assert.equal(made.backend.status().state, "lost");
  assert.equal(await codeOf(made.backend.ready(signal)), "unreachable");
  await using _second = await startModelServer({ port: first.port });
  assert.equal((await ask(await made.backend.ready(signal))).text, "Hello there.");
  assert.equal(made.backend.status().state, "ready");
});

test("an engine that dies within an answer costs that answer, and the next one works", async () => {
  const dying = await startModelServer({
    script: (reply) => void reply.text("Hal").response.write("", () => reply.response.destroy()),
  });
  await using healthy = await startModelServer();
  const engine = new EngineDouble(dying.url);
  await using made = makeBackend({ engine });
  assert.equal(await codeOf(ask(await made.backend.ready(signal))), "cut");
  await dying.close();
  engine.url = healthy.url;
  assert.equal((await ask(await made.backend.ready(signal))).text, "Hello there.");
  assert.equal(engine.starts, 2);
});

test("a stopped or an empty answer is no fault of the server", async () => {
  await using server = await startModelServer({ script: (reply) => reply.finish().done() });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  assert.equal(await codeOf(ask(served)), "empty_answer");
  assert.equal(await codeOf(ask(served, { signal: AbortSignal.abort() })), "20");
  assert.equal(await made.backend.ready(signal), served);
});

test("B4: two questions to one slot go one after the other, and cancelling the second keeps the first", async () => {
  const first = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({
    script: (reply, _request, count) =>
      count === 1 ? first.resolve(reply.text("a")) : reply.text("b").finish().done(),
  });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  const running = ask(served);
  const stop = new AbortController();
  const queued = ask(served, { signal: stop.signal });
  const third = ask(served);
  const reply = await first.promise;
  stop.abort();
  assert.equal(await codeOf(queued), "20");
  assert.equal(server.chats.length, 1);
  reply.finish().done();
  assert.equal((await running).text, "a");
  assert.equal((await third).text, "b");
  assert.equal(server.chats.length, 2);
});

test("a stopped request is proved idle at the server before the next one goes out", async () => {
  let looks = 0;
  const { promise: asked, resolve } = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({
    script: (reply, _request, count) =>
      count === 1 ? resolve(reply.text("a")) : reply.text("b").finish().done(),
    handle: (request, response) => {
      if (!request.url?.startsWith("/slots")) return false;
      looks += 1;
      response.end(JSON.stringify([{ id: 0, is_processing: looks < 3 }]));
      return true;
    },
  });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  const stop = new AbortController();
  const stopped = ask(served, { signal: stop.signal });
  const reply = await asked;
  stop.abort();
  assert.equal(await codeOf(stopped), "20");
  await reply.closed;
  assert.equal((await ask(served)).text, "b");
  const order = server.paths.filter((path) => /slots|chat/.test(path));
  const chat = "POST /v1/chat/completions?autoload=false";
  assert.deepEqual(order, [chat, "GET /slots", "GET /slots", "GET /slots", chat]);
});

test("a question makes a warm-up step aside", async () => {
  const warm = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({
    script: (reply, _request, count) =>
      count === 1 ? warm.resolve(reply) : reply.text("b").finish().done(),
  });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  const warming = codeOf(ask(served, { kind: "warm-up" }));
  const reply = await warm.promise;
  assert.equal((await ask(served)).text, "b");
  assert.equal(await warming, "preempted");
  await reply.closed;
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

test("closing ends what runs and the engine", async () => {
  const { promise: asked, resolve } = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({ script: (reply) => resolve(reply.text("a")) });
  const engine = new EngineDouble();
  const made = makeBackend({ llm: server.url, engine });
  const running = codeOf(ask(await made.backend.ready(signal)));
  const reply = await asked;
  await made.backend.close();
  assert.equal(await running, "closed");
  await reply.closed;
  assert.equal(engine.closed, true);
});

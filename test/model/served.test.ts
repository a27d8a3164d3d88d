// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Questions through a chosen server: one at a time, stopped, lost (cases/streams.md, row B4).
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Served } from "../../src/model/model.ts";
import { type ReplyWriter, startModelServer } from "../support/model-server.ts";
import { EngineDouble } from "./engine-double.ts";
import { ask, codeOf, makeBackend, signal } from "./made-backend.ts";

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
  const ended = { code: "cut", message: /engine ended/, hint: /Ask again/ };
  await assert.rejects(ask(await made.backend.ready(signal)), ended);
  await dying.close();
  engine.url = healthy.url;
  assert.equal((await ask(await made.backend.ready(signal))).text, "Hello there.");
  assert.equal(engine.starts, 2);
});

test("an engine that has died since the last answer is told as such, and the next question works", async () => {
  const died = await startModelServer();
  await using healthy = await startModelServer();
  const engine = new EngineDouble(died.url);
  await using made = makeBackend({ engine });
  const served = await made.backend.ready(signal);
  await died.close();
  engine.url = healthy.url;
  const ended = { code: "unreachable", message: /engine ended/, hint: /Ask again/ };
  await assert.rejects(ask(served), ended);
  assert.equal((await ask(await made.backend.ready(signal))).text, "Hello there.");
});

test("the engine's slot is made ready before each request and told of each end, one request at a time", async () => {
  const order: string[] = [];
  await using server = await startModelServer({
    script: (reply, { json }) => {
      order.push(`asked ${json.messages[0]?.content}`);
      if (json.messages[0]?.content === "bad") return reply.status(400, { error: "no" });
      reply.text("ok").finish().usage(5, 1, 3).done();
    },
  });
  const engine = new EngineDouble(server.url);
  engine.slot = {
    lacks: () => false,
    before: async (completion) => {
      order.push(`before ${completion.thread}`);
      // A turn of the event loop, so that another request could come between.
      await new Promise((resolve) => setImmediate(resolve));
    },
    after: async (completion, usage) => {
      order.push(`after ${completion.thread}, ${usage?.cached} of ${usage?.prompt}`);
    },
  };
  await using made = makeBackend({ engine });
  const served = await made.backend.ready(signal);
  const send = (word: string) =>
    served.complete(
      { messages: [JSON.stringify({ role: "user", content: word })], think: false, thread: word },
      { kind: "answer", signal, emit: () => undefined },
    );
  const bad = send("bad");
  await Promise.all([assert.rejects(bad, { code: "server_error" }), send("one"), send("two")]);
  assert.deepEqual(order, [
    ...["before bad", "asked bad"],
    ...["before one", "asked one", "after one, 3 of 5"],
    ...["before two", "asked two", "after two, 3 of 5"],
  ]);
});

test("a warm-up whose slot is being made ready steps aside for a question", async () => {
  await using server = await startModelServer();
  const engine = new EngineDouble(server.url);
  const begun = Promise.withResolvers<void>();
  engine.slot = {
    lacks: () => false,
    before: (completion, stop) =>
      new Promise((resolve, reject) => {
        if (completion.thread !== "warm") return resolve();
        stop.addEventListener("abort", () => reject(stop.reason), { once: true });
        begun.resolve();
      }),
    after: async () => undefined,
  };
  await using made = makeBackend({ engine });
  const served = await made.backend.ready(signal);
  const messages = ['{"role":"user","content":"hi"}'];
  const warm = served.complete(
    { messages, think: false, thread: "warm" },
    { kind: "warm-up", signal, emit: () => undefined },
  );
  await begun.promise;
  const asked = ask(served);
  await assert.rejects(warm, { code: "preempted" });
  assert.equal((await asked).text, "Hello there.");
  assert.equal(server.chats.length, 1);
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

const schema = { type: "object" };
const withSchema = (served: Served) =>
  served.complete(
    { messages: ['{"role":"user","content":"hi"}'], think: false, schema },
    { kind: "answer", signal, emit: () => undefined },
  );
const refusal = { error: { code: 400, message: "unknown field response_format" } };

test("a server that refuses a schema is asked without, and from then on at once", async () => {
  await using server = await startModelServer({
    props: null,
    script: (reply, { json }) =>
      json.response_format ? reply.status(400, refusal) : reply.text("b").finish().done(),
  });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  assert.equal((await withSchema(served)).text, "b");
  assert.equal((await withSchema(served)).text, "b");
  const asked = server.chats.map(({ json }) => json.response_format !== undefined);
  assert.deepEqual(asked, [true, false, false]);
  assert.equal(server.paths.includes("GET /slots"), false);
  await made.backend.probe();
  assert.equal((await withSchema(await made.backend.ready(signal))).text, "b");
  assert.equal(server.chats.length, 4);
});

test("a server that refuses or fails at everything is asked twice and told once, a busy one is asked once", async () => {
  let status = 400;
  await using server = await startModelServer({
    props: null,
    script: (reply) => reply.status(status, { error: { message: "no, never" } }),
  });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  await assert.rejects(withSchema(served), { code: "server_error", message: "no, never" });
  assert.equal(server.chats.length, 2);
  for (const [other, times] of [
    [500, 2],
    [501, 2],
    [429, 1],
  ] as const) {
    status = other;
    const before: number = server.chats.length;
    assert.equal(await codeOf(withSchema(served)), "server_error");
    const asked = server.chats.slice(before).map(({ json }) => json.response_format !== undefined);
    assert.deepEqual(asked, [true, false].slice(0, times));
  }
});

test("odds are asked of a llama-server only, and not together with tools", async () => {
  await using llama = await startModelServer({
    script: (reply) =>
      reply
        .data({
          choices: [
            {
              delta: { content: "a" },
              logprobs: { content: [{ token: "a", logprob: -0.5, top_logprobs: [] }] },
            },
          ],
        })
        .finish()
        .done(),
  });
  await using strict = await startModelServer({ props: null });
  const asked = { messages: [], think: false, odds: 5 };
  const options = { kind: "answer" as const, signal, emit: () => undefined };
  for (const server of [llama, strict]) {
    await using made = makeBackend({ llm: server.url });
    const served = await made.backend.ready(signal);
    const reply = await served.complete(asked, options);
    const odds = server === llama ? [{ text: "a", logprob: -0.5, top: [] }] : undefined;
    assert.deepEqual(reply.odds, odds);
    await served.complete({ ...asked, tools: "[]" }, options);
    const fields = server.chats.map(({ json }) => [json.logprobs, json.top_logprobs]);
    const none = [undefined, undefined];
    assert.deepEqual(fields, server === llama ? [[true, 5], none] : [none, none]);
  }
});

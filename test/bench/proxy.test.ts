// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The benchmark's proxy: bytes go through as they come, each completion is noted, a hang-up reaches the server.
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { test } from "node:test";
import { startProxy } from "../../bench/pick/proxy.ts";
import { type ReplyWriter, startModelServer } from "../support/model-server.ts";

const messages = [{ role: "user", content: "Hi" }];

function post(url: string, body: unknown) {
  const sent = request(`${url}/chat/completions`, { method: "POST", agent: false });
  sent.end(JSON.stringify(body));
  return sent;
}

test("a stream goes through unchanged, and its figures are noted", async () => {
  await using model = await startModelServer({
    script: (reply) => {
      reply.text("It ", "rains.").finish();
      const timings = { prompt_n: 7, cache_n: 30, predicted_n: 2 };
      reply.data({ choices: [], usage: { prompt_tokens: 37, completion_tokens: 2 }, timings });
      reply.done();
    },
  });
  const proxy = await startProxy({
    url: model.url,
    apiKey: "secret",
    close: async () => undefined,
  });
  const body = { messages, response_format: { type: "json_schema" }, stream: true };
  const direct = await fetch(`${model.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  const through = await fetch(`${proxy.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  assert.equal(through.headers.get("content-type"), "text/event-stream");
  assert.equal(await through.text(), await direct.text());
  assert.equal(model.chats[1]?.headers.authorization, "Bearer secret");
  assert.equal(model.chats[1]?.body, JSON.stringify(body));
  const [noted] = proxy.requests;
  assert.ok(noted);
  const { begun, started, ended, ...figures } = noted;
  assert.ok(started !== null && started > begun);
  assert.ok(ended !== null && ended >= started);
  assert.deepEqual(figures, {
    aborted: false,
    schema: true,
    body,
    sent: "user\nHi\n",
    wrote: "It rains.",
    prompt: 37,
    cached: 30,
    read: 7,
    output: 2,
    progress: null,
  });
  const props = await fetch(proxy.url.replace("/v1", "/props"));
  assert.equal(props.status, 200);
  assert.equal(proxy.requests.length, 1);
  await proxy.close();
});

test("the first piece is there before the second is written, and a hang-up closes the server's side", async () => {
  const { promise: writing, resolve: began } = Promise.withResolvers<ReplyWriter>();
  await using model = await startModelServer({
    script: (reply) => {
      began(reply.text("one"));
    },
  });
  const proxy = await startProxy({ url: model.url, apiKey: null, close: async () => undefined });
  const sent = post(proxy.url, { messages, stream: true });
  const [response] = await once(sent, "response");
  const [piece] = await once(response, "data");
  assert.match(String(piece), /one/);
  const reply = await writing;
  sent.on("error", () => undefined);
  response.on("error", () => undefined);
  sent.destroy();
  await reply.closed;
  assert.equal(proxy.requests[0]?.aborted, true);
  assert.equal(proxy.requests[0]?.wrote, "one");
  assert.equal(proxy.requests[0]?.schema, false);
  await proxy.close();
});

test("a server that cannot be reached is a broken connection", async () => {
  const model = await startModelServer();
  await model.close();
  const proxy = await startProxy({ url: model.url, apiKey: null, close: async () => undefined });
  const sent = post(proxy.url, { messages });
  const [cause] = await once(sent, "error");
  assert.equal(cause.code, "ECONNRESET");
  await proxy.close();
});

test("the reading is followed while it lasts, and a comment is no beginning", async () => {
  const { promise: writing, resolve: began } = Promise.withResolvers<ReplyWriter>();
  await using model = await startModelServer({ script: (reply) => began(reply.raw(": wait\n\n")) });
  const proxy = await startProxy({ url: model.url, apiKey: null, close: async () => undefined });
  const sent = post(proxy.url, { messages, stream: true });
  const [response] = await once(sent, "response");
  await once(response, "data");
  assert.equal(proxy.requests[0]?.started, null);
  const reply = await writing;
  reply.data({ choices: [], prompt_progress: { total: 900, cache: 100, processed: 228 } });
  await once(response, "data");
  const [noted] = proxy.requests;
  assert.deepEqual(noted?.progress, { processed: 228, total: 900, cached: 100 });
  assert.ok(noted.started !== null && noted.ended === null);
  reply.done();
  await once(response.resume(), "end");
  await proxy.close();
});

test("with a bound, an answer that has none gets it, and nothing else is changed", async () => {
  await using model = await startModelServer();
  const place = { url: model.url, apiKey: null, close: async () => undefined };
  const proxy = await startProxy(place, { longest: 40 });
  for (const body of [{ messages }, { messages, max_tokens: 20 }]) {
    const [response] = await once(post(proxy.url, body), "response");
    await once(response.resume(), "end");
  }
  assert.deepEqual(
    model.chats.map(({ json }) => json),
    [
      { messages, max_tokens: 40 },
      { messages, max_tokens: 20 },
    ],
  );
  assert.deepEqual(proxy.requests[0]?.body, { messages });
  await proxy.close();
});

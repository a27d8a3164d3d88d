// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which servers are sent a schema as a grammar, and what follows when one refuses it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Completion, LeaseKind, Served } from "../../src/model/model.ts";
import { requestBody } from "../../src/model/request.ts";
import { readGrammar } from "../support/gbnf.ts";
import { type ChatBody, type Script, startModelServer } from "../support/model-server.ts";
import { codeOf, makeBackend, signal } from "./made-backend.ts";
import { startRouter } from "./servers.ts";

const schema = { type: "object", properties: { n: { const: 1 } }, required: ["n"] };
const unheld = { type: "object", minProperties: 1 };

const ask = (served: Served, more: Partial<Completion> = {}, kind: LeaseKind = "answer") =>
  served.complete(
    { messages: ['{"role":"user","content":"hi"}'], think: false, schema, ...more },
    { kind, signal, emit: () => undefined },
  );
const fields = ({ json }: { json: ChatBody }) => ({
  grammar: json.grammar !== undefined,
  schema: json.response_format !== undefined,
});
const grammar = { grammar: true, schema: false };
const format = { grammar: false, schema: true };
const none = { grammar: false, schema: false };

const refusing =
  (...names: string[]): Script =>
  (reply, { json }) =>
    names.some((name) => json[name] !== undefined)
      ? reply.status(400, { error: { code: 400, message: "failed to parse grammar" } })
      : reply.text("{}").finish().done();

test("a llama-server is sent the grammar, another server the schema", async () => {
  await using llama = await startModelServer();
  await using strict = await startModelServer({ props: null });
  await using router = await startRouter({ m: "loaded" });
  for (const [server, expected] of [
    [llama, grammar],
    [router.server, grammar],
    [strict, format],
  ] as const) {
    await using made = makeBackend({ llm: server.url });
    await ask(await made.backend.ready(signal));
    assert.deepEqual(server.chats.map(fields), [expected]);
  }
  const sent = readGrammar(String(llama.chats[0]?.json.grammar));
  assert.ok(sent.accepts('{"n":1}') && !sent.accepts('{"n": 1}'));
});

test("the grammar stands where the schema would stand", () => {
  const completion = { messages: [], think: false, maxTokens: 5, schema };
  const llama = { model: "m", llama: true, temperature: 0 };
  const body = requestBody(completion, llama);
  assert.match(body, /"max_tokens":5,"grammar":"root ::= .*","cache_prompt":true/);
  assert.equal(body, requestBody(completion, llama));
  const other = requestBody(completion, { ...llama, grammar: false });
  assert.match(other, /"max_tokens":5,"response_format":\{.*\},"cache_prompt":true/);
});

test("the schema itself is sent with tools, with thinking, and when no grammar holds it", async () => {
  await using server = await startModelServer();
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  await ask(served, { tools: "[]" });
  await ask(served, { think: true });
  await ask(served, { schema: unheld });
  assert.deepEqual(server.chats.map(fields), [format, format, format]);
});

test("a llama-server that refuses the grammar is sent the schema, and from then on at once", async () => {
  await using server = await startModelServer({ script: refusing("grammar") });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  assert.equal((await ask(served)).text, "{}");
  assert.equal((await ask(served)).text, "{}");
  assert.deepEqual(server.chats.map(fields), [grammar, format, format]);
});

test("what a llama-server refused is still known after a look at it", async () => {
  await using server = await startModelServer({ script: refusing("grammar") });
  await using made = makeBackend({ llm: server.url });
  await ask(await made.backend.ready(signal));
  await made.backend.probe();
  await ask(await made.backend.ready(signal));
  assert.deepEqual(server.chats.map(fields), [grammar, format, format]);
});

test("a tool's schema that is refused says nothing of others", async () => {
  await using server = await startModelServer({
    script: (reply, { body }) =>
      body.includes("strange")
        ? reply.status(400, { error: { code: 400, message: "failed to parse grammar" } })
        : reply.text("{}").finish().done(),
  });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  for (const strange of [{ type: "strange" }, { const: "strange" }])
    await ask(served, { schema: strange }, "tool");
  await ask(served);
  assert.deepEqual(server.chats.map(fields), [format, none, grammar, format, none, grammar]);
});

test("one that refuses both is sent neither, and from then on at once", async () => {
  await using server = await startModelServer({ script: refusing("grammar", "response_format") });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  assert.equal((await ask(served)).text, "{}");
  assert.equal((await ask(served)).text, "{}");
  assert.deepEqual(server.chats.map(fields), [grammar, format, none, none]);
});

test("one that refuses everything is asked three times and told once, and no habit is made of it", async () => {
  await using server = await startModelServer({ script: refusing("messages") });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  assert.equal(await codeOf(ask(served)), "server_error");
  assert.deepEqual(server.chats.map(fields), [grammar, format, none]);
  server.setScript(refusing());
  await ask(await made.backend.ready(signal));
  assert.deepEqual(server.chats.map(fields).at(-1), grammar);
});

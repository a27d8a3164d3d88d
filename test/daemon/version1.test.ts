// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Version 1 of the protocol, field for field: what clients of the earlier daemon rely on.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { start } from "../support/started.ts";

const echoTool = `description = "Says a word."
command = ["printf", "%s", "{word}"]
[params.word]
required = true
`;

const tools = { "echo.toml": echoTool };

test("hello comes first, with version 1's fields in their order", async (t) => {
  const { daemon, end } = await start({ tools });
  t.after(end);
  const { hello } = await daemon.connect();
  const { model: _, ctx_max: __, ...rest } = hello;
  assert.deepEqual(Object.keys(hello), [
    "type",
    "state",
    "model",
    "ctx_used",
    "ctx_max",
    "id",
    "turns",
    "pending",
    "protocol",
  ]);
  assert.deepEqual(rest, {
    type: "hello",
    state: "idle",
    ctx_used: 0,
    id: null,
    turns: [],
    pending: null,
    protocol: 2,
  });
});

test("a turn with a tool round is told in the promised order, field for field", async (t) => {
  const { daemon, model, end } = await start({ tools });
  t.after(end);
  model.setScript((reply, request) => {
    if (request.json.messages.at(-1)?.role === "user")
      reply.think("hm").call("echo", { word: "ciao" }).finish("tool_calls").usage(20, 5).done();
    else reply.text("It says", " ciao.").finish().usage(30, 4).done();
  });
  const client = await daemon.connect();
  client.send({ type: "ask", text: "  what does it say?\n" });
  const lines = await client.turn();
  const { ctx_max: max } = (await daemon.connect()).hello;
  assert.equal(max, 8192);
  assert.deepEqual(
    lines.map((line) => JSON.stringify(line)),
    [
      '{"type":"user","text":"what does it say?"}',
      '{"type":"state","state":"thinking"}',
      '{"type":"think","delta":"hm"}',
      '{"type":"ctx","used":20,"max":8192}',
      '{"type":"tool","name":"echo","done":false}',
      '{"type":"state","state":"tool","tool":"echo"}',
      '{"type":"tool","name":"echo","done":true}',
      '{"type":"state","state":"thinking"}',
      '{"type":"token","delta":"It says"}',
      '{"type":"token","delta":" ciao."}',
      '{"type":"ctx","used":30,"max":8192}',
      '{"type":"done","id":1}',
      '{"type":"state","state":"idle"}',
    ],
  );
});

test("new, list, open, search and delete answer everybody, as they always did", async (t) => {
  const { daemon, end } = await start({ tools });
  t.after(end);
  const one = await daemon.connect();
  const two = await daemon.connect();
  one.send({ type: "ask", text: "Where is the harbour of Genoa, exactly, please?" });
  await two.turn();
  one.send({ type: "new" });
  assert.deepEqual(await two.next("conversation"), { type: "conversation", id: null, turns: [] });
  one.send({ type: "list" });
  const { items } = await two.next("conversations");
  assert.ok(Array.isArray(items));
  assert.deepEqual(Object.keys(items[0]), ["id", "title", "updated"]);
  assert.equal(items[0].title, "Where is the harbour of Genoa,");
  one.send({ type: "search", q: "harb" });
  const found = await two.next("results");
  assert.deepEqual(found, {
    type: "results",
    items: [
      {
        id: 1,
        title: "Where is the harbour of Genoa,",
        snippet: "Where is the **harbour** of Genoa, exactly, please?",
      },
    ],
  });
  one.send({ type: "open", id: 1 });
  const turn = {
    user: "Where is the harbour of Genoa, exactly, please?",
    reply: "Hello there.",
    tools: [],
  };
  assert.deepEqual(await two.next("conversation"), { type: "conversation", id: 1, turns: [turn] });
  const three = await daemon.connect();
  assert.deepEqual(three.hello.turns, [turn]);
  one.send({ type: "delete", id: 1 });
  assert.deepEqual(await two.next("conversation"), { type: "conversation", id: null, turns: [] });
  assert.deepEqual(await two.next("conversations"), { type: "conversations", items: [] });
});

test("an unknown conversation is the sender's error and stops nothing", async (t) => {
  const { daemon, model, end } = await start({ tools });
  t.after(end);
  const gate = Promise.withResolvers<void>();
  model.setScript(async (reply) => {
    reply.text("slow");
    await gate.promise;
    reply.finish().done();
  });
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  await client.next("token");
  for (const id of [99, undefined, "1", 1.5, null, {}]) {
    client.send({ type: "open", id });
    assert.deepEqual(await client.next((line) => line.type !== "state"), {
      type: "error",
      message: "no such conversation",
    });
  }
  gate.resolve();
  assert.deepEqual(await client.next("done"), { type: "done", id: 1 });
});

test("malformed lines are answered and the connection stays", async (t) => {
  const { daemon, end } = await start({ tools });
  t.after(end);
  const client = await daemon.connect();
  const bad = ["{", "[1]", '"x"', "{}", '{"type":7}', "\u0000", "x".repeat(300_000)];
  for (const line of bad) {
    client.socket.write(`${line}\n`);
    assert.deepEqual(await client.next("error"), { type: "error", message: "bad command" });
  }
  client.send({ type: "toString" });
  assert.deepEqual(await client.next("error"), {
    type: "error",
    message: "unknown command toString",
  });
  client.socket.write('\n\r\n  \n{"type":"list"}\r\n');
  assert.deepEqual(await client.next((line) => line.type !== "error"), {
    type: "conversations",
    items: [],
  });
});

test("U+2028 in a question is one question with the same text (P7)", async (t) => {
  const { daemon, end } = await start({ tools });
  t.after(end);
  const client = await daemon.connect();
  client.socket.write('{"type":"ask","text":"a\u2028b"}\n');
  assert.deepEqual(await client.next("user"), { type: "user", text: "a\u2028b" });
});

test("an empty question is ignored, a number is taken as its text", async (t) => {
  const { daemon, end } = await start({ tools });
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "  " }, { type: "ask" }, { type: "ask", text: 42 });
  assert.deepEqual(await client.next((line) => line.type !== "hello"), {
    type: "user",
    text: "42",
  });
});

test("a client that half-closes still gets the whole answer, then the close (P4)", async (t) => {
  const { daemon, home, end } = await start({ tools });
  t.after(end);
  const socket = connect({ path: home.socket, allowHalfOpen: true });
  socket.end('{"type":"ask","text":"hi"}'); // not even an LF
  const lines = (await text(socket)).trim().split("\n");
  socket.end();
  assert.equal(lines.at(-1), '{"type":"state","state":"idle"}');
  assert.ok(lines.includes('{"type":"done","id":1}'));
  assert.ok(daemon.pid > 0);
});

test("a client that comes in the middle is told the reply so far, without a gap", async (t) => {
  const { daemon, model, end } = await start({ tools });
  t.after(end);
  const gate = Promise.withResolvers<void>();
  model.setScript(async (reply) => {
    reply.think("so").text("one ", "two ");
    await gate.promise;
    reply.text("three").finish().done();
  });
  const first = await daemon.connect();
  first.send({ type: "ask", text: "count" });
  await first.next((line) => line.delta === "two ");
  const late = await daemon.connect();
  assert.equal(late.hello.state, "thinking");
  assert.deepEqual(late.hello.pending, {
    user: "count",
    reply: "one two ",
    think: "so",
    tools: [],
  });
  gate.resolve();
  assert.deepEqual(await late.next((line) => line.type !== "hello"), {
    type: "token",
    delta: "three",
  });
});

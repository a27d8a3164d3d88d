// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The client against a socket that speaks the protocol's lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, Client } from "../../src/client/client.ts";
import { ReadableError } from "../../src/errors.ts";
import type { Received } from "../../src/protocol/events.ts";
import { helloEvent, startLineServer } from "../support/line-server.ts";

const withCode = (code: string) => (fault: unknown) =>
  fault instanceof ReadableError && fault.code === code;

test("the hello is read before connect resolves", async () => {
  await using server = await startLineServer();
  await using client = await Client.connect(server.path);
  assert.deepEqual(client.hello, helloEvent);
});

test("a later hello takes the place of the first", async () => {
  await using server = await startLineServer({
    onLine: ({ req }, say) => say({ ...helloEvent, session: "main", jobs: [], req }),
  });
  await using client = await Client.connect(server.path);
  await client.request({ type: "features", names: [] });
  assert.deepEqual(client.hello.jobs, []);
});

test("answers find their requests in any order, and events keep theirs", async () => {
  const requests: string[] = [];
  await using server = await startLineServer({
    onLine: ({ req }, say) => {
      requests.push(req ?? "");
      if (requests.length < 2) return;
      const [first, second] = requests;
      say(
        { type: "token", delta: "a" },
        { type: "ok", req: second, which: 2 },
        { type: "token", delta: "b" },
        { type: "ok", req: first, which: 1 },
      );
    },
  });
  const seen: Received[] = [];
  await using client = await Client.connect(server.path, { onEvent: (event) => seen.push(event) });
  const answers = await Promise.all([
    ask(client, { type: "stop" }, "ok"),
    ask(client, { type: "stop" }, "ok"),
  ]);
  assert.deepEqual(
    answers.map((answer) => answer.which),
    [1, 2],
  );
  assert.deepEqual(
    seen.map((event) => event.type),
    ["token", "ok", "token", "ok"],
  );
});

test("an error answer rejects its request with code and hint", async () => {
  await using server = await startLineServer({
    onLine: ({ req }, say) =>
      say({ type: "error", message: "no", code: "in_use", hint: "wait", req }),
  });
  await using client = await Client.connect(server.path);
  await assert.rejects(client.request({ type: "ask", text: "x" }), (fault) => {
    assert.ok(fault instanceof ReadableError);
    assert.deepEqual([fault.code, fault.message, fault.hint], ["in_use", "no", "wait"]);
    return true;
  });
});

test("an answer of another type is a fault", async () => {
  await using server = await startLineServer({
    onLine: ({ req }, say) => say({ type: "ok", req }),
  });
  await using client = await Client.connect(server.path);
  await assert.rejects(ask(client, { type: "models" }, "models"), withCode("unexpected"));
});

test("a request ends with its connection", async () => {
  await using server = await startLineServer({
    onLine: (_heard, _say, socket) => socket.destroy(),
  });
  await using client = await Client.connect(server.path);
  await assert.rejects(client.request({ type: "list" }), withCode("lost"));
  await client.closed;
  await assert.rejects(client.request({ type: "list" }), withCode("lost"));
});

test("an aborted request rejects with the signal's reason and the connection stays", async () => {
  await using server = await startLineServer({
    onLine: ({ type, req }, say) => type === "status" && say({ type: "status", req }),
  });
  await using client = await Client.connect(server.path);
  const abort = new AbortController();
  const waiting = client.request({ type: "list" }, { signal: abort.signal });
  abort.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  assert.equal((await client.request({ type: "status" })).type, "status");
});

test("no socket is told as a daemon that is not running", async () => {
  await using server = await startLineServer();
  await assert.rejects(Client.connect(`${server.path}.none`), withCode("not_running"));
});

test("a socket without a word is told as a daemon that does not answer", async () => {
  await using server = await startLineServer({ hello: false });
  await assert.rejects(Client.connect(server.path, { timeoutMs: 20 }), withCode("no_answer"));
});

test("connecting can be given up", async () => {
  await using server = await startLineServer({ hello: false });
  const abort = new AbortController();
  const connecting = Client.connect(server.path, { signal: abort.signal });
  abort.abort();
  await assert.rejects(connecting, { name: "AbortError" });
});

test("an error instead of the hello is what connect rejects with", async () => {
  await using server = await startLineServer({
    hello: false,
    onConnect: (say) => say({ type: "error", message: "too many clients", code: "too_many" }),
  });
  await assert.rejects(Client.connect(server.path), withCode("too_many"));
});

test("lines that are no events are left out", async () => {
  await using server = await startLineServer({
    onLine: ({ req }, say, socket) => {
      socket.write("nonsense\n[]\n{}\n\n");
      say({ type: "of-tomorrow" }, { type: "ok", req });
    },
  });
  const seen: string[] = [];
  await using client = await Client.connect(server.path, {
    onEvent: (event) => seen.push(event.type),
  });
  await client.request({ type: "list" });
  assert.deepEqual(seen, ["of-tomorrow", "ok"]);
});

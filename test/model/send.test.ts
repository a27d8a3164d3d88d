// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One completion over real HTTP: aborts, silence, odd servers (cases/streams.md, rows L15, L23, L28, B1).
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { describe, ReadableError } from "../../src/errors.ts";
import type { ModelEvent } from "../../src/model/model.ts";
import { send } from "../../src/model/send.ts";
import { type ReplyWriter, type Script, startModelServer } from "../support/model-server.ts";

const never = new AbortController().signal;
const bodyText = '{"messages":[]}';
const finished = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n';

type Options = {
  signal?: AbortSignal;
  stall?: number;
  apiKey?: string;
  onEvent?: (event: ModelEvent) => void;
  onLoading?: () => void;
};

function sendTo(url: string, options: Options = {}) {
  const { signal = never, stall = 60_000, apiKey = null, onEvent, onLoading } = options;
  const call = { url: `${url}/chat/completions`, body: bodyText, apiKey, signal, stall };
  return send(call, { emit: (event) => onEvent?.(event), onLoading });
}

/** What a completion of this script fails with. */
async function faultOf(script: Script, options: Options = {}) {
  await using server = await startModelServer({ script });
  return describe(await sendTo(server.url, options).catch((thrown: unknown) => thrown));
}

/** A server of raw bytes: `answer` is called when a request has come. */
async function rawServer(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

test("a streamed reply comes as events and as a whole", async () => {
  await using server = await startModelServer();
  const events: ModelEvent[] = [];
  const reply = await sendTo(server.url, { onEvent: (event) => events.push(event) });
  assert.equal(reply.text, "Hello there.");
  assert.deepEqual(
    events.map((event) => event.type),
    ["text", "text", "usage"],
  );
  assert.equal(server.chats[0]?.body, bodyText);
});

test("[DONE] ends a reply whose connection stays open, and the connection is closed", async () => {
  const { promise, resolve } = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({
    script: (reply) => {
      resolve(reply.text("Hi").finish().data("[DONE]"));
    },
  });
  assert.equal((await sendTo(server.url)).text, "Hi");
  await (await promise).closed;
});

test("an abort closes the connection, rejects with the signal's reason and ends the events", async () => {
  const { promise, resolve } = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({
    script: (reply) => resolve(reply.text("a", "b", "c")),
  });
  const stop = new AbortController();
  const reason = new Error("stopped");
  const seen: string[] = [];
  const sending = sendTo(server.url, {
    signal: stop.signal,
    onEvent: (event) => {
      seen.push(event.type);
      stop.abort(reason);
    },
  });
  await assert.rejects(sending, (thrown) => thrown === reason);
  assert.deepEqual(seen, ["text"]);
  await (await promise).closed;
});

test("an abort before the server answers, or before the request, is the signal's reason", async () => {
  const stop = new AbortController();
  await using server = await startModelServer({ script: () => stop.abort() });
  await assert.rejects(sendTo(server.url, { signal: stop.signal }), { name: "AbortError" });
  await assert.rejects(sendTo(server.url, { signal: stop.signal }), { name: "AbortError" });
  assert.equal(server.chats.length, 1);
});

test("a server that gives no sign of life has stalled, before its answer or within it", async () => {
  const silent = await faultOf((reply) => void reply, { stall: 20 });
  assert.equal(silent.code, "stalled");
  assert.match(silent.message, /127\.0\.0\.1/);
  const halfway = await faultOf((reply) => void reply.text("Hal").raw(": ping\n\n"), { stall: 50 });
  assert.equal(halfway.code, "stalled");
});

test("L15, L28: comments count as life, and no other limit than stall ends the wait", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { promise: asked, resolve } = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({ script: (reply) => resolve(reply) });
  const events: (() => void)[] = [];
  const next = () => new Promise<void>((told) => events.push(told));
  const sending = sendTo(server.url, { stall: 900_000, onEvent: () => events.shift()?.() });
  const reply = await asked;
  context.mock.timers.tick(890_000);
  for (const word of ["a", "b", "c"]) {
    const told = next();
    reply.raw(":\n").text(word);
    await told;
    context.mock.timers.tick(890_000);
  }
  reply.finish().done();
  assert.equal((await sending).text, "abc");
});

test("nothing that listens is unreachable, with the address and what to do", async () => {
  const server = await startModelServer();
  await server.close();
  const fault = describe(await sendTo(server.url).catch((thrown: unknown) => thrown));
  assert.equal(fault.code, "unreachable");
  assert.ok(fault.message.includes(server.url) && fault.message.includes("ECONNREFUSED"));
  assert.match(fault.hint, /config\.toml/);
});

test("a connection that is closed without an answer is unreachable", async () => {
  await using server = await rawServer((socket) => socket.destroy());
  await assert.rejects(sendTo(server.url), { code: "unreachable" });
});

test("L23: a connection that breaks within the answer is cut, and its text was shown", async () => {
  for (const end of ["end", "resetAndDestroy"] as const) {
    await using server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
      socket.write('data: {"choices":[{"delta":{"content":"The answer"}}]}\n\n', () =>
        socket[end](),
      );
    });
    const seen: ModelEvent[] = [];
    const onEvent = (event: ModelEvent) => seen.push(event);
    await assert.rejects(sendTo(server.url, { onEvent }), { code: "cut" });
    assert.deepEqual(
      end === "end" ? seen : [],
      end === "end" ? [{ type: "text", delta: "The answer" }] : [],
    );
  }
});

test("a reply with its reason is whole, however the connection ends", async () => {
  await using server = await rawServer((socket) => {
    const length = finished.length.toString(16);
    socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${length}\r\n${finished}\r\n`);
  });
  assert.equal((await sendTo(server.url)).text, "Hi");
});

test("a web page, or no HTTP at all, is no model server", async () => {
  const page = await faultOf((reply) => void reply.raw("<html>").response.end());
  assert.equal(page.code, "not_a_model_server");
  const missing = await faultOf((reply) => reply.status(404, "<html>not here"));
  assert.equal(missing.code, "not_a_model_server");
  const moved = await faultOf((reply) => reply.status(301, "", { location: "/" }));
  assert.equal(moved.code, "not_a_model_server");
  await using server = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
  await assert.rejects(sendTo(server.url), { code: "not_a_model_server" });
});

test("the server's own complaint is passed on, however it is worded", async () => {
  const complaints = [
    { error: { message: "no such tool", code: 400 } },
    { error: "no such tool" },
    { detail: "no such tool" },
    { object: "error", message: "no such tool" },
  ];
  for (const complaint of complaints) {
    const fault = await faultOf((reply) => reply.status(400, complaint));
    assert.deepEqual([fault.code, fault.message], ["server_error", "no such tool"]);
  }
  const gateway = await faultOf((reply) => reply.status(502, "<html>Bad Gateway"));
  assert.equal(gateway.code, "server_error");
  assert.match(gateway.message, /502/);
});

test("a prompt that is too long is told with both numbers", async () => {
  const error = {
    code: 400,
    message: "request (4031 tokens) exceeds the available context size (2048 tokens)",
    type: "exceed_context_size_error",
    n_prompt_tokens: 4031,
    n_ctx: 2048,
  };
  const fault = await faultOf((reply) => reply.status(400, { error }));
  assert.equal(fault.code, "context_too_small");
  assert.match(fault.hint, /4031.*2048/);
});

test("a complaint without end is read no further than it is worth", async () => {
  const fault = await faultOf((reply) => {
    const block = "x".repeat(64 * 1024);
    reply.response.writeHead(500);
    const more = () => {
      while (!reply.response.destroyed && reply.response.write(block));
    };
    reply.response.on("drain", more);
    more();
  });
  assert.equal(fault.code, "server_error");
});

test("the key goes into the Authorization header and into no message", async () => {
  const apiKey = "sk-very-secret";
  const scripts: Script[] = [
    (reply) => reply.status(401, { error: { message: `wrong key ${apiKey}` } }),
    (reply) => reply.status(400, { error: { message: `bad: ${apiKey}` } }),
    (reply) => void reply.data({ error: { message: `bad: ${apiKey}` } }).response.end(),
  ];
  const codes: string[] = [];
  for (const script of scripts) {
    await using server = await startModelServer({ script });
    const thrown = await sendTo(server.url, { apiKey }).catch((fault: unknown) => fault);
    const fault = describe(thrown);
    codes.push(fault.code);
    assert.ok(!JSON.stringify(fault).includes(apiKey));
    assert.ok(thrown instanceof ReadableError && !String(thrown.stack).includes(apiKey));
    assert.equal(server.chats[0]?.headers.authorization, `Bearer ${apiKey}`);
    assert.ok(!server.chats[0]?.body.includes(apiKey) && !server.chats[0]?.url.includes(apiKey));
  }
  assert.deepEqual(codes, ["api_key", "server_error", "server_error"]);
});

const loading = { error: { message: "Loading model", type: "unavailable_error", code: 503 } };

test("B1: 503 is waited for, told once, and then the answer comes", async () => {
  let told = 0;
  await using server = await startModelServer({
    script: (reply, _request, count) =>
      count < 3 ? reply.status(503, loading) : reply.text("Here.").finish().done(),
  });
  const reply = await sendTo(server.url, {
    onLoading: () => {
      told += 1;
    },
  });
  assert.equal(reply.text, "Here.");
  assert.equal(told, 1);
  assert.equal(server.chats.length, 3);
});

test("B1: a wait for loading ends at once when it is aborted", async () => {
  const stop = new AbortController();
  await using server = await startModelServer({ script: (reply) => reply.status(503, loading) });
  const onLoading = () => stop.abort();
  await assert.rejects(sendTo(server.url, { signal: stop.signal, onLoading }), {
    name: "AbortError",
  });
  assert.equal(server.chats.length, 1);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Servers at an address: calls, and addresses where nobody or somebody else answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fingerprintOf } from "../../../src/tools/mcp/remembered.ts";
import { type Handle, startHttpServer } from "../../support/mcp/http-server.ts";
import { config, memory, open } from "../../support/mcp/opened.ts";

const once = { limits: { pausesMs: [] } };
const soon = { limits: { pausesMs: [1] } };

for (const events of [false, true]) {
  const form = events ? "a stream of events" : "JSON";
  test(`a server that answers with ${form} is called, and told when we leave`, async () => {
    await using web = await startHttpServer({ events });
    {
      await using mcp = open({ web: { url: web.url, read: ["echo"] } });
      await mcp.ready();
      const { ok, text } = await mcp.call("web__echo", { words: "over there" });
      assert.deepEqual([ok, text], [true, "over there"]);
      assert.equal(mcp.tools.get("web__echo")?.effect, "read");
    }
    assert.ok(web.asked.includes("DELETE one"));
  });
}

const status =
  (code: number, type: string, body: string): Handle =>
  (_, response) => {
    response.writeHead(code, { "content-type": type }).end(body);
    return true;
  };
for (const [title, handle, error] of [
  ["wants a login", status(401, "text/plain", "who?"), "it wants a login (HTTP 401)"],
  ["forbids it", status(403, "text/plain", "no"), "it wants a login (HTTP 403)"],
  ["has no such page", status(404, "text/html", "<p>no"), "it answered HTTP 404"],
  ["fails", status(500, "text/plain", "x".repeat(100_000)), "it answered HTTP 500"],
  ["is a web site", status(200, "text/html", "<p>hello"), "what answers there is no MCP server"],
] as const) {
  test(`an address that ${title} is told as that`, async () => {
    await using web = await startHttpServer({ handle });
    await using mcp = open({ web: { url: web.url } }, once);
    await mcp.until(() => mcp.state("web") === "failed");
    assert.equal(mcp.item("web").error, error);
  });
}

test("an address with other JSON is no server", async () => {
  await using web = await startHttpServer({ handle: status(200, "application/json", "[1]") });
  await using mcp = open({ web: { url: web.url } }, once);
  await mcp.until(() => mcp.state("web") === "failed");
  assert.notEqual(mcp.item("web").error, "");
});

test("an address where nobody listens is told in the system's words", async () => {
  const web = await startHttpServer();
  await web.stop();
  await using mcp = open({ web: { url: web.url } }, once);
  await mcp.until(() => mcp.state("web") === "failed");
  assert.equal(mcp.item("web").error, "connection refused");
});

test("an address that hangs up, and a name that nobody has, are told in words", async () => {
  const hangsUp: Handle = (_, response) => {
    response.destroy();
    return true;
  };
  await using web = await startHttpServer({ handle: hangsUp });
  const unknown = "http://no-such-host.invalid/mcp";
  await using mcp = open({ web: { url: web.url }, unknown: { url: unknown } }, once);
  for (const name of ["web", "unknown"]) {
    await mcp.until(() => mcp.state(name) === "failed");
    assert.match(mcp.item(name).error, /[a-z]+ [A-Za-z]+/);
  }
});

test("an address that never answers fails after its time", async () => {
  await using web = await startHttpServer({ handle: () => true });
  await using mcp = open({ web: { url: web.url } }, { limits: { startMs: 500, pausesMs: [] } });
  await mcp.until(() => mcp.state("web") === "failed");
  assert.equal(mcp.item("web").error, "it did not answer within 0.5 s");
});

test("a connection that breaks during a call fails it at once, and is made anew", async () => {
  await using web = await startHttpServer();
  await using mcp = open({ web: { url: web.url } }, soon);
  await mcp.ready();
  for (const how of ["destroyed", "ended"] as const) {
    web.set((rpc, response) => {
      if (rpc.method !== "tools/call") return false;
      if (how === "destroyed") response.destroy();
      else response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n");
      return true;
    });
    const { ok, text } = await mcp.call("web__echo", { words: "?" });
    assert.equal(ok, false);
    assert.match(text, /^error: the server web: /, how);
    web.set(() => false);
    await mcp.until(() => mcp.state("web") === "failed");
    await mcp.ready();
    assert.equal((await mcp.call("web__echo", { words: "again" })).text, "again");
  }
});

test("a session that the server has forgotten is begun anew", async () => {
  await using web = await startHttpServer();
  await using mcp = open({ web: { url: web.url } }, soon);
  await mcp.ready();
  web.set((rpc, response) => {
    if (rpc.method !== "tools/call") return false;
    web.set(() => false);
    response.writeHead(404).end();
    return true;
  });
  assert.match((await mcp.call("web__echo", { words: "?" })).text, /it answered HTTP 404/);
  await mcp.until(() => mcp.state("web") === "failed");
  await mcp.ready();
  assert.equal((await mcp.call("web__echo", { words: "again" })).text, "again");
});

for (const type of ["application/json", "text/event-stream"]) {
  test(`an answer of 50 MB in ${type} ends the call`, async () => {
    await using web = await startHttpServer();
    await using mcp = open({ web: { url: web.url } }, once);
    await mcp.ready();
    web.set((rpc, response) => {
      if (rpc.method !== "tools/call") return false;
      response.writeHead(200, { "content-type": type });
      response.end(`data: "${"x".repeat(50_000_000)}"`);
      return true;
    });
    const { ok, text } = await mcp.call("web__echo", { words: "?" });
    assert.equal(ok, false);
    assert.match(text, /^error: the server web: /);
  });
}

test("an event that never ends, in lines however short, ends the call", async () => {
  await using web = await startHttpServer();
  await using mcp = open({ web: { url: web.url } }, { limits: { pausesMs: [], message: 100_000 } });
  await mcp.ready();
  web.set((rpc, response) => {
    if (rpc.method !== "tools/call") return false;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const more = () => {
      if (response.destroyed) return;
      response.write("data: x\n".repeat(1000));
      setImmediate(more);
    };
    more();
    return true;
  });
  const { ok, text } = await mcp.call("web__echo", { words: "?" });
  assert.equal(ok, false);
  assert.match(text, /^error: the server web: /);
});

for (const [how, answers] of [
  ["was given up", false],
  ["has its answer", true],
] as const) {
  test(`the stream of a call that ${how} is closed, and the server stays`, async () => {
    await using web = await startHttpServer({ events: true });
    await using mcp = open({ web: { url: web.url } }, once);
    await mcp.ready();
    const called = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    web.set(({ method, id }, response) => {
      if (method !== "tools/call") return false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.on("close", closed.resolve);
      const result = { content: [{ type: "text", text: "there" }] };
      response.write(
        answers ? `data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n` : ":\n\n",
      );
      called.resolve();
      return true;
    });
    const stop = new AbortController();
    const going = mcp.call("web__echo", { words: "?" }, stop.signal);
    await called.promise;
    if (answers) assert.equal((await going).text, "there");
    else {
      stop.abort(new Error("stopped"));
      await assert.rejects(going, /stopped/);
    }
    await closed.promise;
    web.set(() => false);
    assert.equal((await mcp.call("web__echo", { words: "still" })).text, "still");
  });
}

test("a stop during a call ends neither the connection nor the server", async () => {
  await using web = await startHttpServer({ events: true });
  await using mcp = open({ web: { url: web.url } }, once);
  await mcp.ready();
  const called = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  web.set(({ method }, response) => {
    if (method === "notifications/cancelled") cancelled.resolve();
    if (method !== "tools/call") return false;
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    cancelled.promise.then(() => void response.end());
    called.resolve();
    return true;
  });
  const stop = new AbortController();
  const going = mcp.call("web__echo", { words: "?" }, stop.signal);
  await called.promise;
  const reason = new Error("stopped");
  stop.abort(reason);
  await assert.rejects(going, reason);
  await cancelled.promise;
  web.set(() => false);
  assert.equal((await mcp.call("web__echo", { words: "still" })).text, "still");
});

test("a reading tool of another machine carries words there", async () => {
  const tool = {
    name: "find",
    description: "Finds.",
    parameters: { type: "object" },
    present: true,
  };
  const marks = { description: "a", parameters: "b" };
  for (const [url, effect] of [
    ["https://mcp.invalid/mcp", "send"],
    ["http://127.0.0.1.invalid/mcp", "send"],
    ["http://127.0.0.1:1/mcp", "read"],
    ["http://[::1]:1/mcp", "read"],
    ["http://localhost:1/mcp", "read"],
  ] as const) {
    const fingerprint = fingerprintOf(config({ url }));
    const remembered = memory({
      a: { fingerprint, listed: true, tools: [{ ...tool, marks, accepted: marks }] },
    });
    await using mcp = open({ a: { url, read: ["find"] } }, { ...once, remembered });
    assert.equal(mcp.tools.get("a__find")?.effect, effect, url);
  }
});

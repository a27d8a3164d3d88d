// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A turn stopped at each of its events, clients that join in a storm, and one that asks and half-closes.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { type Line, TestClient } from "../support/daemon.ts";
import type { Script } from "../support/model-server.ts";
import { start } from "../support/started.ts";

const echo =
  'description = "Echoes."\ncommand = ["printf", "%s", "={text}"]\n[params.text]\nrequired = true\n';

/** Thinks, calls two tools, then one that comes as text, then answers. */
const long: Script = (reply, { json: { messages } }) => {
  const asked = messages.findLastIndex((message) => message.content.startsWith("["));
  const rounds = messages.slice(asked).filter((message) => message.role === "assistant").length;
  if (rounds === 0) {
    reply.think("h", "m").text("Look.").call("echo", { text: "a" }, { index: 0 });
    reply.call("echo", { text: "b" }, { index: 1 }).usage(100, 5).finish("tool_calls").done();
  } else if (rounds === 1) {
    reply.text('{"name":"echo",', '"arguments":{"text":"c"}}').finish().usage(120, 5, 90).done();
  } else reply.text("All", " done.").finish().usage(150, 3, 120).done();
};

test("a stop at any event of a turn ends it there, and the question after it is answered whole", async (t) => {
  const { daemon, model, end } = await start({ script: long, tools: { "echo.toml": echo } });
  t.after(end);
  const old = await daemon.connect();
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["queue", "progress", "notice"] });
  client.send({ type: "ask", text: "whole" });
  const whole = await client.turn();
  const tokens = (lines: Line[]) => lines.map((line) => line.delta ?? "").join("");
  for (let stopAt = 0; stopAt < whole.length - 2; stopAt += 1) {
    client.send({ type: "ask", text: "stopped" });
    await client.next("user");
    for (let seen = 0; seen < stopAt; seen += 1) await client.next(() => true);
    client.send({ type: "stop" }, { type: "ask", text: "after" });
    await client.next((line) => line.type === "user" && line.text === "after");
    const from = client.lines.findLastIndex((line) => line.type === "user");
    await client.next((line) => line.type === "done" && line.stopped !== true);
    assert.equal(tokens(client.lines.slice(from)), tokens(whole), `after event ${stopAt}`);
  }
  const ended = new Set<unknown>();
  for (const { type, key } of client.lines) {
    assert.ok(!ended.has(key) || type === "state", `${type} after the end of its turn`);
    if (type === "done" || type === "error") ended.add(key);
  }
  for (const { json } of model.chats) {
    const pairs = json.messages.map(({ role }, at) => `${role} ${json.messages[at - 1]?.role}`);
    assert.ok(!pairs.includes("user user"));
  }
  await client.ask({ type: "list" });
  const added = old.lines.filter((line) => "key" in line || "call" in line || "stats" in line);
  assert.deepEqual(added, []);
});

test("whoever joins in a storm of tokens has each of them once", async (t) => {
  const parts = Array.from({ length: 3000 }, (_, index) => `t${index} `);
  const { daemon, end } = await start({
    props: null,
    script: async (reply) => {
      for (let at = 0; at < parts.length; at += 10) {
        reply.text(...parts.slice(at, at + 10));
        await new Promise((resolve) => setImmediate(resolve));
      }
      reply.finish().done();
    },
  });
  t.after(end);
  const first = await daemon.connect();
  first.send({ type: "ask", text: "q" });
  await first.next("token");
  const clients = await Promise.all(Array.from({ length: 40 }, () => daemon.connect()));
  for (const [index, client] of clients.entries()) {
    if (index % 2 === 1) client.send({ type: "features", names: [], req: "f" });
  }
  await first.next("done");
  for (const [index, client] of clients.entries()) {
    await client.ask({ type: "list" });
    const at = client.lines.findLastIndex((line) => line.type === "hello");
    const hello = client.lines[at];
    assert.ok(hello);
    const { pending, turns } = hello;
    const before = ((pending as Line | null) ?? (turns as Line[]).at(-1))?.reply ?? "";
    const rest = client.lines.slice(at).filter((line) => line.type === "token");
    const text = before + rest.map((line) => line.delta).join("");
    assert.equal(text, parts.join(""), `client ${index}`);
  }
});

test("a client that half-closes gets exactly one answer to each command, then the close", async (t) => {
  const { daemon, home, end } = await start();
  t.after(end);
  await daemon.connect();
  const client = new TestClient(home.socket);
  const closed = once(client.socket, "end");
  const types = [
    "list",
    "bad",
    "search",
    "models",
    "status",
    "use",
    "cancel",
    "watch",
    "show",
    "ask",
  ];
  const lines = types.map((type, index) =>
    JSON.stringify({ type, req: String(index), model: "none", job: "none", q: "x", text: "q" }),
  );
  client.socket.end(`${lines.join("\n")}\n{"type":`);
  await closed;
  const answers = client.lines.flatMap(({ req, type }) =>
    req === undefined ? [] : [`${req} ${type}`],
  );
  assert.deepEqual(answers.sort(), [
    "0 conversations",
    "1 error",
    "2 results",
    "3 models",
    "4 status",
    "5 error",
    "6 error",
    "7 hello",
    "8 error",
    "9 ok",
  ]);
  assert.equal(client.lines.filter((line) => line.message === "bad command").length, 1);
  // What looks at the model server may answer after the turn has ended.
  assert.equal(client.lines.findLast(({ type }) => type === "state")?.state, "idle");
});

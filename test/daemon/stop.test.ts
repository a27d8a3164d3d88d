// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stop means stopped: for the clients at once, for the server and the tools in truth.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeHome, startDaemon } from "../support/daemon.ts";
import { type ReplyWriter, startModelServer } from "../support/model-server.ts";

async function start() {
  const model = await startModelServer();
  const home = makeHome();
  home.config(`llm = "${model.url}"\n`);
  const daemon = await startDaemon(home);
  const end = async () => {
    await daemon.stop();
    await model.close();
    home.remove();
  };
  return { model, home, daemon, end };
}

/** A reply that says one word and then nothing, for ever. */
function hanging() {
  const { promise: reply, resolve } = Promise.withResolvers<ReplyWriter>();
  return { reply, script: (writer: ReplyWriter) => resolve(writer.text("word")) };
}

test("a stop ends the turn at once, closes the request, and stores nothing", async (t) => {
  const { daemon, model, end } = await start();
  t.after(end);
  const { reply, script } = hanging();
  model.setScript(script);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  await client.next("token");
  client.send({ type: "stop" });
  assert.deepEqual(await client.next((line) => line.type !== "token"), {
    type: "done",
    id: null,
    stopped: true,
  });
  assert.deepEqual(await client.next(() => true), { type: "state", state: "idle" });
  await (await reply).closed;
  client.send({ type: "stop" }, { type: "list" });
  assert.deepEqual(await client.next(() => true), { type: "conversations", items: [] });
});

test("a question asked at once after a stop is answered, without the stopped one before it (L25, P10)", async (t) => {
  const { daemon, model, end } = await start();
  t.after(end);
  const { script } = hanging();
  model.setScript(script);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "first" });
  await client.next("token");
  model.setScript((writer) => writer.text("yes").finish().done());
  client.send({ type: "stop" }, { type: "ask", text: "second" });
  await client.next("user");
  assert.equal((await client.next((line) => line.type === "done" && !line.stopped)).id, 1);
  const roles = model.chats.at(-1)?.json.messages.map((message) => message.role);
  assert.deepEqual(roles, ["system", "user"]);
  assert.match(model.chats.at(-1)?.json.messages[1]?.content ?? "", /second$/);
});

test("a new question stops the one in flight, in that order", async (t) => {
  const { daemon, model, end } = await start();
  t.after(end);
  const { script } = hanging();
  model.setScript(script);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "first" });
  await client.next("token");
  model.setScript((writer) => writer.text("yes").finish().done());
  client.send({ type: "ask", text: "second" });
  const types: string[] = [];
  await client.next((line) => {
    types.push(line.type);
    return line.type === "token";
  });
  assert.deepEqual(types, ["done", "state", "user", "state", "token"]);
});

test("a stop kills a running tool with its whole group, and the next question is answered (P10)", async (t) => {
  const { daemon, model, home, end } = await start();
  t.after(end);
  const pids = join(home.folder, "pids");
  home.tool("slow.toml", `description = "Slow."\ncommand = ["slow"]\ntimeout = 60\n`);
  home.tool("slow", `#!/bin/sh\nsleep 1000 &\necho $! $$ > ${pids}\nwait\n`);
  chmodSync(join(home.tools, "slow"), 0o700);
  model.setScript((writer) => writer.call("slow", {}).finish("tool_calls").done());
  const client = await daemon.connect();
  client.send({ type: "new" }, { type: "ask", text: "q" });
  await client.next((line) => line.type === "state" && line.state === "tool");
  while (!existsSync(pids) || readFileSync(pids, "utf8").trim() === "")
    await new Promise(setImmediate);
  const [child, parent] = readFileSync(pids, "utf8").trim().split(" ");
  model.setScript((writer) => writer.text("yes").finish().done());
  client.send({ type: "stop" }, { type: "ask", text: "second" });
  await client.next((line) => line.type === "done" && line.stopped === true);
  await client.next((line) => line.type === "done" && !line.stopped);
  const alive = (pid: string | undefined) => {
    const stat = `/proc/${pid}/stat`;
    return existsSync(stat) && !readFileSync(stat, "utf8").includes(") Z ");
  };
  while (alive(child) || alive(parent)) await new Promise(setImmediate);
  const types = client.lines.filter((line) => line.type === "tool").map((line) => line.done);
  assert.deepEqual(types, [false]);
});

test("SIGTERM in the middle of a turn tells the clients, exits 0, and the next daemon is idle and answers (P9)", async (t) => {
  const { daemon, model, home, end } = await start();
  t.after(end);
  const { script } = hanging();
  model.setScript(script);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  await client.next("token");
  daemon.child.kill("SIGTERM");
  assert.equal((await client.next("done")).stopped, true);
  assert.deepEqual(await daemon.exited, [0, null]);
  assert.equal(existsSync(home.socket), false);
  model.setScript((writer) => writer.text("yes").finish().done());
  await using next = await startDaemon(home);
  const again = await next.connect();
  assert.equal(again.hello.state, "idle");
  again.send({ type: "ask", text: "q" });
  assert.deepEqual(await again.next("done"), { type: "done", id: 1 });
});

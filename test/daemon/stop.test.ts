// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stop means stopped: for the clients at once, for the server and the tools in truth.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import type { ReplyWriter } from "../support/model-server.ts";
import { start } from "../support/started.ts";

/** A turn that has said one word and then says nothing, for ever. */
async function hanging(t: TestContext, text: string) {
  const { daemon, model, home, end } = await start();
  t.after(end);
  const { promise: reply, resolve } = Promise.withResolvers<ReplyWriter>();
  model.setScript((writer) => resolve(writer.text("word")));
  const client = await daemon.connect();
  client.send({ type: "ask", text });
  await client.next("token");
  return { daemon, model, home, client, reply };
}

test("a stop ends the turn at once, closes the request, and stores nothing", async (t) => {
  const { client, reply } = await hanging(t, "q");
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
  const { model, client } = await hanging(t, "first");
  model.setScript((writer) => writer.text("yes").finish().done());
  client.send({ type: "stop" }, { type: "ask", text: "second" });
  await client.next("user");
  assert.equal((await client.next((line) => line.type === "done" && !line.stopped)).id, 1);
  const roles = model.chats.at(-1)?.json.messages.map((message) => message.role);
  assert.deepEqual(roles, ["system", "user"]);
  assert.match(model.chats.at(-1)?.json.messages[1]?.content ?? "", /second$/);
});

test("a new question stops the one in flight, in that order", async (t) => {
  const { model, client } = await hanging(t, "first");
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
  const pipe = join(home.folder, "pipe");
  spawnSync("mkfifo", [pipe]);
  home.tool("slow.toml", 'description = "Slow."\ncommand = ["slow"]\ntimeout = 60\n');
  // Every process of the group holds the pipe open: its end is the end of all of them.
  home.tool("slow", `#!/bin/sh\nexec 3>${pipe}\nsleep 1000 &\necho up >&3\nwait\n`);
  chmodSync(join(home.tools, "slow"), 0o700);
  const held = createReadStream(pipe);
  const gone = once(held, "end");
  model.setScript((writer) => writer.call("slow", {}).finish("tool_calls").done());
  const client = await daemon.connect();
  client.send({ type: "new" }, { type: "ask", text: "q" });
  await client.next((line) => line.type === "state" && line.state === "tool");
  await once(held, "data");
  model.setScript((writer) => writer.text("yes").finish().done());
  client.send({ type: "stop" }, { type: "ask", text: "second" });
  await client.next((line) => line.type === "done" && line.stopped === true);
  await client.next((line) => line.type === "done" && !line.stopped);
  await gone;
  const types = client.lines.filter((line) => line.type === "tool").map((line) => line.done);
  assert.deepEqual(types, [false]);
});

test("SIGTERM in the middle of a turn tells the clients, exits 0, and the next daemon is idle and answers (P9)", async (t) => {
  const { daemon, model, home, client } = await hanging(t, "q");
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

test("a daemon whose log nobody reads any more serves on, and ends at SIGTERM", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  daemon.child.stderr?.destroy();
  const client = await daemon.connect();
  client.send("no command");
  await client.next("error");
  assert.equal((await client.ask({ type: "status" })).type, "status");
  assert.equal(await daemon.stop(), 0);
});

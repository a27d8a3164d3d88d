// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asks the real daemon with the real engine and the smallest useful model what a person would ask.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { run } from "../test/support/command.ts";
import { openDaemon, openHome, question, read } from "./home.ts";

let home: Awaited<ReturnType<typeof openHome>>;
let daemon: Awaited<ReturnType<typeof openDaemon>>;

before(async () => {
  home = await openHome({
    model: "qwen2.5-coder-1.5b",
    config: "temperature = 0\n",
  });
  daemon = await openDaemon(home);
});

after(async () => {
  await daemon?.stop();
  home?.remove();
});

const fresh = () => daemon.client.ask({ type: "new" });

test("a follow-up is answered with the question before it, which is not read again", async (t) => {
  await fresh();
  const { client } = daemon;
  const first = await question(client, "What is the capital of Italy? One word.");
  assert.equal(first.end.type, "done", JSON.stringify(first.end));
  assert.match(first.reply, /Rome/);
  const asked = "And of France? One word.";
  const second = await question(client, asked);
  assert.match(second.reply, /Paris/);
  const words = `What is the capital of Italy? One word.${first.reply}${asked}`;
  const own = await daemon.engine().count(words);
  const read = second.stats.prompt - second.stats.cached;
  t.diagnostic(`first: ${first.stats.prompt} tokens, ${first.ms} ms to its end`);
  t.diagnostic(
    `second: ${second.stats.prompt} tokens, ${read} read (${own} words), ${second.ms} ms`,
  );
  // The rest is the time stamp, and the marks around each message.
  assert.ok(read < own + 60, `${read} of ${second.stats.prompt} read, ${own} in words`);
  assert.ok(second.stats.cached > 100, "the fixed beginning comes from the cache");
});

test("a stop in the middle leaves the engine idle, and the next question is answered", async (t) => {
  await fresh();
  const { client } = daemon;
  client.send({ type: "ask", text: "Count from 1 to 500, one number a line." });
  await client.next("token");
  const begun = performance.now();
  client.send({ type: "stop" });
  const done = await client.next((line) => line.type === "done" || line.type === "error");
  assert.equal(done.stopped, true);
  const told = performance.now();
  const engine = daemon.engine();
  // The engine answers this between two batches, so each look is a wait for its progress.
  while (JSON.stringify(await engine.ask("/slots")).includes('"is_processing":true'));
  const idle = performance.now();
  t.diagnostic(`told in ${Math.round(told - begun)} ms, idle in ${Math.round(idle - begun)} ms`);
  const next = await question(client, "What is the capital of Italy? One word.");
  assert.match(next.reply, /Rome/);
  assert.equal(daemon.engine().pid, engine.pid);
});

test("two sessions take turns, each with its own conversation", async () => {
  await fresh();
  const { client } = daemon;
  const other = await daemon.connect();
  await other.ask({ type: "features", names: [] });
  await other.ask({ type: "unwatch", session: "main" });
  await other.ask({ type: "watch", session: "script" });
  client.send({
    type: "ask",
    text: "What is the capital of Italy? Say two long sentences about it.",
  });
  await client.next("token");
  other.send({ type: "ask", text: "What is the capital of Spain? One word.", session: "script" });
  const theirs = await other.turn();
  assert.match(read(theirs).reply, /Madrid/);
  assert.ok(
    theirs.some((line) => line.waiting === true),
    "the second session is told that it waits",
  );
  const again = await question(client, "Which city did I ask for? One word.");
  assert.match(again.reply, /Rome/);
});

test("a sum is calculated by a tool that was just added, and the answer holds its result", async (t) => {
  const added = await run(["tools", "add", "calc"], { env: home.env });
  assert.equal(added.status, 0, added.errors);
  await fresh();
  const sum = await question(daemon.client, "How much is 4711 times 2026? Use the tool.");
  assert.equal(sum.end.type, "done", JSON.stringify(sum.end));
  const [call] = sum.calls;
  assert.equal(call?.name, "calc");
  assert.equal(call?.ok, true, JSON.stringify(call));
  assert.match(sum.reply.replaceAll(/[,.\s\u202f']/g, ""), /9544486/);
  assert.doesNotMatch(sum.reply, /^\s*(```|\{)/);
  t.diagnostic(`${sum.calls.length} call, ${sum.stats.prompt} tokens, ${sum.ms} ms`);
});

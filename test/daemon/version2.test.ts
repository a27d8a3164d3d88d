// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Version 2: features, req, queue, sessions, replace, private, show.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import { gates } from "../support/gates.ts";
import { start } from "../support/started.ts";

test("features gives a version 2 hello, and every turn event then has its key", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  const hello = await client.ask({ type: "features", names: ["queue", "no such one"] });
  assert.equal(hello.type, "hello");
  assert.deepEqual(
    [hello.protocol, hello.session, hello.private, hello.unfinished, hello.jobs],
    [2, "main", false, null, []],
  );
  const ok = await client.ask({ type: "ask", text: "q" });
  assert.deepEqual(Object.keys(ok), ["type", "key", "req"]);
  const lines = await client.turn();
  const keyed = lines.filter((line) => line.key === ok.key).map((line) => line.type);
  assert.deepEqual(keyed, ["user", "state", "token", "token", "ctx", "done", "state"]);
  const stats = lines.at(-2)?.stats;
  assert.deepEqual(Object.keys(stats as object), [
    "first_token_ms",
    "total_ms",
    "prompt_tokens",
    "cached_tokens",
    "output_tokens",
    "tools",
    "tokens_per_second",
  ]);
});

test("ok with the key comes before the turn's events", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q", req: "a" });
  assert.deepEqual((await client.next(() => true)).type, "ok");
  assert.deepEqual((await client.next(() => true)).type, "user");
});

test("faults carry their req, a stable code and a hint where there is one", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  const cases: [Record<string, unknown>, string][] = [
    [{ type: "ask", text: " " }, "empty"],
    [{ type: "ask", text: "x", replace: "nope" }, "no_turn"],
    [{ type: "ask", text: "x", when: "later" }, "bad_field"],
    [{ type: "ask", text: "x", session: 5 }, "bad_field"],
    [{ type: "ask", text: "x", aloud: "yes" }, "bad_field"],
    [{ type: "open", id: 7 }, "no_conversation"],
    [{ type: "show", id: 7 }, "no_conversation"],
    [{ type: "show" }, "no_conversation"],
    [{ type: "list", limit: -1 }, "bad_field"],
    [{ type: "features", names: "queue" }, "bad_field"],
    [{ type: "nothing" }, "unknown_command"],
    [{ type: "use" }, "bad_field"],
    [{ type: "remove", model: "no such model" }, "no_model"],
  ];
  for (const [command, code] of cases) {
    const answer = await client.ask(command);
    assert.deepEqual([answer.type, answer.code], ["error", code], JSON.stringify(command));
    assert.equal(typeof answer.hint, "string");
  }
});

test("queued questions are asked one after another, can be taken back, and a stop drops them", async (t) => {
  const { script, release } = gates();
  const { daemon, end } = await start({ script });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["queue"] });
  await client.ask({ type: "ask", text: "one" });
  const two = await client.ask({ type: "ask", text: "two", when: "queue" });
  const three = await client.ask({ type: "ask", text: "three", when: "queue" });
  assert.deepEqual((await client.next("queue")).items, [
    { key: two.key, text: "two" },
    { key: three.key, text: "three" },
  ]);
  const taken = await client.ask({ type: "stop", key: two.key });
  assert.deepEqual([taken.stopped, taken.dropped], [null, [two.key]]);
  const { hello } = await daemon.connect();
  assert.equal((hello.pending as Line).user, "one");
  release("one");
  await client.next((line) => line.type === "state" && line.state === "idle");
  assert.equal((await client.next("user")).text, "three");
  const four = await client.ask({ type: "ask", text: "four", when: "queue" });
  const stopped = await client.ask({ type: "stop" });
  assert.deepEqual([stopped.stopped, stopped.dropped], [three.key, [four.key]]);
  assert.deepEqual((await client.ask({ type: "stop", key: three.key })).stopped, null);
});

test("a stop by key ends that turn and the queue goes on", async (t) => {
  const { script, release } = gates();
  const { daemon, end } = await start({ script });
  t.after(end);
  const client = await daemon.connect();
  const one = await client.ask({ type: "ask", text: "one" });
  await client.ask({ type: "ask", text: "two", when: "queue" });
  const stopped = await client.ask({ type: "stop", key: one.key });
  assert.deepEqual([stopped.stopped, stopped.dropped], [one.key, []]);
  await client.next((line) => line.type === "token" && line.delta === "<two>");
  release("two");
  assert.equal((await client.next("done")).id, 1);
});

test("replace asks again from a turn on; stopped, the old turns stand; done, they are gone from what is sent", async (t) => {
  const { script, release } = gates();
  const { daemon, model, end } = await start({ script });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: [] });
  for (const text of ["one", "two", "again", "last"]) release(text);
  const keys: unknown[] = [];
  for (const text of ["one", "two"]) {
    client.send({ type: "ask", text });
    keys.push((await client.turn())[0]?.key);
  }
  await client.ask({ type: "ask", text: "held", replace: keys[0] });
  await client.next("token");
  await client.ask({ type: "stop" });
  const restored = client.lines
    .filter((line) => line.type === "conversation")
    .map((line) => (line.turns as Line[]).map((turn) => turn.user));
  assert.deepEqual(restored, [[], ["one", "two"]]);
  const again = await client.ask({ type: "ask", text: "again", replace: keys[0] });
  await client.next("done");
  const shown = await client.ask({ type: "show", id: 1 });
  const turns = shown.turns as Line[];
  assert.deepEqual(
    turns.map((turn) => [turn.user, turn.versions]),
    [["again", [keys[0]]]],
  );
  assert.equal(turns[0]?.key, again.key);
  client.send({ type: "ask", text: "last" });
  await client.turn();
  assert.doesNotMatch(JSON.stringify(model.chats.at(-1)?.json.messages), /two/);
});

test("nothing of a private conversation reaches disk, log, search or list", async (t) => {
  const { daemon, home, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["changed"] });
  const fresh = await client.ask({ type: "new", private: true });
  assert.deepEqual([fresh.id, fresh.private], [null, true]);
  client.send({ type: "ask", text: "xylophone secret" });
  const lines = await client.turn();
  assert.equal(lines.find((line) => line.type === "done")?.id, null);
  assert.deepEqual((await client.ask({ type: "search", q: "xylophone" })).items, []);
  assert.deepEqual((await client.ask({ type: "list" })).items, []);
  assert.equal(((await daemon.connect()).hello.turns as Line[]).length, 1);
  assert.deepEqual(
    client.lines.filter((line) => line.type === "changed"),
    [],
  );
  await daemon.stop();
  assert.doesNotMatch(daemon.log.join("\n"), /xylophone/);
  for (const file of readdirSync(home.data)) {
    assert.doesNotMatch(readFileSync(join(home.data, file), "latin1"), /xylophone/, file);
  }
});

test("show reads pages of a conversation without opening it", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  for (const text of ["one", "two", "three"]) {
    client.send({ type: "ask", text });
    await client.turn();
  }
  client.send({ type: "new" });
  const last = await client.ask({ type: "show", id: 1, limit: 2 });
  const turns = last.turns as Line[];
  assert.deepEqual([turns.map((turn) => turn.user), last.more], [["two", "three"], true]);
  const first = await client.ask({ type: "show", id: 1, limit: 2, before_key: turns[0]?.key });
  assert.deepEqual(
    [(first.turns as Line[]).map((turn) => turn.user), first.more],
    [["one"], false],
  );
  assert.equal((await daemon.connect()).hello.id, null);
});

test("aloud asks for plain sentences and no thinking, and leaves no trace in the next question", async (t) => {
  const { daemon, model, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q", aloud: true });
  await client.turn();
  client.send({ type: "ask", text: "r" });
  await client.turn();
  const [spoken, written] = model.chats.map((chat) => chat.json);
  assert.match(spoken?.messages.at(-1)?.content ?? "", /q\n\(Your answer will be read aloud/);
  assert.deepEqual(
    [spoken?.chat_template_kwargs, written?.chat_template_kwargs],
    [{ enable_thinking: false }, { enable_thinking: true }],
  );
  assert.equal(written?.messages[1]?.content, "q");
});

test("status tells what runs", async (t) => {
  const { daemon, model, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  await client.turn();
  const status = await client.ask({ type: "status" });
  assert.equal(status.pid, daemon.pid);
  assert.equal((status.backend as Line).url, model.url);
  assert.equal((status.counts as Line).clients, 1);
});

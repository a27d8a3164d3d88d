// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Sessions: each its own conversation, one model for all of them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type Home, type Line, startDaemon, type TestClient } from "../support/daemon.ts";
import { gates } from "../support/gates.ts";
import { start } from "../support/started.ts";

/** A question whose turn cannot be stored: somebody else holds the file until it is done. */
async function askUnsaved(client: TestClient, home: Home): Promise<void> {
  const db = new DatabaseSync(join(home.data, "history.db"));
  db.exec("BEGIN IMMEDIATE");
  client.send({ type: "ask", text: "unsaved" });
  await client.next("notice");
  await client.next("done");
  db.exec("ROLLBACK");
  db.close();
}

test("a session of its own leaves the screen alone, and is forgotten when nobody needs it", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  const screen = await daemon.connect();
  const script = await daemon.connect();
  const hello = await script.ask({ type: "watch", session: "job" });
  assert.deepEqual([hello.type, hello.session, hello.id], ["hello", "job", null]);
  script.send({ type: "ask", text: "q", session: "job" });
  const lines = await script.turn();
  assert.ok(lines.every((line) => line.session === "job"));
  assert.equal((await script.ask({ type: "unwatch", session: "job" })).type, "ok");
  assert.equal(
    (await script.ask({ type: "watch", session: "job" })).id,
    null,
    "a fresh conversation again",
  );
  await screen.ask({ type: "list" });
  assert.deepEqual(
    screen.lines.filter((line) => line.type === "user"),
    [],
  );
  assert.equal((await daemon.connect()).hello.id, null);
});

test("a command that comes to nothing leaves no session behind", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  for (const name of ["a", "__proto__", "\u{1f40e}", "x".repeat(64)]) {
    for (const command of [
      { type: "stop" },
      { type: "stop", key: "k" },
      { type: "ask", text: " " },
      { type: "ask", text: "q", replace: "k" },
      { type: "open", id: 7 },
      { type: "new", private: 1 },
    ])
      await client.ask({ ...command, session: name });
  }
  assert.equal(((await client.ask({ type: "status" })).counts as Line).sessions, 1);
});

test("a session in which a client opened a conversation is there for its questions, until it unwatches", async (t) => {
  const { daemon, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["changed"] });
  client.send({ type: "ask", text: "one" });
  await client.next("changed");
  client.send({ type: "new" }, { type: "open", id: 1, session: "job" });
  for (const text of ["two", "three"]) {
    client.send({ type: "ask", text, session: "job" });
    await client.next("changed");
  }
  const { turns } = await client.ask({ type: "show", id: 1 });
  assert.deepEqual(
    (turns as Line[]).map((turn) => turn.user),
    ["one", "two", "three"],
  );
  await client.ask({ type: "unwatch", session: "job" });
  assert.equal(((await client.ask({ type: "status" })).counts as Line).sessions, 1);
});

test("two sessions never have two requests in flight, and the one that waits says so (B4)", async (t) => {
  const { script, release } = gates();
  const { daemon, model, end } = await start({ script });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: [] });
  await client.ask({ type: "watch", session: "b" });
  await client.ask({ type: "ask", text: "one" });
  await client.next("token");
  const two = await client.ask({ type: "ask", text: "two", session: "b" });
  await client.next((line) => line.session === "b" && line.waiting === true);
  assert.equal(model.chats.length, 1);
  assert.equal((await client.ask({ type: "stop", key: two.key, session: "b" })).stopped, two.key);
  release("one");
  assert.equal(
    (await client.next((line) => line.type === "done" && line.session === undefined)).id,
    1,
  );
  assert.equal(model.chats.length, 1);
});

test("a conversation that is answered in another session is in use, and is renewed there when stored", async (t) => {
  const { script, release } = gates();
  const { daemon, end } = await start({ script });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["changed"] });
  release("one");
  client.send({ type: "ask", text: "one" });
  assert.equal((await client.next("changed")).id, 1);
  await client.ask({ type: "watch", session: "b" });
  await client.ask({ type: "open", id: 1, session: "b" });
  await client.ask({ type: "ask", text: "two", session: "b" });
  assert.equal((await client.ask({ type: "ask", text: "three" })).code, "in_use");
  release("two");
  const renewed = await client.next(
    (line) => line.type === "conversation" && line.session === undefined,
  );
  assert.deepEqual(
    (renewed.turns as Line[]).map((turn) => turn.user),
    ["one", "two"],
  );
});

test("a turn that could not be saved is not lost when another session goes on with its conversation", async (t) => {
  const { daemon, home, end } = await start();
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["changed", "notice"] });
  client.send({ type: "ask", text: "one" });
  await client.next("changed");
  await askUnsaved(client, home);
  await client.ask({ type: "open", id: 1, session: "b" });
  for (const command of [{ text: "two", session: "b" }, { text: "three" }]) {
    client.send({ type: "ask", ...command });
    await client.next("changed");
  }
  const { turns } = await client.ask({ type: "show", id: 1 });
  assert.deepEqual(
    (turns as Line[]).map((turn) => turn.user),
    ["one", "two", "unsaved", "three"],
  );
});

for (const next of ["a new conversation", "the end of the daemon"]) {
  test(`a turn that could not be saved is saved after ${next}`, async (t) => {
    const { daemon, home, end } = await start();
    t.after(end);
    const client = await daemon.connect();
    await client.ask({ type: "features", names: ["notice"] });
    await askUnsaved(client, home);
    if (next === "a new conversation") {
      client.send({ type: "new" }, { type: "ask", text: "other" });
      await client.turn();
    }
    await daemon.stop();
    await using again = await startDaemon(home);
    const { items } = await (await again.connect()).ask({ type: "list" });
    assert.ok((items as { title: string }[]).some((item) => item.title === "unsaved"));
  });
}

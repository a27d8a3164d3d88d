// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A file of the earlier Python daemon goes in, is used, and is still its file when it comes out.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openHistory } from "../../src/history/open.ts";
import { assertSound, filesWith, open, query, temporaryFolder, turn } from "../support/history.ts";
import { addOldTurn, makeOldHistory, oldSchema } from "../support/old-history.ts";

const stamped = "[Monday 30 November 2026, 10:45]  Wie wird das Wetter?\u00a0";
const toolMessages = JSON.stringify([
  { role: "user", content: stamped },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "a", type: "function", function: { name: "weather", arguments: '{"city": "Oslo"}' } },
    ],
  },
  { role: "tool", tool_call_id: "a", name: "weather", content: "4 degrees" },
  { role: "assistant", content: "Four degrees." },
]);

const conversations = [
  {
    title: "Wie wird das Wetter",
    created: 1_700_000_000,
    updated: 1_700_000_100,
    turns: [
      {
        user: "Wie wird das Wetter?",
        reply: "Four degrees.",
        tools: ["weather"],
        messages: toolMessages,
      },
      { user: "And tomorrow?", reply: "Crème brûlée weather.", messages: null },
      { user: "Thanks", reply: "Gladly.", messages: "[{broken" },
    ],
  },
  {
    title: "Pasta",
    created: 1_700_000_200,
    updated: 1_700_000_300,
    turns: [{ user: "How long does pasta boil?", reply: "Nine minutes, in salted water." }],
  },
  {
    title: "Zanzibar secrets",
    created: 1_700_000_400,
    updated: 1_700_000_500,
    turns: [{ user: "Tell me of Zanzibar", reply: "An island of cloves." }],
  },
];

function makeOld(t: Parameters<typeof temporaryFolder>[0]) {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  makeOldHistory(path, conversations);
  return { folder, path };
}

test("rows of the earlier daemon load, whatever their messages hold", (t) => {
  const { history, notices } = open(t, makeOld(t).path);
  assert.deepEqual(
    history.list().map((item) => item.id),
    [3, 2, 1],
  );
  const turns = history.load(1)?.turns ?? [];
  assert.deepEqual(
    turns.map(({ key, at }) => [key, at]),
    [
      ["t1", 1_700_000_100],
      ["t2", 1_700_000_100],
      ["t3", 1_700_000_100],
    ],
  );
  assert.deepEqual(turns[0]?.tools, ["weather"]);
  assert.deepEqual(turns[0]?.messages, [
    { role: "user", content: stamped },
    {
      role: "assistant",
      content: "",
      tool_calls: [
        { id: "a", type: "function", function: { name: "weather", arguments: '{"city": "Oslo"}' } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "4 degrees" },
    { role: "assistant", content: "Four degrees." },
  ]);
  assert.deepEqual(turns[2]?.messages, [
    { role: "user", content: "Thanks" },
    { role: "assistant", content: "Gladly." },
  ]);
  assert.deepEqual(notices, []);
});

test("a copy of the file as it was is kept before the first migration, and only then", (t) => {
  const { folder, path } = makeOld(t);
  const copies = () => readdirSync(folder).filter((name) => name.includes(".before."));
  openHistory(path, { onNotice: () => assert.fail() }).close();
  openHistory(path, { onNotice: () => assert.fail() }).close();
  const [copy, ...others] = copies();
  assert.deepEqual(others, []);
  assert.ok(copy);
  assert.equal(statSync(join(folder, copy)).mode & 0o777, 0o600);
  assert.equal(query(join(folder, copy), "SELECT * FROM turns").length, 5);
  const columns = query(join(folder, copy), "PRAGMA table_info(turns)").map((row) => row.name);
  assert.deepEqual(columns, ["id", "conv", "seq", "user", "reply", "tools", "messages"]);
  assert.deepEqual(readdirSync(folder).sort(), ["history.db", copy]);
});

test("what was found by the earlier daemon is found, and its turns can be replaced", async (t) => {
  const { history, path } = open(t, makeOld(t).path);
  const { items } = await history.search("creme brul");
  assert.deepEqual(items, [
    { id: 1, title: "Wie wird das Wetter", snippet: "**Crème brûlée** weather." },
  ]);
  history.finish(1, turn("And on Sunday?", "Rain."), { replace: "t2" });
  const turns = history.load(1)?.turns ?? [];
  assert.deepEqual(
    turns.map(({ user, versions }) => [user, versions]),
    [
      ["Wie wird das Wetter?", []],
      ["And on Sunday?", ["t2"]],
    ],
  );
  const kept = query(path, "SELECT key, version FROM superseded ORDER BY id");
  assert.deepEqual(
    kept.map((row) => [row.key, row.version]),
    [
      ["t2", "t2"],
      ["t3", "t2"],
    ],
  );
});

test("the earlier daemon lists, searches, adds and deletes in a file that was used here", (t) => {
  const { folder, path } = makeOld(t);
  const history = openHistory(path, { onNotice: () => assert.fail() });
  history.finish(1, turn("And in Lisbon?", "Sunshine and sardines."));
  const mine = history.finish(null, turn("What is a quokka?", "A small wallaby."));
  const first = turn("What is a numbat?", "A banded anteater.");
  history.finish(mine.id, first);
  history.finish(mine.id, turn("What is a bilby?", "A marsupial."), { replace: first.key });
  history.begin({ key: "open", text: "never answered", at: 5, id: mine.id });
  assert.equal(history.delete(3), true);
  history.close();
  assert.deepEqual(filesWith(folder, "anzibar"), []);

  const old = new DatabaseSync(path);
  old.exec(
    oldSchema.replaceAll(/CREATE (VIRTUAL TABLE|TABLE|TRIGGER)/g, "CREATE $1 IF NOT EXISTS"),
  );
  t.after(() => old.close());
  const list = () =>
    old.prepare("SELECT id, title, updated FROM conversations ORDER BY updated DESC").all();
  const find = (q: string) =>
    old
      .prepare(
        `SELECT t.conv, snippet(turns_fts, -1, '**', '**', '…', 12) AS snippet FROM turns_fts
         JOIN turns t ON t.id = turns_fts.rowid WHERE turns_fts MATCH ? ORDER BY rank LIMIT 30`,
      )
      .all(q)
      .map((row) => row.conv);
  assert.deepEqual(
    list().map((row) => row.id),
    [mine.id, 1, 2],
  );
  assert.deepEqual(find('"sardin"*'), [1]);
  assert.deepEqual(find('"quokka"'), [mine.id]);
  addOldTurn(old, mine.id, 7, { user: "Old question", reply: "Old echidna answer" });
  assert.deepEqual(find("echidna"), [mine.id]);
  const rows = old.prepare(
    "SELECT user, reply, tools, messages FROM turns WHERE conv = 1 ORDER BY seq",
  );
  assert.deepEqual(
    rows.all().map((row) => JSON.parse(`${row.tools}`).length),
    [1, 0, 0, 0],
  );
  old.prepare("DELETE FROM conversations WHERE id = ?").run(mine.id);
  assert.deepEqual(find("quokka"), []);
  for (const table of ["superseded", "unfinished"]) {
    assert.deepEqual(old.prepare(`SELECT * FROM ${table}`).all(), []);
  }
  assertSound(path);
});

test("a turn that the earlier daemon added to our file is loaded in its place", (t) => {
  const first = open(t);
  first.history.finish(null, turn("ours", "one"));
  const old = new DatabaseSync(first.path);
  addOldTurn(old, 1, 1, { user: "theirs", reply: "two" });
  old.close();
  first.history.finish(1, turn("ours again", "three"));
  const users = first.history.load(1)?.turns.map((item) => [item.user, item.key === "t2"]);
  assert.deepEqual(users, [
    ["ours", false],
    ["theirs", true],
    ["ours again", false],
  ]);
});

test("triggers that the earlier daemon made a second time do not index a turn twice", async (t) => {
  const { path, history } = open(t);
  history.finish(null, turn("ours", "one"));
  const old = new DatabaseSync(path);
  old.exec(
    oldSchema.replaceAll(/CREATE (VIRTUAL TABLE|TABLE|TRIGGER)/g, "CREATE $1 IF NOT EXISTS"),
  );
  addOldTurn(old, 1, 1, { user: "platypus", reply: "two" });
  old.close();
  const again = open(t, path);
  assertSound(path);
  again.history.finish(1, turn("capybara", "three"));
  assert.equal((await again.history.search("capybara")).items.length, 1);
  assertSound(path);
  assert.equal(again.history.delete(1), true);
  assertSound(path);
});

test("deleting reaches the copy that was kept before the migration", (t) => {
  const { folder, path } = makeOld(t);
  const { history } = open(t, path);
  assert.equal(filesWith(folder, "anzibar").length > 1, true);
  history.delete(3);
  assert.deepEqual(filesWith(folder, "anzibar"), []);
  assert.deepEqual(filesWith(folder, "zanzibar"), []);
  const copy = readdirSync(folder).find((name) => name.includes(".before.")) ?? "";
  assert.equal(query(join(folder, copy), "SELECT * FROM turns").length, 4);
});

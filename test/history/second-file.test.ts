// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A file of our second version: it gains what came later, and loses nothing.
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openDatabase } from "../../src/history/database.ts";
import { loadConversation } from "../../src/history/store.ts";
import type { Notice } from "../../src/message.ts";
import { assertSound, filesWith, open, query, temporaryFolder, turn } from "../support/history.ts";
import { makeSecondHistory } from "../support/old-history.ts";

function second(t: TestContext) {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  makeSecondHistory(path);
  return { folder, path };
}
const copies = (folder: string) =>
  readdirSync(folder).filter((name) => /\.before\.\d+$/.test(name));
const columns = (path: string, table: string) =>
  query(path, `PRAGMA table_info(${table})`).map((row) => row.name);

test("it opens with all that is in it, nothing aloud and no title but the first words", (t) => {
  const { path } = second(t);
  const { history, notices } = open(t, path);
  const loaded = history.load(1);
  assert.deepEqual(
    loaded?.turns.map(({ key, aloud, versions }) => [key, aloud, versions]),
    [
      ["one", false, []],
      ["two", false, ["gone"]],
    ],
  );
  assert.equal(loaded?.titled, false);
  assert.deepEqual(notices, []);
  assert.deepEqual(
    query(path, "SELECT version FROM migrations ORDER BY version").map(({ version }) => version),
    [1, 2, 3],
  );
  history.finish(1, turn("And a bilby?", "Like a rabbit.", { aloud: true }), { replace: "two" });
  assert.deepEqual(
    query(path, "SELECT key, aloud FROM superseded ORDER BY id").map(({ key, aloud }) => [
      key,
      aloud,
    ]),
    [
      ["gone", null],
      ["two", null],
    ],
  );
  assertSound(path);
});

test("a copy of it as it was is kept, once", (t) => {
  const { folder, path } = second(t);
  for (let times = 0; times < 2; times += 1) open(t, path).history.close();
  const [copy = "", ...others] = copies(folder);
  assert.deepEqual(others, []);
  assert.equal(statSync(join(folder, copy)).mode & 0o777, 0o600);
  assert.equal(columns(join(folder, copy), "turns").includes("aloud"), false);
  assert.equal(columns(path, "conversations").at(-1), "titled");
  assert.equal(query(join(folder, copy), "SELECT * FROM superseded").length, 1);
});

test("deleting its conversation reaches the copy, the replaced turn included", (t) => {
  const { folder, path } = second(t);
  const { history } = open(t, path);
  for (const words of ["quokka", "wombat", "barrel"])
    assert.ok(filesWith(folder, words).length > 1, words);
  history.delete(1);
  for (const words of ["quokka", "wombat", "barrel"])
    assert.deepEqual(filesWith(folder, words), [], words);
});

test("words that were deleted and not yet cleaned away are cleaned out of the copy, too", (t) => {
  const { folder, path } = second(t);
  const before = new DatabaseSync(path);
  before.exec("DELETE FROM conversations; INSERT INTO chores VALUES ('forget')");
  before.close();
  assert.deepEqual(filesWith(folder, "wombat"), ["history.db"], "its index still has the word");
  open(t, path);
  assert.equal(copies(folder).length, 1);
  assert.deepEqual(filesWith(folder, "wombat"), []);
  assert.deepEqual(query(path, "SELECT * FROM chores"), []);
});

test("one that cannot be written is read as it is", (t) => {
  const { path } = second(t);
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = DELETE");
  // Its own lock stands for a folder that cannot be written, which means nothing to root.
  db.exec("BEGIN IMMEDIATE");
  const notices: Notice[] = [];
  const opened = openDatabase(path, (notice) => notices.push(notice));
  assert.equal(opened.writable, false);
  assert.deepEqual(
    notices.map(({ code }) => code),
    ["history_read_only"],
  );
  const loaded = loadConversation(opened.db, 1);
  assert.deepEqual([loaded?.turns.length, loaded?.titled], [2, false]);
  assert.equal(loaded?.turns[0]?.aloud, false);
  opened.db.close();
  db.exec("ROLLBACK");
  db.close();
});

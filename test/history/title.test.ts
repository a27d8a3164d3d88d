// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Titles that somebody wrote: who may write over whose, and that nothing else of a conversation changes.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { assertSound, open, query, turn } from "../support/history.ts";

test("a title of the model takes the place of the first words, once, and updated stays", (t) => {
  const { history, path } = open(t);
  const { updated } = history.finish(null, turn("What is a quokka?", "A small wallaby."));
  assert.equal(history.load(1)?.titled, false);
  const item = { id: 1, title: "Quokka 🦘 dell'Australia", updated };
  assert.deepEqual(history.title(1, item.title, "model"), item);
  assert.deepEqual(history.list(), [item]);
  const loaded = history.load(1);
  assert.deepEqual([loaded?.title, loaded?.titled], [item.title, true]);
  assert.equal(history.title(1, "Another", "model"), null);
  assert.deepEqual(history.list(), [item]);
  assertSound(path);
});

test("a person's title stands over the model's, and over their own of before", (t) => {
  const { history, path } = open(t);
  history.finish(null, turn("a", "b"));
  history.finish(null, turn("c", "d"));
  assert.equal(history.title(1, "Mine", "person")?.title, "Mine");
  assert.equal(history.title(1, "The model's", "model"), null);
  assert.equal(history.title(1, "Mine again", "person")?.title, "Mine again");
  history.title(2, "The model's", "model");
  assert.equal(history.title(2, "Mine, too", "person")?.title, "Mine, too");
  assert.equal(history.title(2, "The model's", "model"), null);
  assert.deepEqual(
    query(path, "SELECT title, titled FROM conversations").map(({ title, titled }) => [
      title,
      titled,
    ]),
    [
      ["Mine again", "person"],
      ["Mine, too", "person"],
    ],
  );
});

test("a title stays when the conversation goes on, also when its first question is replaced", (t) => {
  const { history } = open(t);
  const first = turn("first words", "a");
  history.finish(null, first);
  history.title(1, "A better one", "model");
  assert.equal(history.finish(1, turn("second", "b")).title, "A better one");
  const replaced = history.finish(1, turn("other words", "c"), { replace: first.key });
  assert.equal(replaced.title, "A better one");
  assert.equal(history.load(1)?.titled, true);
});

test("no conversation, no title", (t) => {
  const { history } = open(t);
  history.finish(null, turn("a", "b"));
  history.delete(1);
  for (const by of ["model", "person"] as const) assert.equal(history.title(1, "Late", by), null);
  assert.deepEqual(history.list(), []);
});

test("while another program holds the file a title is not saved, afterwards it is", (t) => {
  const { history, path } = open(t);
  history.finish(null, turn("a", "b"));
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  assert.throws(() => history.title(1, "Now", "model"), {
    name: "ReadableError",
    code: "not_saved",
  });
  other.exec("ROLLBACK");
  other.close();
  assert.equal(history.load(1)?.titled, false);
  assert.equal(history.title(1, "Now", "model")?.title, "Now");
});

test("the earlier daemon lists a title of the model, adds to its conversation and deletes it", (t) => {
  const { history, path } = open(t);
  history.finish(null, turn("What is a quokka?", "A small wallaby.", { aloud: true }));
  history.title(1, "The quokka", "model");
  history.close();
  const old = new DatabaseSync(path);
  t.after(() => old.close());
  const rows = () => old.prepare("SELECT id, title FROM conversations ORDER BY id").all();
  assert.deepEqual(
    rows().map(({ title }) => title),
    ["The quokka"],
  );
  old
    .prepare("INSERT INTO conversations(title, created, updated) VALUES (?, ?, ?)")
    .run("theirs", 1, 2);
  old.exec("DELETE FROM conversations WHERE id = 1");
  assert.deepEqual(
    rows().map(({ title }) => title),
    ["theirs"],
  );
  const again = open(t, path);
  assert.equal(again.history.title(2, "Theirs, named here", "model")?.title, "Theirs, named here");
});

test("whether a question was asked aloud comes back with its turn, and goes with a replaced one", (t) => {
  const { history, path } = open(t);
  const [heard, read] = [turn("a", "b", { aloud: true }), turn("c", "d")];
  history.finish(null, heard);
  history.finish(1, read);
  assert.deepEqual(
    history.load(1)?.turns.map(({ aloud }) => aloud),
    [true, false],
  );
  history.finish(1, turn("e", "f"), { replace: heard.key });
  assert.deepEqual(
    query(path, "SELECT aloud FROM superseded ORDER BY id").map(({ aloud }) => aloud),
    [1, 0],
  );
});

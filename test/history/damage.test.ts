// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Damaged files: what is kept, what is saved, what the person is told.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openHistory } from "../../src/history/open.ts";
import { assertSound, open, query, temporaryFolder, turn } from "../support/history.ts";
import { makeOldHistory } from "../support/old-history.ts";

/** A closed history of 300 turns in 60 conversations. */
function filled(t: TestContext) {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  const history = openHistory(path, { onNotice: () => assert.fail() });
  for (let n = 0; n < 300; n += 1) {
    const id = n < 60 ? null : (n % 60) + 1;
    history.finish(id, turn(`question ${n}`, `answer word${n} ${"and more text ".repeat(10)}`));
  }
  history.close();
  return { folder, path };
}

const corrupt = (folder: string) =>
  readdirSync(folder).filter((name) => /^history\.db\.corrupt\.\d+$/.test(name));

/** Runs SQL that SQLite would refuse in its careful mode. */
function harm(path: string, sql: string): void {
  const db = new DatabaseSync(path, { defensive: false });
  db.exec(`PRAGMA writable_schema = ON; ${sql}`);
  db.close();
}

/** Overwrites pages of the file; the first is page 1. */
function overwrite(path: string, pages: number[], fill: number): void {
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(fill, (page - 1) * 4096, page * 4096);
  writeFileSync(path, bytes);
}

test("a file that is no database is kept, and a fresh one begun", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  const bytes = Buffer.from("this was never a database, but somebody may want it back ".repeat(90));
  writeFileSync(path, bytes);
  const { history, notices } = open(t, path);
  assert.deepEqual(
    notices.map((notice) => notice.code),
    ["history_damaged"],
  );
  const [kept] = corrupt(folder);
  assert.deepEqual(readFileSync(join(folder, kept ?? "")), bytes);
  history.finish(null, turn("still", "works"));
  assert.equal((await history.search("works")).items.length, 1);
  assert.deepEqual(history.counts(), { conversations: 1, turns: 1 });
});

test("a database of another program is kept, and a fresh one begun", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  const other = new DatabaseSync(path);
  other.exec("CREATE TABLE turns(left INTEGER, right INTEGER); INSERT INTO turns VALUES (1, 2)");
  other.close();
  const { history, notices } = open(t, path);
  assert.equal(notices.at(-1)?.code, "history_damaged");
  const [kept] = corrupt(folder);
  assert.equal(query(join(folder, kept ?? ""), "SELECT * FROM turns").length, 1);
  history.finish(null, turn("still", "works"));
  assert.deepEqual(history.counts(), { conversations: 1, turns: 1 });
});

test("an empty file is a fresh history", (t) => {
  const path = join(temporaryFolder(t), "history.db");
  writeFileSync(path, "");
  const { history, notices } = open(t, path);
  history.finish(null, turn("a", "b"));
  assert.deepEqual(notices, []);
});

test("a damaged search index is built again at the start, and nothing is lost", async (t) => {
  const { folder, path } = filled(t);
  const index = "UPDATE turns_fts_data SET block = zeroblob(length(block)) WHERE id > 10";
  const ways = [
    index,
    "DELETE FROM turns_fts_data",
    "DELETE FROM turns_fts_docsize WHERE id > 100",
    "DELETE FROM turns_fts_config",
    "DROP TABLE turns_fts_data",
    "DROP TRIGGER turns_ai; DROP TRIGGER turns_ad",
  ];
  for (const sql of ways) {
    harm(path, sql);
    const notices: string[] = [];
    const history = openHistory(path, { onNotice: (notice) => notices.push(notice.code) });
    assert.deepEqual(notices, ["history_index_rebuilt"], sql);
    assert.equal((await history.search("word250")).items.length, 1, sql);
    assert.deepEqual(history.counts(), { conversations: 60, turns: 300 }, sql);
    history.close();
    assertSound(path);
  }
  assert.deepEqual(readdirSync(folder), ["history.db"]);
});

test("a search index that is damaged meanwhile is built again when it is met", async (t) => {
  const { path } = filled(t);
  const { history, notices } = open(t, path);
  harm(path, "UPDATE turns_fts_data SET block = zeroblob(length(block)) WHERE id > 10");
  assert.equal((await history.search("word250")).items.length, 1);
  harm(path, "DELETE FROM turns_fts_data");
  history.finish(1, turn("one more", "answer"));
  harm(path, "UPDATE turns_fts_data SET block = zeroblob(length(block)) WHERE id > 10");
  assert.equal(history.delete(2), true);
  assert.deepEqual(
    notices.map((notice) => notice.code),
    ["history_index_rebuilt", "history_index_rebuilt"],
  );
  assert.deepEqual(history.counts(), { conversations: 59, turns: 296 });
  assertSound(path);
});

test("of a file with damaged pages everything that can be read is saved", (t) => {
  const { folder, path } = filled(t);
  const root = query(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'turns'")[0]?.rootpage;
  const leaf = query(path, "SELECT pageno FROM dbstat WHERE name = 'turns' AND pagetype = 'leaf'");
  assert.ok(leaf.length > 10);
  const middle = Number(leaf[Math.floor(leaf.length / 2)]?.pageno);
  assert.notEqual(middle, root);
  overwrite(path, [middle], 0xaa);
  const { history, notices } = open(t, path);
  assert.equal(notices.at(-1)?.code, "history_damaged");
  assert.equal(corrupt(folder).length, 1);
  const { conversations, turns } = history.counts();
  assert.equal(conversations, 60);
  assert.ok(turns > 250 && turns < 300, `${turns}`);
  history.finish(1, turn("still", "works"));
  assertSound(path);
});

test("turns whose conversations cannot be read get them again", (t) => {
  const { path } = filled(t);
  const root = query(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'conversations'");
  overwrite(path, [Number(root[0]?.rootpage)], 0);
  const { history } = open(t, path);
  assert.deepEqual(history.counts(), { conversations: 60, turns: 300 });
  assert.equal(history.load(5)?.title, "question 4");
  assertSound(path);
});

test("however a file is cut or overwritten, the history opens and takes turns", (t) => {
  const { folder, path } = filled(t);
  const whole = readFileSync(path);
  const pages = whole.length / 4096;
  const ways: ((file: string) => void)[] = [
    (file) => truncateSync(file, 50),
    (file) => truncateSync(file, 4096),
    (file) => truncateSync(file, 4096 * Math.floor(pages / 2)),
    (file) => truncateSync(file, whole.length - 1000),
    (file) => overwrite(file, [1], 0),
    (file) =>
      overwrite(
        file,
        Array.from({ length: pages - 1 }, (_, index) => index + 2),
        0xff,
      ),
    (file) => writeFileSync(`${file}-wal`, "no write-ahead file"),
    ...Array.from(
      { length: 12 },
      (_, index) => (file: string) => overwrite(file, [2 + Math.floor((index * pages) / 12)], 0x5a),
    ),
  ];
  for (const [number, damage] of ways.entries()) {
    const file = join(folder, `${number}`, "history.db");
    const fresh = openHistory(file, { onNotice: () => assert.fail() });
    fresh.close();
    writeFileSync(file, whole);
    damage(file);
    const history = openHistory(file, { onNotice: () => number });
    const { turns } = history.counts();
    history.finish(null, turn("still", "works"));
    assert.equal(history.counts().turns, turns + 1);
    history.close();
    assertSound(file);
  }
});

test("damage that is met in a big file is healed at the next start", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  const text = "many words for a big file ".repeat(40);
  const turns = Array.from({ length: 3000 }, (_, n) => ({ user: `word${n}`, reply: text }));
  makeOldHistory(path, [{ title: "big", created: 1, updated: 2, turns }]);
  openHistory(path, { onNotice: () => assert.fail() }).close();
  const leaf = query(path, "SELECT pageno FROM dbstat WHERE name = 'turns' AND pagetype = 'leaf'");
  overwrite(path, [Number(leaf[Math.floor(leaf.length / 2)]?.pageno)], 0xaa);
  const history = openHistory(path, { onNotice: () => assert.fail() });
  assert.throws(() => history.load(1), { name: "ReadableError", code: "history_damaged" });
  assert.equal((await history.search("word2999")).items.length, 1);
  history.close();
  const next = open(t, path);
  assert.equal(next.notices[0]?.code, "history_damaged");
  assert.ok(next.history.counts().turns > 2900);
  assert.equal(existsSync(`${path}.suspect`), false);
});

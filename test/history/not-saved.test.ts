// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A disk that is full, a file that is read-only: reading goes on, saving fails with words.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openHistory } from "../../src/history/open.ts";
import { open, temporaryFolder, turn } from "../support/history.ts";
import { makeOldHistory } from "../support/old-history.ts";

const href = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const imports = `
  import { openHistory } from ${href("../../src/history/open.ts")};
  import { turn } from ${href("../support/history.ts")};
  const path = process.argv[1];
  const said = [];
  const tell = (code) => said.push(code);
  const onNotice = (notice) => tell(notice.code);
  const attempt = (work) => { try { work(); return "saved"; } catch (thrown) { return thrown.code; } };`;

/** Runs a program in a process of its own; the words that it puts into `said`. */
function run(program: string, path: string, shell?: string): string[] {
  const node = [
    "--input-type=module",
    "-e",
    `${imports}${program}
    console.log(JSON.stringify(said));`,
    path,
  ];
  const done = shell
    ? spawnSync("sh", ["-c", `${shell}; exec "$0" "$@"`, process.execPath, ...node])
    : spawnSync(process.execPath, node);
  assert.equal(done.stderr.toString(), "");
  const said: unknown = JSON.parse(done.stdout.toString());
  assert.ok(Array.isArray(said));
  return said.map(String);
}

// The permission bits mean nothing to root, so a process of root becomes nobody after its imports.
const becomeNobody =
  "if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }";

function makeReadOnly(folder: string): void {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  chmodSync(folder, 0o555);
}

test("a turn that finds no room is not saved, and a later one is", (t) => {
  const path = join(temporaryFolder(t), "history.db");
  // No file may grow beyond about 1 MB; the signal is ignored, so that write(2) fails instead.
  const said = run(
    `const history = openHistory(path, { onNotice });
    history.finish(null, turn("first", "answer"));
    const big = "much too long ".repeat(400000);
    tell(attempt(() => history.finish(1, turn("big", big))));
    tell(attempt(() => history.begin({ key: "b", text: big, at: 1, id: 1 })));
    tell(attempt(() => history.finish(1, turn("later", "answer"))));
    tell(history.load(1).turns.map((turn) => turn.user).join());
    history.close();`,
    path,
    "trap '' XFSZ; ulimit -f 2000",
  );
  assert.deepEqual(said, ["not_saved", "not_saved", "saved", "first,later"]);
  const { history } = open(t, path);
  assert.deepEqual(history.counts(), { conversations: 1, turns: 2 });
});

test("a history that no room is left for is begun when there is some", (t) => {
  const path = join(temporaryFolder(t), "history.db");
  const said = run(
    `const history = openHistory(path, { onNotice });
    tell(attempt(() => history.finish(null, turn("first", "answer"))));
    tell(JSON.stringify([history.list(), history.load(1), history.counts()]));
    history.close();`,
    path,
    "trap '' XFSZ; ulimit -f 1",
  );
  const nothing = '[[],null,{"conversations":0,"turns":0}]';
  assert.deepEqual(said, ["history_unavailable", "not_saved", nothing]);
  const { history, notices } = open(t, path);
  history.finish(null, turn("first", "answer"));
  assert.deepEqual(notices, []);
});

test("a read-only history is read and searched, and nothing is saved in it", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  const first = openHistory(path, { onNotice: () => assert.fail() });
  first.finish(null, turn("first", "an answer"));
  first.close();
  makeReadOnly(folder);
  const said = run(
    `${becomeNobody}
    const history = openHistory(path, { onNotice });
    tell(history.list()[0].title);
    tell(history.load(1).turns[0].reply);
    tell((await history.search("answ")).items[0].snippet);
    tell(attempt(() => history.finish(1, turn("second", "answer"))));
    tell(attempt(() => history.begin({ key: "b", text: "c", at: 1, id: 1 })));
    tell(attempt(() => history.drop("b")));
    tell(attempt(() => history.delete(1)));
    history.close();`,
    path,
  );
  assert.deepEqual(said, [
    "history_read_only",
    "first",
    "an answer",
    "an **answer**",
    "not_saved",
    "not_saved",
    "saved",
    "not_deleted",
  ]);
});

test("a read-only file of the earlier daemon is read and searched", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "history.db");
  makeOldHistory(path, [
    { title: "old", created: 1, updated: 2, turns: [{ user: "u", reply: "an answer" }] },
  ]);
  makeReadOnly(folder);
  const said = run(
    `${becomeNobody}
    const history = openHistory(path, { onNotice });
    tell(history.load(1).turns[0].key);
    tell((await history.search("answ")).items[0].snippet);
    tell(attempt(() => history.finish(1, turn("second", "answer"))));
    history.close();`,
    path,
  );
  assert.deepEqual(said, ["history_read_only", "t1", "an **answer**", "not_saved"]);
});

test("a history whose folder cannot be made is empty, and begun when it can", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "data", "history.db");
  writeFileSync(join(folder, "data"), "a file where the folder should be");
  const { history, notices } = open(t, path);
  assert.equal(notices[0]?.code, "history_unavailable");
  assert.throws(() => history.finish(null, turn("a", "b")), { code: "not_saved" });
  assert.deepEqual(history.list(), []);
  rmSync(join(folder, "data"));
  assert.equal(history.finish(null, turn("a", "b")).id, 1);
  assert.equal(existsSync(path), true);
  assert.equal(history.list().length, 1);
});

test("a folder in the place of the file is told, not thrown", (t) => {
  const path = join(temporaryFolder(t), "history.db");
  mkdirSync(path);
  const { history, notices } = open(t, path);
  assert.equal(notices[0]?.code, "history_unavailable");
  assert.deepEqual(history.list(), []);
});

test("while another program holds the file a turn is not saved, afterwards it is", (t) => {
  const { history, path } = open(t);
  history.finish(null, turn("a", "b"));
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  assert.throws(() => history.finish(1, turn("c", "d")), {
    name: "ReadableError",
    code: "not_saved",
  });
  assert.equal(history.load(1)?.turns.length, 1);
  other.exec("ROLLBACK");
  other.close();
  history.finish(1, turn("c", "d"));
  assert.equal(history.load(1)?.turns.length, 2);
});

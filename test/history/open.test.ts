// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The history's contract: what is stored comes back, in order and in pages.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ReadableError } from "../../src/errors.ts";
import { openHistory } from "../../src/history/open.ts";
import type { Turn } from "../../src/message.ts";
import { assertSound, filesWith, open, query, temporaryFolder, turn } from "../support/history.ts";

const withTool = (): Turn =>
  turn("What time is it?", "It is noon. 🎉", {
    tools: ["now"],
    calls: [
      {
        call: "c1",
        name: "now",
        arguments: { zone: "Europe/Rome" },
        ok: true,
        text: "12:00",
        latency_ms: 3,
        card: { kind: "clock", hour: 12 },
      },
    ],
    messages: [
      { role: "user", content: "What time is it?" },
      {
        role: "assistant",
        content: "",
        tool_calls: [
          {
            id: "c1",
            type: "function",
            function: { name: "now", arguments: '{ "zone":"Europe/Rome"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "(shown to the user at the time)" },
      { role: "assistant", content: "It is noon. 🎉" },
    ],
  });

test("a finished turn comes back as it was given", (t) => {
  const { history } = open(t);
  const given = withTool();
  const item = history.finish(null, given);
  assert.deepEqual(item, { id: 1, title: "What time is it?", updated: given.at });
  const { title } = item;
  const loaded = { id: 1, title, titled: false, turns: [given], more: false };
  assert.deepEqual(history.load(1), loaded);
  assert.deepEqual(history.list(), [item]);
  assert.deepEqual(history.counts(), { conversations: 1, turns: 1 });
});

test("a finished turn comes back after the history was closed", (t) => {
  const first = open(t);
  const given = turn("one\0two", "\ud83d alone, and\r\nlines");
  const other = openHistory(join(first.folder, "other.db"), { onNotice: () => assert.fail() });
  other.finish(null, given);
  other.close();
  const { history } = open(t, join(first.folder, "other.db"));
  const [back] = history.load(1)?.turns ?? [];
  assert.equal(back?.user, "one\0two");
  assert.deepEqual(back?.messages, given.messages);
});

test("the title is the first six words, and an endless word is cut", (t) => {
  const { history } = open(t);
  const title = (text: string) => history.finish(null, turn(text, "")).title;
  assert.equal(title("  one two\n three\tfour five six seven"), "one two three four five six");
  assert.equal(title("hi"), "hi");
  assert.equal([...title("🎉".repeat(5000))].length, 120);
});

test("the list is newest first and goes on before a time", (t) => {
  const { history } = open(t);
  const at = 1_800_000_000;
  for (const name of ["a", "b", "c"]) history.finish(null, turn(name, "", { at }));
  history.finish(1, turn("again", "", { at }));
  const titles = history.list().map((item) => item.title);
  assert.deepEqual(titles, ["a", "c", "b"]);
  const [first, second] = history.list({ limit: 2 });
  assert.deepEqual([first?.title, second?.title], ["a", "c"]);
  const rest = history.list({ limit: 2, before: second?.updated ?? 0 });
  assert.deepEqual(
    rest.map((item) => item.title),
    ["b"],
  );
});

test("a conversation is read in pages from its end", (t) => {
  const { history } = open(t);
  const turns = ["a", "b", "c", "d", "e"].map((text) => turn(text, text));
  for (const [index, given] of turns.entries()) history.finish(index === 0 ? null : 1, given);
  const page = (options: { limit?: number; beforeKey?: string }) => {
    const found = history.load(1, options);
    return [found?.turns.map((item) => item.user).join(""), found?.more];
  };
  assert.deepEqual(page({ limit: 2 }), ["de", true]);
  assert.deepEqual(page({ limit: 2, beforeKey: turns[3]?.key ?? "" }), ["bc", true]);
  assert.deepEqual(page({ limit: 2, beforeKey: turns[1]?.key ?? "" }), ["a", false]);
  assert.deepEqual(page({ limit: 5 }), ["abcde", false]);
  assert.throws(() => page({ beforeKey: "nobody" }), { name: "ReadableError", code: "no_turn" });
});

test("an unknown conversation is null, and a turn for it is not saved", (t) => {
  const { history } = open(t);
  assert.equal(history.load(7), null);
  assert.throws(() => history.finish(7, turn("a", "b")), { code: "not_saved" });
  assert.deepEqual(history.counts(), { conversations: 0, turns: 0 });
});

test("a question is on disk from begin on, until its turn is finished or dropped", (t) => {
  const { history, path } = open(t);
  const keys = () =>
    query(path, "SELECT key, text, conv FROM unfinished").map((row) => ({ ...row }));
  const first = turn("first question", "");
  history.begin({ key: first.key, text: first.user, at: first.at, id: null });
  assert.deepEqual(keys(), [{ key: first.key, text: "first question", conv: null }]);
  history.finish(null, first);
  history.begin({ key: "second", text: "two", at: 1, id: 1 });
  history.begin({ key: "third", text: "three", at: 2, id: 99 });
  assert.deepEqual(keys(), [
    { key: "second", text: "two", conv: 1 },
    { key: "third", text: "three", conv: null },
  ]);
  history.drop("second");
  history.drop("third");
  history.drop("nobody");
  assert.deepEqual(keys(), []);
});

test("a turn with a call that lacks its result is refused", (t) => {
  const { history } = open(t);
  const bad = withTool();
  bad.messages.splice(2, 1);
  assert.throws(
    () => history.finish(null, bad),
    (thrown) => thrown instanceof Error && !(thrown instanceof ReadableError),
  );
  const orphan = withTool();
  orphan.messages.splice(1, 1);
  assert.throws(() => history.finish(null, orphan), Error);
  assert.deepEqual(history.counts(), { conversations: 0, turns: 0 });
});

test("a key is stored once", (t) => {
  const { history } = open(t);
  const given = turn("a", "b");
  history.finish(null, given);
  assert.throws(() => history.finish(null, given), Error);
  assert.deepEqual(history.counts(), { conversations: 1, turns: 1 });
});

test("replace moves the turn and what followed it, and names it as a version", async (t) => {
  const { history, path } = open(t);
  const [a, b, c] = [turn("apple", "1"), turn("banana", "2"), turn("cherry", "3")];
  history.finish(null, a);
  history.finish(1, b);
  history.finish(1, c);
  const b2 = turn("blueberry", "4");
  history.finish(1, b2, { replace: b.key });
  const b3 = turn("blackberry", "5");
  history.finish(1, b3, { replace: b2.key });
  const turns = history.load(1)?.turns ?? [];
  assert.deepEqual(
    turns.map(({ user, versions }) => [user, versions]),
    [
      ["apple", []],
      ["blackberry", [b.key, b2.key]],
    ],
  );
  const kept = query(path, "SELECT key, version, replaced_by AS by FROM superseded ORDER BY id");
  assert.deepEqual(
    kept.map((row) => [row.key, row.version, row.by]),
    [
      [b.key, b.key, b2.key],
      [c.key, b.key, b2.key],
      [b2.key, b2.key, b3.key],
    ],
  );
  assert.deepEqual((await history.search("cherry")).items, []);
  assert.equal((await history.search("blackberry")).items.length, 1);
  history.delete(1);
  assert.deepEqual(query(path, "SELECT * FROM superseded"), []);
  assertSound(path);
});

test("replace of an unknown turn, or one of another conversation, changes nothing", (t) => {
  const { history } = open(t);
  const first = turn("a", "1");
  history.finish(null, first);
  history.finish(null, turn("b", "2"));
  for (const replace of [first.key, "t1", "nobody"]) {
    assert.throws(() => history.finish(2, turn("c", "3"), { replace }), { code: "no_turn" });
  }
  assert.throws(() => history.finish(null, turn("c", "3"), { replace: first.key }), Error);
  assert.deepEqual(history.counts(), { conversations: 2, turns: 2 });
});

test("every file is closed to others, under any umask", (t) => {
  const folder = join(temporaryFolder(t), "desktop-assistant");
  mkdirSync(folder, { mode: 0o755 });
  chmodSync(folder, 0o755);
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const { history } = open(t, join(folder, "history.db"));
  assert.equal(process.umask(), 0);
  history.finish(null, turn("a", "b"));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const files = readdirSync(folder).sort();
  assert.deepEqual(files, ["history.db", "history.db-shm", "history.db-wal"]);
  for (const file of files) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
});

test("a deleted conversation leaves no word in any file", (t) => {
  const { history, folder, path } = open(t);
  const secret = (n: number) => `Xyzzy${n}plugh`;
  for (let n = 0; n < 40; n += 1) {
    const id = n < 20 ? null : n - 19;
    const text = `${secret(n)} ${"common words between ".repeat(n % 7 === 0 ? 400 : 3)}`;
    history.begin({ key: `u${n}`, text, at: n, id });
    history.finish(id, turn(text, `answer ${secret(n)}`, { key: `u${n}` }));
  }
  history.begin({ key: "open", text: "Frobnicate this", at: 1, id: 3 });
  assert.deepEqual(filesWith(folder, "xyzzy2plugh").length > 0, true);
  assert.equal(history.delete(3), true);
  assert.equal(history.delete(3), false);
  for (const word of [secret(2), secret(22), "xyzzy2plugh", "xyzzy22plugh", "Frobnicate"]) {
    assert.deepEqual(filesWith(folder, word), [], word);
  }
  assert.notDeepEqual(filesWith(folder, secret(4)), []);
  assert.deepEqual(query(path, "SELECT * FROM chores"), []);
  assertSound(path);
});

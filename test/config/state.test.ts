// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The state file keeps what was learned, and no fault of it stops anything.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openState } from "../../src/config/state.ts";
import type { Notice } from "../../src/message.ts";
import { makeFolder } from "./folder.ts";

function makePlace() {
  const place = makeFolder();
  const notices: Notice[] = [];
  const path = join(place.folder, "deep", "desktop-assistant", "state.json");
  const open = () => openState(path, { onNotice: (notice) => notices.push(notice) });
  return { path, notices, open, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

test("what is set is there at once and after the next opening", () => {
  using place = makePlace();
  const state = place.open();
  assert.equal(state.get("model"), undefined);
  state.set("model", "a");
  state.set("speeds", { a: [1, 2.5], b: null });
  for (const seen of [state, place.open()]) {
    assert.equal(seen.get("model"), "a");
    assert.deepEqual(seen.get("speeds"), { a: [1, 2.5], b: null });
  }
  assert.deepEqual(place.notices, []);
});

test("undefined removes a key", () => {
  using place = makePlace();
  const state = place.open();
  state.set("a", 1);
  state.set("a", undefined);
  assert.deepEqual([state.get("a"), place.open().get("a")], [undefined, undefined]);
  assert.deepEqual(JSON.parse(readFileSync(place.path, "utf8")), {});
});

test("the file and its folder are their owner's only, and nothing else is left there", () => {
  using place = makePlace();
  mkdirSync(dirname(place.path), { recursive: true, mode: 0o755 });
  writeFileSync(place.path, "{}", { mode: 0o644 });
  writeFileSync(`${place.path}.new`, "left by a crash", { mode: 0o644 });
  place.open().set("a", 1);
  assert.equal(statSync(place.path).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(place.path)).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(dirname(place.path)), ["state.json"]);
});

test("an equal value is not written again, and a changed one is a new file", () => {
  using place = makePlace();
  const state = place.open();
  state.set("a", { b: 1 });
  const first = statSync(place.path).ino;
  state.set("a", { b: 1 });
  assert.equal(statSync(place.path).ino, first);
  state.set("a", { b: 2 });
  assert.notEqual(statSync(place.path).ino, first);
});

test("a value that its giver changes later is not changed here", () => {
  using place = makePlace();
  const state = place.open();
  const list = [1];
  state.set("list", list);
  list.push(2);
  assert.deepEqual(state.get("list"), [1]);
  state.set("list", list);
  assert.deepEqual(place.open().get("list"), [1, 2]);
});

for (const text of ["", "{", "[1]", "null", "1", '{"a":1', "\0\0\0\0"]) {
  test(`a damaged file starts empty with one notice: ${JSON.stringify(text)}`, () => {
    using place = makePlace();
    mkdirSync(dirname(place.path), { recursive: true });
    writeFileSync(place.path, text);
    const state = place.open();
    assert.equal(state.get("a"), undefined);
    assert.deepEqual(
      place.notices.map(({ code }) => code),
      ["state"],
    );
    state.set("b", 2);
    assert.equal(place.open().get("b"), 2);
    assert.equal(place.notices.length, 1);
  });
}

test("__proto__ in the file or as a key changes no prototype", () => {
  using place = makePlace();
  mkdirSync(dirname(place.path), { recursive: true });
  writeFileSync(place.path, '{"__proto__": {"polluted": 1}}');
  const state = place.open();
  assert.deepEqual(state.get("__proto__"), { polluted: 1 });
  state.set("constructor", 1);
  assert.deepEqual(place.open().get("__proto__"), { polluted: 1 });
  assert.equal(state.get("toString"), undefined);
  assert.equal("polluted" in {}, false);
});

test("a file that can't be written is told once, and the values stay in memory", () => {
  using place = makePlace();
  // A folder in the file's place refuses root too.
  mkdirSync(join(place.path, "x"), { recursive: true });
  const state = place.open();
  place.notices.length = 0;
  state.set("a", 1);
  state.set("a", 2);
  state.set("b", 3);
  assert.deepEqual([state.get("a"), state.get("b")], [2, 3]);
  assert.equal(place.notices.length, 1);
  assert.match(place.notices[0]?.message ?? "", /state\.json can't be written: /);
  assert.equal(existsSync(`${place.path}.new`), false);

  rmSync(place.path, { recursive: true });
  state.set("a", 4);
  assert.deepEqual([place.open().get("a"), place.open().get("b")], [4, 3]);
  assert.equal(place.notices.length, 1);
});

test("a folder that can't be made is told, and nothing throws", () => {
  using place = makePlace();
  writeFileSync(join(dirname(dirname(dirname(place.path))), "deep"), "a file");
  const state = place.open();
  state.set("a", 1);
  assert.equal(state.get("a"), 1);
  assert.ok(place.notices.every(({ code, hint }) => code === "state" && hint !== ""));
});

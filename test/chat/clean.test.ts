// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What may reach a terminal, and how wide it is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Cleaner, clean, cleanJson, cleanLine } from "../../src/chat/clean.ts";
import { fit, graphemes, width } from "../../src/chat/width.ts";

const every = (from: number, to: number) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));

test("of all control bytes only newline and tab get through", () => {
  assert.equal(clean(every(0, 0x1f)), "\t\n");
  assert.equal(clean(every(0x7f, 0x9f)), "");
  assert.equal(clean("a\x1b[31mb\x1b]0;title\x07c\x9b2J\r\n"), "a[31mb]0;titlec2J\n");
});

test("marks that turn or hide text are taken out", () => {
  assert.equal(clean("a\u202eb\u2066c\u200fd\u061ce\u{e0041}f\ufff9g\u2061h"), "abcdefgh");
});

test("joined emoji, accents and other scripts are left as they are", () => {
  const text = "👩‍🚀 é e\u0301 ﷺ עברית हिन्दी 日本";
  assert.equal(clean(text), text);
});

test("line and paragraph separators become newlines, a lone half a replacement mark", () => {
  assert.equal(clean("a\u2028b\u2029c\ud800d"), "a\nb\nc\ufffdd");
});

test("a character cut in two by a delta arrives whole", () => {
  const cleaner = new Cleaner();
  assert.equal(cleaner.push("a\ud83d") + cleaner.push("\ude80b"), "a🚀b");
  assert.equal(cleaner.push("\ud83d") + cleaner.push("x"), "\ufffdx");
});

test("a line has no newline in it", () => {
  assert.equal(cleanLine(" a\nb\tc\x07 \n"), "a b c");
});

test("JSON keeps its value and has nothing in it that acts on a terminal", () => {
  const value = { text: "\x1b[0m \x9b \u202e é 🚀 \u{e0041} \u007f" };
  const text = cleanJson(JSON.stringify(value));
  assert.deepEqual(JSON.parse(text), value);
  assert.match(text, /^[\x20-\x7eé🚀]*$/u);
});

test("widths follow the terminal", () => {
  const cases: [string, number][] = [
    ["abc", 3],
    ["日本", 4],
    ["한국", 4],
    ["e\u0301", 1],
    ["🚀", 2],
    ["✔\ufe0f", 2],
    ["🇮🇹", 2],
    ["ｱ", 1],
    ["Ａ", 2],
    ["\u200d", 0],
    ["हिन्दी", 5],
  ];
  for (const [text, columns] of cases) assert.equal(width(text), columns, text);
});

test("a text is cut at a whole character", () => {
  assert.equal(fit("日本語", 5), "日本…");
  assert.equal(fit("日本語", 6), "日本語");
  assert.equal(fit("abc", 0), "");
  assert.deepEqual(graphemes("e\u0301🇮🇹a"), ["e\u0301", "🇮🇹", "a"]);
});

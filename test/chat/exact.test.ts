// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A call as a person sees it before a yes: it means exactly what runs, and nothing in it hides.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { askedLines, exactLines } from "../../src/chat/asked.ts";
import { clean } from "../../src/chat/clean.ts";
import { exactTexts, shellWord, visibleJson } from "../../src/chat/exact.ts";
import { type Line, paint } from "../../src/chat/line.ts";
import { width } from "../../src/chat/width.ts";

const nasty = [
  "",
  "plain",
  "two words",
  "it's",
  "back\\slash",
  "\\n",
  "line\nbreak",
  "\r\ttab",
  "\x1b[2K\x1b[1Grm",
  "\x07\x7f\x01b2",
  "\u0085\u009b",
  "a\u202etxt.exe\u202c",
  "zero\u200bwidth\u200d\ufeff\u2060",
  "no\u00a0break\u2003em\u3000wide",
  "\u2028\u2029",
  "soft\u00adhyphen\u115f\u3164\u2800",
  "\u{e0041}\u{e0100}tag",
  "$(reboot) `id` $HOME * ; & | > <",
  "-rf",
  "~",
  "caf\u00e9 na\u00efve \u65e5\u672c \u{1f680}",
  `stack${"\u0301".repeat(8)}`,
  "'\n'",
];

test("bash takes the words for exactly the arguments that will run", () => {
  const line = `printf '%s\\0' ${nasty.map(shellWord).join(" ")}`;
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  const { stdout, stderr } = spawnSync("bash", ["-c", line], { env, encoding: "utf8" });
  assert.equal(stderr, "");
  assert.deepEqual(stdout.split("\0").slice(0, -1), nasty);
});

test("what is shown is one line, and a terminal shows every character of it", () => {
  for (const text of [...exactTexts(question(nasty)), visibleJson(nasty)]) {
    assert.equal(
      /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text.replaceAll(" ", "")),
      false,
    );
    assert.equal(clean(text), text);
  }
  assert.deepEqual(JSON.parse(visibleJson(nasty)), nasty);
});

test("an argument that looks like two, or like the question, is seen to be one", () => {
  assert.deepEqual(exactTexts(question(["rm", "a b", "x\nRun it? y/n"])), [
    "rm 'a b' $'x\\nRun it? y/n'",
  ]);
});

test("arguments without a command are shown one a line, their names too", () => {
  const asked = { call: "1", name: "n", why: "w", arguments: { "a\u202e": "b\n", n: 1 } };
  assert.deepEqual(exactTexts(asked), ['"a\\u202e" = "b\\n"', "n = 1"]);
  assert.deepEqual(exactTexts({ ...asked, arguments: {} }), ["(no arguments)"]);
});

test("every space is kept where a line is broken, and every line fits", () => {
  const argument = `a${" ".repeat(100)}b`;
  const lines = texts(exactLines(question(["x", argument]), 40));
  assert.equal(lines.map((line) => line.slice(2)).join(""), `x '${argument}'`);
  for (const line of lines) assert.ok(width(line) <= 40);
});

test("a call that does not fit is cut with a count, and said not to fit", () => {
  const long = question(["x", "y".repeat(400)]);
  const { lines, fits } = askedLines(long, { columns: 42, rows: 8, mode: "open" });
  assert.equal(fits, false);
  assert.equal(lines.length, 8);
  assert.equal(texts(lines).at(-2), "  … 7 more lines: v shows all");
  assert.equal(texts(lines).at(-1), "Run it? y/n");
  assert.equal(askedLines(long, { columns: 42, rows: 14, mode: "open" }).fits, true);
});

test("a reason that is long leaves room for the call", () => {
  const why = "words ".repeat(500);
  const asked = { ...question(["touch", "x"]), why };
  const { lines, fits } = askedLines(asked, { columns: 40, rows: 8, mode: "wait" });
  assert.equal(fits, true);
  assert.equal(texts(lines).at(-2), "  touch x");
});

function question(argv: string[]) {
  return { call: "1", name: "tool", why: "it may change something", argv };
}

function texts(lines: Line[]): string[] {
  return lines.map((line) => paint(line, "none"));
}

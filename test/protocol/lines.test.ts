// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Framing and the reading of commands, at the level of bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadableError } from "../../src/errors.ts";
import { parseCommand, textField } from "../../src/protocol/commands.ts";
import { LineReader } from "../../src/protocol/lines.ts";

function read(bytes: Buffer, cuts: number[] = [], limit = 100): (string | null)[] {
  const lines: (string | null)[] = [];
  const reader = new LineReader((line) => lines.push(line), { limit });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    reader.push(bytes.subarray(from, cut));
    from = cut;
  }
  reader.end();
  return lines;
}

test("a line ends in LF only, and U+2028 and U+2029 are ordinary characters (P7)", () => {
  assert.deepEqual(read(Buffer.from('{"a":"x\u2028y\u2029z"}\n{"b":1}\n')), [
    '{"a":"x\u2028y\u2029z"}',
    '{"b":1}',
  ]);
});

test("any cut of the bytes gives the same lines", () => {
  const bytes = Buffer.from('{"text":"žluťoučký 🐎"}\r\n\n  \n{"b":"今日"}\nlast');
  const whole = read(bytes);
  assert.deepEqual(whole, ['{"text":"žluťoučký 🐎"}', '{"b":"今日"}', "last"]);
  for (let cut = 0; cut <= bytes.length; cut += 1) assert.deepEqual(read(bytes, [cut]), whole);
  assert.deepEqual(read(bytes, [...bytes.keys()]), whole);
});

test("a line over the limit is told once, skipped up to its LF, and the next one is read", () => {
  const long = "x".repeat(101);
  assert.deepEqual(read(Buffer.from(`${long}\n{}\n`)), [null, "{}"]);
  assert.deepEqual(read(Buffer.from(`${"x".repeat(1000)}\n{}\n`), [50, 300, 900]), [null, "{}"]);
});

test("a line of exactly the limit is read, with and without a CR", () => {
  const full = "x".repeat(100);
  assert.deepEqual(read(Buffer.from(`${full}\n${full}\r\n`)), [full, full]);
});

test("bytes that are not UTF-8 are no line", () => {
  assert.deepEqual(read(Buffer.from([0x22, 0xff, 0x22, 0x0a, 0x7b, 0x7d, 0x0a])), [null, "{}"]);
});

test("what is not an object with a string type is a bad command", () => {
  const bad = [
    "{",
    "[]",
    "null",
    "1",
    '"ask"',
    "{}",
    '{"type":1}',
    '{"type":null}',
    "nonsense",
    '{"type":"ask"',
  ];
  for (const line of [...bad, null]) {
    assert.throws(
      () => parseCommand(line),
      (thrown) => thrown instanceof ReadableError && thrown.message === "bad command",
    );
  }
});

test("a field named __proto__ is only a field", () => {
  const { fields } = parseCommand('{"type":"ask","__proto__":{"text":"x"}}');
  assert.equal(textField(fields, "text"), "");
});

test("a text that is no string is taken as its text, and lone surrogates are replaced", () => {
  const text = (json: string) =>
    textField(parseCommand(`{"type":"ask","text":${json}}`).fields, "text");
  assert.equal(text("5"), "5");
  assert.equal(text("null"), "");
  assert.equal(text('{"a":1}'), '{"a":1}');
  assert.equal(text('"a\\ud800b"'), "a\ufffdb");
});

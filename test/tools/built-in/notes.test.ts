// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The notes file: a line is added and never another one touched, and the newest are read.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { builtIn } from "./place.ts";

const day = /\d{4}-\d\d-\d\d/g;
const dayless = (text: string | null) => text?.replaceAll(day, "DAY") ?? null;

test("a note is one line with its day in a file that only the person can read", async (t) => {
  const { call, file, archivePath } = builtIn(t);
  const { ok, text } = await call("note", { text: "  Milk\nand\r\n\u2028bread\u001b[31m " });
  assert.deepEqual([ok, dayless(text)], [true, "noted: DAY Milk and bread [31m"]);
  assert.equal(dayless(file()), "- DAY Milk and bread [31m\n");
  assert.equal(file()?.match(day)?.[0], new Date().toLocaleDateString("sv"));
  assert.equal(statSync(archivePath).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(archivePath)).mode & 0o777, 0o700);
});

test("a note stands on a line of its own behind whatever an editor has left", async (t) => {
  const { call, file, archivePath } = builtIn(t);
  mkdirSync(dirname(archivePath));
  writeFileSync(archivePath, "# Mine\nno line end");
  await call("note", { text: "one" });
  await call("note", { text: "two" });
  assert.equal(dayless(file()), "# Mine\nno line end\n- DAY one\n- DAY two\n");
});

test("notes written at the same time are all there, each whole", async (t) => {
  const { call, file } = builtIn(t);
  const texts = Array.from({ length: 40 }, (_, at) => `${at} ${"x".repeat(1000)}`);
  const results = await Promise.all(texts.map((text) => call("note", { text })));
  assert.ok(results.every(({ ok }) => ok));
  const lines =
    file()
      ?.trimEnd()
      .split("\n")
      .map((line) => line.slice(13)) ?? [];
  assert.deepEqual(lines.sort(), texts.sort());
});

test("a note without words, or longer than can be read again, is refused and writes nothing", async (t) => {
  const { call, file } = builtIn(t);
  for (const args of [{}, { text: "" }, { text: "\n \u0000" }])
    assert.equal((await call("note", args)).text, "error: text is empty");
  assert.match(
    (await call("note", { text: "x".repeat(1801) })).text,
    /^error: text: must be at most 1800/,
  );
  assert.equal(file(), null);
});

test("a file that cannot be written or read is said with its path", async (t) => {
  const { call, archivePath, folder } = builtIn(t);
  mkdirSync(archivePath, { recursive: true });
  assert.match(
    (await call("note", { text: "x" })).text,
    /^error: .*notes\.md cannot be written: .*directory/,
  );
  assert.match((await call("notes")).text, /^error: .*notes\.md is no file/);
  const other = builtIn(t);
  writeFileSync(dirname(other.archivePath), "a file where the folder should be");
  assert.match((await other.call("note", { text: "x" })).text, /cannot be written: /);
  assert.match((await other.call("notes")).text, /cannot be read: /);
  assert.ok(statSync(folder).isDirectory());
});

test("a link to the person's own file is followed, by both", async (t) => {
  const { call, archivePath, folder } = builtIn(t);
  const own = join(folder, "own.md");
  writeFileSync(own, "first\n", { mode: 0o640 });
  chmodSync(own, 0o640);
  mkdirSync(dirname(archivePath));
  symlinkSync(own, archivePath);
  await call("note", { text: "second" });
  assert.equal(dayless((await call("notes")).text), "first\n- DAY second");
  assert.equal(statSync(own).mode & 0o777, 0o640);
});

test("without a file there are no notes yet", async (t) => {
  const { call, file } = builtIn(t);
  assert.deepEqual((await call("notes")).text, "there are no notes yet");
  assert.equal(file(), null);
});

test("of many notes the newest are read, and how many older ones there are", async (t) => {
  const { call, archivePath } = builtIn(t);
  mkdirSync(dirname(archivePath));
  const lines = Array.from({ length: 500 }, (_, at) => `- 2026-01-01 number ${at}`);
  writeFileSync(archivePath, `${lines.join("\r\n\r\n")}\n`);
  const { text } = await call("notes");
  assert.ok(text.length <= 2000);
  const [mark = "", ...shown] = text.split("\n");
  assert.deepEqual(shown, lines.slice(-shown.length));
  assert.equal(mark, `[${500 - shown.length} older lines left out]`);
  assert.ok(shown.length > 70, String(shown.length));
});

test("a query finds the lines that have all its words, whatever the case and accents", async (t) => {
  const { call, archivePath } = builtIn(t);
  mkdirSync(dirname(archivePath));
  writeFileSync(archivePath, "- Caffè in Rome\n- Tea in Rome\n- caffe in Paris\n");
  assert.equal((await call("notes", { query: "rome CAFFE" })).text, "- Caffè in Rome");
  assert.equal((await call("notes", { query: "Caffé" })).text, "- Caffè in Rome\n- caffe in Paris");
  assert.equal((await call("notes", { query: "wine" })).text, "no note has: wine");
});

test("of a file beyond every measure the end is read, in whole lines", async (t) => {
  const { call, archivePath } = builtIn(t);
  mkdirSync(dirname(archivePath));
  writeFileSync(archivePath, `needle early\n${"x".repeat(5 * 1024 * 1024)} needle\nneedle late\n`);
  assert.equal((await call("notes", { query: "needle" })).text, "needle late");
});

test("one line longer than a result is cut at its end", async (t) => {
  const { call, archivePath } = builtIn(t);
  mkdirSync(dirname(archivePath));
  writeFileSync(archivePath, `older\n${"y".repeat(3000)}\n`);
  const { text } = await call("notes");
  assert.match(text, /^\[1 older line left out\]\ny+\n\[cut: 1\d\d\d more characters\]$/);
});

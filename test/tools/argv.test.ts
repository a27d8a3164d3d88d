// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How values get into a command, byte by byte.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fill } from "../../src/tools/argv.ts";

function filled(
  command: readonly string[],
  args: Record<string, unknown> = {},
  { params = Object.keys(args), dashes = [] }: { params?: string[]; dashes?: string[] } = {},
): string[] | string {
  const done = fill(command, args, { params: new Set(params), dashes: new Set(dashes) });
  return "argv" in done ? done.argv : done.fault;
}

test("a value stays inside its one element, whatever it holds", () => {
  for (const x of [
    "a b",
    "a\nb",
    "'",
    '"',
    "$(id)",
    "`id`",
    "; id",
    "*",
    "a\\",
    "{x}",
    "{y}",
    "🎉",
    "$&",
    "$1",
  ]) {
    assert.deepEqual(filled(["p", "{x}", "q"], { x }), ["p", x, "q"]);
    assert.deepEqual(filled(["p", "a={x}.", "q"], { x }), ["p", `a=${x}.`, "q"]);
  }
});

test("several placeholders in one element, and one in several elements, are all replaced", () => {
  assert.deepEqual(filled(["p", "{x}-{y}-{x}", "{x}"], { x: "1", y: "2" }), ["p", "1-2-1", "1"]);
});

test("a missing value is empty and its element stays", () => {
  assert.deepEqual(filled(["p", "{x}", "a{x}b"], {}, { params: ["x"] }), ["p", "", "ab"]);
});

test("a word in braces that is no parameter is empty, also one that every object has", () => {
  assert.deepEqual(
    filled(["p", "{y}", "{toString}", "{constructor}", "{__proto__}"], {}, { params: ["x"] }),
    ["p", "", "", "", ""],
  );
  assert.deepEqual(filled(["p", "{toString}"], {}, { params: ["toString"] }), ["p", ""]);
});

test("braces that can be no parameter stay as they are", () => {
  const command = [
    "p",
    "{}",
    "{ x }",
    "{print $1}",
    '{"a": 1}',
    "a{2}",
    "{1,3}",
    "{a,b}",
    "}{",
    "{",
  ];
  assert.deepEqual(filled(command, { x: "no" }), command);
});

test("a parameter may have any name", () => {
  for (const name of ["2nd", "größe", "a.b", "a b", "x-y", "X_1"])
    assert.deepEqual(filled(["p", `{${name}}`], { [name]: "v" }), ["p", "v"]);
});

test("numbers and booleans are written as JSON writes them", () => {
  const args = { a: 3, b: -0.5, c: 1e21, d: true, e: false };
  assert.deepEqual(filled(["p", "{a} {b} {c} {d} {e}"], args), ["p", "3 -0.5 1e+21 true false"]);
});

test("a value that looks like an option is refused", () => {
  for (const x of ["-x", "--", "--all", "-rf", "--delete=yes", "-é"]) {
    assert.equal(filled(["rm", "{x}"], { x }), `x: looks like an option: ${x}`);
    assert.equal(filled(["rm", "{x}.txt"], { x }), `x: looks like an option: ${x}.txt`);
  }
});

test("a value with a dash that no program reads as an option passes", () => {
  for (const x of ["-3*4", "-", "-.5", "-(2)", "- x", " -x", "a-b", "−x"])
    assert.deepEqual(filled(["p", "{x}"], { x }), ["p", x]);
});

test("an option that is put together from two values is refused", () => {
  assert.equal(filled(["p", "{x}{y}"], { x: "-", y: "rf" }), "x: looks like an option: -rf");
  assert.equal(filled(["p", "{x}{y}"], { x: "", y: "-rf" }), "y: looks like an option: -rf");
  assert.equal(
    filled(["p", "{x}{y}"], { x: "", y: "-rf" }, { dashes: ["x"] }),
    "y: looks like an option: -rf",
  );
});

test("options of the file's own are no values", () => {
  assert.deepEqual(filled(["p", "-n{x}", "--all={x}", "{x}-v"], { x: "" }), [
    "p",
    "-n",
    "--all=",
    "-v",
  ]);
});

test("after a -- of the file, and with dash = true, a value may look like an option", () => {
  assert.deepEqual(filled(["p", "--", "{x}"], { x: "-rf" }), ["p", "--", "-rf"]);
  assert.deepEqual(filled(["p", "{x}"], { x: "-rf" }, { dashes: ["x"] }), ["p", "-rf"]);
});

test("a -- that came from a value allows nothing", () => {
  assert.equal(
    filled(["p", "{x}", "{y}"], { x: "--", y: "-rf" }, { dashes: ["x"] }),
    "y: looks like an option: -rf",
  );
});

test("a NUL character is a fault of the parameter that holds it", () => {
  assert.equal(filled(["p", "{x} {y}"], { x: "a", y: "b\0c" }), "y: holds a NUL character");
  assert.deepEqual(filled(["p", "{x}"], { x: "a", y: "b\0c" }), ["p", "a"]);
});

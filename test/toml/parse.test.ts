// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// TOML text becomes safe values with lines, or a fault that names file and line.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadableError } from "../../src/errors.ts";
import type { TomlValue } from "../../src/toml/document.ts";
import { parseToml } from "../../src/toml/parse.ts";

const file = "a.toml";

/** With ordinary prototypes, so that a literal can be compared with it. */
function ordinary(value: TomlValue): unknown {
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(ordinary);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ordinary(inner)]));
}
const values = (text: string) => ordinary(parseToml(text, file).value);

function fault(text: string): ReadableError {
  try {
    parseToml(text, file);
  } catch (thrown) {
    assert.ok(thrown instanceof ReadableError, String(thrown));
    assert.equal(thrown.code, "toml");
    return thrown;
  }
  return assert.fail("nothing was thrown");
}

test("every sort of value is read", () => {
  const text = [
    'text = "a\\tb"',
    "literal = 'a\\tb'",
    'long = """',
    "one \\",
    '   two"""',
    "integer = 1_000",
    "hex = 0xff",
    "float = 1.5e3",
    "yes = true",
    "list = [1, [2, 3], { a = 4 }]",
    "inline = { a.b = 1, c = [] }",
    "dotted.key.here = 1",
    '"quoted key"."" = 2',
  ].join("\n");
  assert.deepEqual(values(text), {
    text: "a\tb",
    literal: "a\\tb",
    long: "one two",
    integer: 1000,
    hex: 255,
    float: 1500,
    yes: true,
    list: [1, [2, 3], { a: 4 }],
    inline: { a: { b: 1 }, c: [] },
    dotted: { key: { here: 1 } },
    "quoted key": { "": 2 },
  });
});

test("tables and arrays of tables nest as TOML says", () => {
  const text = "[a.b]\nx = 1\n[a]\ny = 2\n[[c]]\nn = 1\n[[c]]\nn = 2\n[c.d]\ne = 3\n[[c.f]]\n";
  assert.deepEqual(values(text), {
    a: { b: { x: 1 }, y: 2 },
    c: [{ n: 1 }, { n: 2, d: { e: 3 }, f: [{}] }],
  });
});

test("dates and times stay as the file writes them, and are no strings by kind", () => {
  const written = ["1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "1979-05-27", "07:32:00"];
  const document = parseToml(`a = [${written.join(", ")}]\nb = "1979-05-27"`, file);
  assert.deepEqual(document.value.a, written);
  assert.deepEqual(
    written.map((_, index) => document.kind(["a", index])),
    ["date", "date", "date", "date"],
  );
  assert.equal(document.kind(["b"]), "string");
});

test("nan and the infinities are numbers", () => {
  assert.deepEqual(values("a = nan\nb = -inf\nc = +inf"), {
    a: Number.NaN,
    b: Number.NEGATIVE_INFINITY,
    c: Number.POSITIVE_INFINITY,
  });
});

test("an integer keeps every digit up to 64 bits, and is a fault beyond", () => {
  const { value } = parseToml(
    "a = 9007199254740991\nb = 9007199254740993\nc = -9223372036854775808",
    file,
  );
  assert.deepEqual(
    [value.a, value.b, value.c],
    [9007199254740991, 9007199254740993n, -(2n ** 63n)],
  );
  assert.match(fault("\na = 9223372036854775808").message, /^a\.toml:2:5: .*64 bits/);
});

test("1 is an integer, 1.0 a float", () => {
  const document = parseToml("a = 1\nb = 1.0\nc = {}\nd = []\ne = true", file);
  assert.deepEqual(
    ["a", "b", "c", "d", "e", "f"].map((key) => document.kind([key])),
    ["integer", "float", "table", "list", "boolean", null],
  );
  assert.equal(document.kind([]), "table");
});

test("line ends of Windows, a byte order mark and an empty text are taken", () => {
  assert.deepEqual(values("\uFEFFa = 1\r\n[b]\r\nc = '''\r\nx\r\ny'''\r\n"), {
    a: 1,
    b: { c: "x\ny" },
  });
  assert.equal(parseToml("\uFEFFa = 1\r\n[b]\r\nc = 2", file).line(["b", "c"]), 3);
  assert.deepEqual([values(""), values("# nothing"), values("\uFEFF")], [{}, {}, {}]);
});

test("the line of every key, table and element is known", () => {
  const { line } = parseToml(
    "a = 1\n\n[b]\nc.d = 1\ne = [\n  1,\n  { f = 2 },\n]\n[[g]]\n[[g]]\nh = 1\n[i.j]\n[i]\nk = 1",
    file,
  );
  const paths = [["a"], ["b"], ["b", "c"], ["b", "c", "d"], ["b", "e"], ["b", "e", 0]];
  assert.deepEqual(paths.map(line), [1, 3, 4, 4, 5, 6]);
  assert.deepEqual(
    [
      ["b", "e", 1, "f"],
      ["g", 0],
      ["g", 1],
      ["g", 1, "h"],
    ].map(line),
    [7, 9, 10, 11],
  );
  assert.deepEqual([["i"], ["i", "j"], ["i", "k"]].map(line), [12, 12, 14]);
});

test("a path that is not there has the line of what holds it", () => {
  const { line } = parseToml("a = 1\n[b]\nc = 1", file);
  assert.deepEqual([line(["b", "x", "y"]), line(["nothing"]), line([])], [2, 1, 1]);
});

test("__proto__ is left out and told, wherever it stands, and no prototype changes", () => {
  const text = [
    "keep = 1",
    "__proto__.polluted = 1",
    "a.__proto__.polluted = 1",
    "b = { __proto__ = { polluted = 1 }, keep = 2 }",
    "c = [{ '__proto__' = 1 }]",
    "[d.__proto__.e]",
    "polluted = 1",
    "[d]",
    "keep = 3",
    "[f.constructor.prototype]",
    "polluted = 1",
  ].join("\n");
  const document = parseToml(text, file);
  assert.deepEqual(ordinary(document.value), {
    keep: 1,
    b: { keep: 2 },
    c: [{}],
    d: { keep: 3 },
    f: { constructor: { prototype: { polluted: 1 } } },
  });
  assert.deepEqual(document.ignored, [
    { path: ["__proto__"], line: 2 },
    { path: ["a", "__proto__"], line: 3 },
    { path: ["b", "__proto__"], line: 4 },
    { path: ["c", 0, "__proto__"], line: 5 },
    { path: ["d", "__proto__"], line: 6 },
  ]);
  assert.equal("polluted" in {}, false);
  assert.equal("polluted" in Object, false);
});

test("a file with [__proto__] loads without it", () => {
  const document = parseToml("[__proto__]\npolluted = 1\n[a]\nb = 1", file);
  assert.deepEqual(ordinary(document.value), { a: { b: 1 } });
  assert.deepEqual(document.ignored, [{ path: ["__proto__"], line: 1 }]);
  assert.equal("polluted" in {}, false);
});

test("a table has no key that the file does not give it", () => {
  const { value } = parseToml("[a]\nb = {}", file);
  assert.deepEqual(
    ["toString" in value, value.constructor, value.hasOwnProperty],
    [false, undefined, undefined],
  );
});

const broken: [title: string, text: string, place: string][] = [
  ["a text without quotes", "a = 1\nb = http://x", "2:5"],
  ["a text that does not end", 'a = "x\nb = 1', "1:7"],
  ["a key without a value", "\n\na =", "3:4"],
  ["a list that does not end", "a = [1,\n2", "2:2"],
  ["a table that does not end", "[a", "1:3"],
  ["a key twice", "a = 1\r\nb = 2\r\na = 3", "3:1"],
  ["a table twice", "[a]\n[a]", "2:2"],
  ["two settings in a line", "a = 1 b = 2", "1:7"],
  ["a day that is none", "a = 2024-02-30", "1:14"],
  ["a NUL byte", "a = '\0'", "1:6"],
  ["an escape that is none", 'a = "\\q"', "1:7"],
];

for (const [title, text, place] of broken) {
  test(`a fault names file, line and column: ${title}`, () => {
    const { message, hint } = fault(text);
    assert.ok(message.startsWith(`${file}:${place}: `), message);
    assert.notEqual(hint, "");
  });
}

test("thousands of nested lists are a fault, not a crash", () => {
  const depth = 100_000;
  assert.match(fault(`a = ${"[".repeat(depth)}${"]".repeat(depth)}`).message, /nested too deeply/);
});

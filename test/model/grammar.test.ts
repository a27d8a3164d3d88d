// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A schema as a grammar: it accepts exactly the compact JSON that the schema accepts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pickSchema } from "../../src/conversation/strategies/plan/choices.ts";
import { grammarOf } from "../../src/model/grammar/schema.ts";
import { ordinary } from "../conversation/many/ordinary.ts";
import { agree, closed, grammar, integer, of, span } from "./grammar-agree.ts";

test("constants and lists of values are written as they are", () => {
  agree({ const: 'a "b" \n ü🎉 \u0001 \u007f' }, ['a "b" \n ü🎉 \u0001 \u007f', "a", ""]);
  const values = ["a", "ab", "abc", "b", "", 1, 12, -1, 1.5, 1e21, true, false, null, { a: [1] }];
  agree({ enum: values }, [...values, "abcd", 2, 121, { a: [2] }, []]);
  agree({ enum: ["a", "a"] }, ["a", "aa"]);
  agree({ enum: ["\u2028", "\u2029", "a\u0085"] }, ["\u2028", "\u2029", "a\u0085", "a"]);
  agree({ type: "string", enum: ["a", null, 1] }, ["a", null, 1]);
  agree({ type: ["number", "null"], enum: ["a", null, 1, 1.5] }, ["a", null, 1, 1.5]);
  agree({ type: "boolean" }, [true, false, null, "true"]);
  agree({ type: "null" }, [null, 0]);
});

test("objects have their fields in order, the required ones always and any choice of the others", () => {
  const names = ["a", "b", "c", "d", "long_name"];
  const properties = Object.fromEntries(names.map((name, at) => [name, integer(0, at)]));
  for (let needed = 0; needed < 32; needed += 1) {
    const required = names.filter((_, at) => needed & (1 << at));
    const schema = closed(properties, required);
    const every = Array.from({ length: 32 }, (_, chosen) =>
      Object.fromEntries(names.filter((_name, at) => chosen & (1 << at)).map((name) => [name, 0])),
    );
    agree(schema, [...every, { ...every[31], e: 1 }, { a: 1 }, [], null]);
  }
  const made = grammar(closed({ a: { const: 1 }, b: { const: 2 } }));
  for (const json of ["{}", '{"a":1}', '{"b":2}', '{"a":1,"b":2}']) assert.ok(made.accepts(json));
  for (const json of ["{,}", '{"a":1,}', '{,"b":2}', '{"b":2,"a":1}', '{"a":1 }', '{"a":1"b":2}'])
    assert.ok(!made.accepts(json), json);
  agree(closed({ 'na"me ü\n': { const: 1 }, __proto: { const: 2 } }), [{ 'na"me ü\n': 1 }]);
  agree(closed({}), [{}, { a: 1 }]);
});

test("objects and values that the schema leaves open hold any JSON to a depth", () => {
  const some = [{}, { a: 1, "ü\n": [{}, [], "x", -1.5e-7, true, null] }, [], 5, "a", null, false];
  agree({ type: "object" }, some);
  agree({}, some);
  agree({ type: "object", additionalProperties: integer(1, 3) }, [
    {},
    { a: 1, b: 3 },
    { a: 4 },
    [],
  ]);
  agree({ type: "array" }, some);
  agree({ type: "number" }, [0, -1, 1.25, 1e-7, 1e21, -123456.789, "1", null]);
  const numbers = grammar({ type: "number" });
  for (const json of ["01", "1.", ".5", "1e", "--1", "1e999", "NaN", ""])
    assert.ok(!numbers.accepts(json), json);
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const any = grammar({});
  assert.ok(any.accepts(nested(4)) && !any.accepts(nested(5)));
});

test("arrays keep the number of their items", () => {
  const lists = span(0, 7).map((length) => new Array(length).fill(2));
  for (const bounds of [
    {},
    { minItems: 1 },
    { maxItems: 3 },
    { minItems: 2, maxItems: 5 },
    { maxItems: 1 },
  ])
    agree({ type: "array", items: integer(1, 3), ...bounds }, [...lists, [4], ["2"], {}]);
  agree({ type: "array", items: integer(1, 3), maxItems: 0 }, lists);
  agree(
    { type: "array", items: { anyOf: [{ const: 1 }, { type: "array", items: { const: "x" } }] } },
    [[1, ["x", "x"], 1], [["x", 1]]],
  );
});

test("alternatives may stand anywhere, and references lead to definitions", () => {
  agree(
    { anyOf: [{ type: "integer", maximum: 5 }, { oneOf: [{ const: "a" }, { type: "null" }] }] },
    [5, 6, "a", "b", null],
  );
  agree({ type: ["string", "integer", "null"], maxLength: 2, minimum: 3 }, [
    "ab",
    "abc",
    3,
    2,
    null,
  ]);
  const schema = {
    ...closed({ a: { $ref: "#/$defs/day~1s" }, b: { $ref: "#/$defs/day~1s", title: "B" } }, ["a"]),
    $defs: { "day/s": { $ref: "#/$defs/n" }, n: integer(1, 7) },
    description: "x",
  };
  agree(schema, [{ a: 1 }, { a: 7, b: 7 }, { a: 8 }, {}]);
});

test("what a grammar cannot hold has none", () => {
  for (const schema of [
    { not: {} },
    { allOf: [{ type: "string" }] },
    { type: "number", minimum: 0 },
    { type: "integer", multipleOf: 5 },
    { type: "integer", minimum: 5, maximum: 4 },
    { type: "integer", minimum: 1e21 },
    { type: "string", format: "email" },
    { type: "string", pattern: "^a$", maxLength: 3 },
    { type: "string", minLength: 3, maxLength: 2 },
    { type: "string", maxLength: 1e9 },
    { type: "array", uniqueItems: true },
    { type: "array", prefixItems: [{}] },
    { type: "array", items: false },
    { type: "object", minProperties: 1 },
    { type: "object", required: ["a"] },
    { type: "object", properties: { a: {} }, additionalProperties: true },
    { type: "object", properties: { a: {} }, required: ["b"] },
    { type: "object", properties: { a: { type: "date" } } },
    { type: "strange" },
    { anyOf: [] },
    { anyOf: [{ const: 1 }, { not: {} }] },
    { anyOf: [{ const: 1 }], type: "integer" },
    { enum: [] },
    { type: "string", enum: [1] },
    { minimum: 3 },
    { $ref: "#" },
    { $ref: "https://example.org/a" },
    { $ref: "#/$defs/a", $defs: { a: { type: "array", items: { $ref: "#/$defs/a" } } } },
    { $ref: "#/$defs/none" },
    { nullable: true, type: "string" },
  ])
    assert.equal(grammarOf(schema), null, JSON.stringify(schema));
});

test("the first reply of the plan has a grammar that accepts every pick and stays small", () => {
  const today = new Date(2026, 10, 30);
  const schema = pickSchema(ordinary, { today, none: ["none"] });
  agree(schema, [{ tool: "none" }, { tool: "other" }, { tool: ordinary[0]?.name }]);
  assert.equal(grammarOf(schema), grammarOf(schema));
  const tools = span(1, 40).map((number) => ({
    name: `tool_number_${number}`,
    description: "",
    parameters: closed(
      {
        day: { type: "string", format: "date" },
        month: of("^[0-9]{4}-[0-9]{2}$"),
        text: { type: "string", maxLength: 200 },
        count: integer(1, 366),
        tags: { type: "array", items: { type: "string" } },
        mode: { enum: ["one", "two"] },
      },
      ["day"],
    ),
  }));
  const size = grammarOf(pickSchema(tools, { today, none: ["none"] }))?.length ?? 0;
  assert.ok(size > 0 && size < 8000, `${size}`);
});

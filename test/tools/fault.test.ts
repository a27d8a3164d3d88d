// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One right sentence for each keyword of JSON Schema, also where schemas are nested or written by others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { faultOf } from "../../src/tools/fault.ts";
import { takeKindly } from "../../src/tools/schema.ts";

const of = (x: unknown, about: unknown, rest: Record<string, unknown> = {}) =>
  faultOf({ type: "object", properties: { x: about }, ...rest }, { x });

const rows: readonly (readonly [x: unknown, about: unknown, fault: string])[] = [
  ["a", { type: "integer" }, "x: must be an integer"],
  [1, { type: "string" }, "x: must be a string"],
  [1, { type: "array" }, "x: must be an array"],
  [1, { type: "object" }, "x: must be an object"],
  [1, { type: ["string", "null"] }, "x: must be a string or null"],
  ["c", { enum: ["a", "b"] }, "x: must be one of a, b"],
  [3, { type: "integer", enum: [1, 2] }, "x: must be one of 1, 2"],
  ["a", { type: "integer", enum: [1, 2] }, "x: must be one of 1, 2"],
  [2, { const: 1 }, "x: must be 1"],
  [1, { type: "integer", minimum: 2 }, "x: must be at least 2"],
  [3, { type: "integer", maximum: 2 }, "x: must be at most 2"],
  [2, { exclusiveMinimum: 2 }, "x: must be more than 2"],
  [2, { exclusiveMaximum: 2 }, "x: must be less than 2"],
  [3, { multipleOf: 2 }, "x: must be a multiple of 2"],
  ["ab", { type: "string", maxLength: 1 }, "x: must be at most 1 character long"],
  ["🎉🎉🎉", { type: "string", maxLength: 2 }, "x: must be at most 2 characters long"],
  ["a", { type: "string", minLength: 2 }, "x: must be at least 2 characters long"],
  ["a", { type: "string", pattern: "^[0-9]+$" }, "x: must match ^[0-9]+$"],
  ["a", { type: "string", format: "date" }, "x: must be a date (YYYY-MM-DD)"],
  ["a", { type: "string", format: "email" }, "x: must have the format email"],
  [[1, 2], { type: "array", maxItems: 1 }, "x: must have at most 1 item"],
  [[], { type: "array", minItems: 2 }, "x: must have at least 2 items"],
  [[1, 1], { type: "array", uniqueItems: true }, "x: must not have the same item twice"],
  [[1, "a"], { type: "array", items: { type: "integer" } }, "x.1: must be an integer"],
  [{ y: 1 }, { type: "object", properties: { y: { type: "string" } } }, "x.y: must be a string"],
  [
    { "a/b~c": 1 },
    { type: "object", properties: { "a/b~c": { type: "string" } } },
    "x.a/b~c: must be a string",
  ],
  [{ y: 1 }, { type: "object", additionalProperties: false }, "x.y: is not known here"],
  [{ y: 1 }, { type: "object", additionalProperties: { type: "string" } }, "x.y: must be a string"],
  [{ y: 1 }, { type: "object", required: ["y", "z"] }, "x: z is missing"],
  [1, { not: { type: "integer" } }, "x: is not allowed"],
  [1, { allOf: [{ type: "integer" }, { minimum: 5 }] }, "x: must be at least 5"],
  [1, { anyOf: [{ type: "string" }, { type: "null" }] }, "x: must be a string or null"],
  [0, { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] }, "x: must be at least 1"],
  ["a", { anyOf: [{ const: "all" }, { enum: ["b", "c"] }] }, "x: must be all or one of b, c"],
  [
    { y: 1 },
    { anyOf: [{ type: "object", properties: { y: { type: "string" } } }, { type: "string" }] },
    "x.y: must be a string",
  ],
  [1, { oneOf: [{ minimum: 0 }, { maximum: 5 }] }, "x: fits none of the allowed forms"],
  [
    "a",
    JSON.parse('{"if": {"type": "string"}, "then": {"minLength": 3}}'),
    "x: must be at least 3 characters long",
  ],
];

for (const [x, about, fault] of rows) {
  test(`${JSON.stringify(x)} against ${JSON.stringify(about)}: ${fault}`, () => {
    assert.equal(of(x, about), fault);
  });
}

test("a reference into the schema is followed", () => {
  const $defs = { small: { type: "integer", maximum: 3 } };
  assert.equal(of(5, { $ref: "#/$defs/small" }, { $defs }), "x: must be at most 3");
});

test("arguments that fit have no fault", () => {
  assert.equal(of("a", { type: "string" }), null);
  assert.equal(faultOf({ type: "object" }, { anything: [{}] }), null);
});

test("the first wrong one of several arguments is named", () => {
  const properties = { a: { type: "integer" }, b: { type: "integer" } };
  assert.equal(faultOf({ properties }, { a: 1, b: "x" }), "b: must be an integer");
  assert.equal(faultOf({ properties }, { a: "x", b: "x" }), "a: must be an integer");
});

test("a schema that is none is a fault in words, not a crash", () => {
  assert.match(of("a", { pattern: "(" }) ?? "", /^arguments: cannot be checked, the tool's schema/);
  assert.match(of("a", { $ref: "#/nowhere" }) ?? "", /^arguments: cannot be checked/);
  const circle = { $ref: "#/properties/x" };
  assert.match(of("a", circle) ?? "", /^arguments: cannot be checked/);
});

test("a name that no pointer can hold is a fault in words", () => {
  const schema = { type: "object", additionalProperties: { type: "string" } };
  assert.match(faultOf(schema, { "\ud800": 1 }) ?? "", /^arguments: cannot be checked/);
});

test("checking leaves no mark in a schema, also a frozen one", () => {
  const schema = Object.freeze({
    type: "object",
    properties: Object.freeze({ x: Object.freeze({ $ref: "#/$defs/y" }) }),
    $defs: { y: { type: "string" } },
  });
  const before = JSON.stringify(schema);
  assert.equal(faultOf(schema, { x: 1 }), "x: must be a string");
  assert.equal(JSON.stringify(schema), before);
  assert.deepEqual(Reflect.ownKeys(schema.$defs.y), ["type"]);
});

test("unknown arguments stay where the schema leaves them open, but __proto__", () => {
  const schema = { type: "object", properties: { x: { type: "string" } } };
  const given: Record<string, unknown> = JSON.parse('{"x": 1, "y": 2, "__proto__": {"z": 1}}');
  const taken = takeKindly(schema, given);
  assert.deepEqual(Object.entries(taken), [
    ["x", "1"],
    ["y", 2],
  ]);
  assert.equal(taken.z, undefined);
});

test("a check that would take for ever ends soon, and says so", () => {
  const why = "arguments: cannot be checked, the tool's schema is faulty: it takes too long";
  const tries = { type: "string", pattern: "^([a-z]+ ?)+$" };
  assert.equal(of(`${"a".repeat(40)}!`, tries), why);
  assert.equal(of("a b c", tries), null);
  const steps = Array.from({ length: 40 }, (_, at) => {
    const next = at < 39 ? { $ref: `#/$defs/d${at + 1}` } : { type: "string" };
    return [`d${at}`, { allOf: [next, next] }];
  });
  assert.equal(of(1, { $ref: "#/$defs/d0" }, { $defs: Object.fromEntries(steps) }), why);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The schema of a pick for tools of every odd kind: one that each server takes, and small.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pickSchema } from "../../src/conversation/strategies/plan/choices.ts";
import type { ToolSchema } from "../../src/message.ts";
import { grammarOf } from "../../src/model/grammar/schema.ts";

type Schema = Record<string, unknown>;
const today = new Date("2026-11-30T12:00:00");
const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const types = ["string", "integer", "number", "boolean", "null", "array", "object"];
/** Keywords whose value a server may refuse; all others are not sent. */
const sent = new Set(
  "type properties required additionalProperties anyOf enum const items minItems maxItems minLength maxLength minimum maximum pattern format".split(
    " ",
  ),
);

/** What a strict server would say of it. */
function complaints(schema: unknown, path = ""): string[] {
  if (!isRecord(schema)) return [`${path}: no schema`];
  const { type, properties, required, anyOf, items, pattern } = schema;
  const found: string[] = [];
  const check = (fine: boolean, what: string) => {
    if (!fine) found.push(`${path}: ${what} ${JSON.stringify(schema).slice(0, 80)}`);
  };
  check(
    Object.keys(schema).every((key) => sent.has(key)),
    "a keyword",
  );
  check(type === undefined || types.includes(String(type)), "type");
  check(!("enum" in schema) || (Array.isArray(schema.enum) && schema.enum.length > 0), "enum");
  for (const [least, most] of [
    ["minItems", "maxItems"],
    ["minLength", "maxLength"],
    ["minimum", "maximum"],
  ] as const) {
    for (const bound of [schema[least], schema[most]])
      check(bound === undefined || Number.isSafeInteger(bound), least);
    check(Number(schema[least] ?? -Infinity) <= Number(schema[most] ?? Infinity), `${least} above`);
  }
  if (type === "string")
    check("pattern" in schema || "format" in schema || "maxLength" in schema, "no end");
  if (type === "array") check("maxItems" in schema, "no end");
  if (pattern !== undefined) {
    check(
      /^\^.*\$$/s.test(String(pattern)) && !/\\[a-zA-Z0-9]|\(\?/.test(String(pattern)),
      "pattern",
    );
    new RegExp(String(pattern));
  }
  if (Array.isArray(required) && isRecord(properties))
    check(
      required.every((name) => Object.hasOwn(properties, name)),
      "required",
    );
  if (anyOf !== undefined) check(Array.isArray(anyOf) && anyOf.length > 0, "anyOf");
  const inner = [
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(isRecord(properties) ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
  ];
  return [...found, ...inner.flatMap((one, at) => complaints(one, `${path}/${at}`))];
}

const tool = (parameters: Schema, name = "odd"): ToolSchema => ({
  name,
  description: "Odd.",
  parameters,
});
const of = (properties: Schema, more: Schema = {}) => ({ type: "object", properties, ...more });

/** The schema that is sent for a tool's arguments; it is one that servers take. */
function forced(parameters: Schema): unknown {
  const schema = pickSchema([tool(parameters)], { today, none: ["none"] });
  assert.deepEqual(complaints(schema), []);
  assert.ok(JSON.stringify(schema).length < 40_000, `${JSON.stringify(schema).length} characters`);
  assert.notEqual(grammarOf(schema), null, JSON.stringify(schema).slice(0, 300));
  const [first] = schema.anyOf as { properties: { arguments?: unknown } }[];
  return first?.properties.arguments;
}
/** The same for one parameter "x". */
function forcedX(x: Schema, more: Schema = {}): unknown {
  const args = forced(of({ x }, more)) as { properties: Schema };
  return args.properties.x;
}

const anything = "{}";
const cases: [what: string, given: Schema, made: string | null][] = [
  ["an empty enum", { enum: [] }, anything],
  ["an empty enum of texts", { type: "string", enum: [] }, '{"type":"string","maxLength":300}'],
  ["an unknown type", { type: "text" }, anything],
  ["no type in a list", { type: [] }, anything],
  [
    "types with null",
    { type: ["string", "null"], maxLength: 5 },
    '{"type":"string","maxLength":5}',
  ],
  ["null alone", { type: "null" }, '{"type":"null"}'],
  [
    "alternatives with null",
    { anyOf: [{ type: "integer" }, { type: "null" }] },
    '{"type":"integer"}',
  ],
  ["no alternatives", { anyOf: [] }, anything],
  ["a reference", { $ref: "#/$defs/size" }, '{"anyOf":[{"enum":["any"]},{"enum":["S","M"]}]}'],
  ["a written reference", { $ref: "#/$defs/a%20b~1c" }, '{"type":"boolean"}'],
  ["a reference into a list", { $ref: "#/$defs/both/anyOf/1" }, '{"type":"boolean"}'],
  ["a reference to nothing", { $ref: "#/$defs/none" }, anything],
  ["a reference elsewhere", { $ref: "https://example.org/a.json" }, anything],
  ["a reference to itself", { $ref: "#/$defs/self" }, anything],
  ["digits", { type: "string", pattern: "^\\d{4}$" }, '{"type":"string","pattern":"^[0-9]{4}$"}'],
  [
    "digits in a class",
    { type: "string", pattern: "^[\\d.]{1,9}$" },
    '{"type":"string","pattern":"^[0-9.]{1,9}$"}',
  ],
  [
    "words in a class",
    { type: "string", pattern: "^[\\w-]+$" },
    '{"type":"string","pattern":"^[A-Za-z0-9_-]+$"}',
  ],
  [
    "digits behind a bracket in a class",
    { type: "string", pattern: "^[^[]\\d$" },
    '{"type":"string","pattern":"^[^[][0-9]$"}',
  ],
  ["a look ahead", { type: "string", pattern: "^(?=a).*$" }, '{"type":"string","maxLength":300}'],
  ["half a pattern", { type: "string", pattern: "abc" }, '{"type":"string","maxLength":300}'],
  ["a bad pattern", { type: "string", pattern: "^($" }, '{"type":"string","maxLength":300}'],
  ["parts of a pattern", { type: "string", pattern: "^a|b$" }, '{"type":"string","maxLength":300}'],
  [
    "nothing without an end",
    { type: "string", pattern: "^(a*)*$" },
    '{"type":"string","maxLength":300}',
  ],
  ["a lazy part", { type: "string", pattern: "^a+?$" }, '{"type":"string","maxLength":300}'],
  ["a border", { type: "string", pattern: "^\\bx$" }, '{"type":"string","maxLength":300}'],
  ["a backslash", { type: "string", pattern: "^\\\\d$" }, '{"type":"string","maxLength":300}'],
  [
    "very many",
    { type: "string", pattern: "^[a-z]{1,9000}$" },
    '{"type":"string","maxLength":300}',
  ],
  ["an unknown format", { type: "string", format: "email" }, '{"type":"string","maxLength":300}'],
  [
    "many items",
    { type: "array", items: { type: "boolean" }, minItems: 20 },
    '{"type":"array","items":{"type":"boolean"},"minItems":20,"maxItems":20}',
  ],
  [
    "more items than are sane",
    { type: "array", items: { type: "boolean" }, minItems: 2000 },
    '{"type":"array","items":{"type":"boolean"},"minItems":50,"maxItems":50}',
  ],
  [
    "fewer at most than at least",
    { type: "array", items: { type: "boolean" }, minItems: 3, maxItems: 2 },
    '{"type":"array","items":{"type":"boolean"},"minItems":3,"maxItems":3}',
  ],
  ["no items", { type: "array" }, '{"type":"array","items":{},"maxItems":10}'],
  ["items of a tuple", { type: "array", items: [{ type: "integer" }] }, null],
  [
    "a long text",
    { type: "string", minLength: 9000 },
    '{"type":"string","minLength":1900,"maxLength":1900}',
  ],
  ["a minimum of many", { type: "string", minLength: 400 }, null],
  ["bounds that cross", { type: "integer", minimum: 5, maximum: 3 }, '{"type":"integer"}'],
  [
    "bounds outside",
    { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 },
    '{"type":"integer","minimum":1,"maximum":9}',
  ],
  [
    "bounds of both kinds",
    {
      type: "integer",
      minimum: 5,
      exclusiveMinimum: 0,
      maximum: 7.5,
      exclusiveMaximum: 90,
    },
    '{"type":"integer","minimum":5,"maximum":7}',
  ],
  [
    "bounds of a large machine",
    { type: "integer", minimum: 0, maximum: 2 ** 64 },
    '{"type":"integer","minimum":0}',
  ],
  ["bounds that are none", { type: "integer", minimum: "1", maximum: null }, '{"type":"integer"}'],
  ["a constant", { const: null }, '{"const":null}'],
  ["parts", { allOf: [{ type: "string" }, { maxLength: 7 }] }, '{"type":"string","maxLength":7}'],
  [
    "a part by reference",
    { allOf: [{ $ref: "#/$defs/size" }] },
    '{"anyOf":[{"enum":["any"]},{"enum":["S","M"]}]}',
  ],
  ["no parts", { allOf: [], type: "boolean" }, '{"type":"boolean"}'],
  ["words around no schema", { items: true, properties: 7, required: "x" }, null],
  [
    "a free table",
    { type: "object", additionalProperties: { type: "string" } },
    '{"type":"object"}',
  ],
];
const $defs = {
  size: { enum: ["S", "M"] },
  "a b/c": { type: "boolean" },
  both: { anyOf: [{ type: "integer" }, { type: "boolean" }] },
  self: { $ref: "#/$defs/self" },
};
for (const [what, given, made] of cases) {
  test(`a parameter with ${what} is sent as servers take it`, () => {
    const got = forcedX(given, { $defs });
    if (made !== null) assert.equal(JSON.stringify(got), made);
  });
}

test("a choice has arguments where the tool has parameters, needed ones first", () => {
  assert.equal(forced({ type: "object" }) !== undefined, true);
  assert.equal(forced(of({})), undefined);
  assert.equal(forced({ type: "object", properties: {}, additionalProperties: false }), undefined);
  const args = forced(of({ a: {}, b: {} }, { required: ["b", "c", 7] })) as Schema;
  assert.deepEqual(Object.keys(args.properties as Schema), ["b", "a"]);
  assert.deepEqual(args.required, ["b"]);
  assert.equal((forced(of({ a: {} }, { required: [] })) as Schema).additionalProperties, false);
});

test("a tool named as an object's own words, or as none, is a choice like others", () => {
  const names = ["constructor", "toString", "none", "hasOwnProperty", "日程", "größe__messen"];
  const schema = pickSchema(
    names.map((name) => tool(of({ constructor: { type: "string" } }), name)),
    { today, none: ["no_none"] },
  );
  assert.deepEqual(complaints(schema), []);
  const chosen = (schema.anyOf as { properties: { tool: { const: string } } }[]).map(
    ({ properties }) => properties.tool.const,
  );
  assert.deepEqual(chosen, [...names, "no_none"]);
});

test("schemas that lead back to themselves, very deep ones and very wide ones stay small", () => {
  const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
  const node = of(Object.fromEntries(names.map((name) => [name, { $ref: "#/$defs/node" }])));
  const tree = of({ tree: { $ref: "#/$defs/node" } }, { $defs: { node } });
  forced(tree);
  const begun = performance.now();
  const many = Array.from({ length: 10 }, (_, at) => tool(tree, `tree${at}`));
  assert.notEqual(grammarOf(pickSchema(many, { today, none: ["none"] })), null);
  assert.ok(performance.now() - begun < 5000, "a part is written anew wherever it stands");
  const either = {
    anyOf: [
      { type: "string" },
      { type: "array", items: { $ref: "#/$defs/either" } },
      of({ and: { $ref: "#/$defs/either" }, or: { $ref: "#/$defs/either" } }),
    ],
  };
  forced(of({ filter: { $ref: "#/$defs/either" } }, { $defs: { either } }));
  let deep: Schema = { type: "string" };
  for (let depth = 0; depth < 300; depth += 1) deep = of({ x: deep });
  forced(deep);
  const wide = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [`p${at}`, { type: "string", enum: ["x".repeat(50)] }]),
  );
  forced(of(wide));
});

test("forty tools of every odd kind make one schema that servers take", () => {
  const tools = cases.map(([, given], at) =>
    tool(
      of({ x: given, y: { type: "string", format: "date" } }, { $defs, required: ["x"] }),
      `t${at}`,
    ),
  );
  const schema = pickSchema(tools, { today, none: ["none"] });
  assert.deepEqual(complaints(schema), []);
  assert.notEqual(grammarOf(schema), null);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The port of the public benchmark's checker, and how its cases are read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOf, draw, faultOf, jsonSchema, readIds, toolsOf } from "../../bench/bfcl/cases.ts";
import { check, type Described, type GroundTruth } from "../../bench/bfcl/check.ts";
import { isObject, parse } from "../../bench/bfcl/value.ts";
import { asWritten } from "../../bench/bfcl/written.ts";

const described: Described = {
  name: "geo.area",
  parameters: {
    properties: {
      side: { type: "integer" },
      factor: { type: "float" },
      unit: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      where: { type: "dict" },
      points: { type: "array", items: { type: "dict" } },
      exact: { type: "boolean" },
    },
    required: ["side"],
  },
};

/** The verdict's type for these arguments, or "ok"; a truth without "" wants the parameter. */
function verdict(given: string, truth: string): string {
  const value = parse(given);
  const allowed = parse(truth);
  assert.ok(isObject(value) && isObject(allowed));
  const answers: GroundTruth = { "geo.area": {} };
  for (const [name, list] of Object.entries(allowed))
    if (Array.isArray(list)) answers["geo.area"] = { ...answers["geo.area"], [name]: list };
  const found = check({ name: "geo.area", arguments: value }, described, answers);
  return found.ok ? "ok" : found.type;
}

const verdicts: [title: string, given: string, truth: string, type: string][] = [
  ["an equal integer passes", '{"side": 5}', '{"side": [5]}', "ok"],
  ["a float is no integer", '{"side": 5.0}', '{"side": [5]}', "type_error:simple"],
  ["an integer is taken for a float", '{"side":1,"factor":2}', '{"side":[1],"factor":[2.0]}', "ok"],
  ["another value fails", '{"side": 6}', '{"side": [5]}', "value_error:others"],
  ["a required one is missing", "{}", '{"side": [5]}', "missing_required"],
  [
    "one that must be there is missing",
    '{"side":5}',
    '{"side":[5],"unit":["m"]}',
    "missing_optional",
  ],
  ["one that may be left out is", '{"side":5}', '{"side":[5],"unit":["m",""]}', "ok"],
  ["an unknown one fails", '{"side":5,"more":1}', '{"side":[5]}', "unexpected_param"],
  [
    "text is compared without case and marks",
    '{"side":5,"unit":"Sq. M"}',
    '{"side":[5],"unit":["sq m"]}',
    "ok",
  ],
  ["other text fails", '{"side":5,"unit":"km"}', '{"side":[5],"unit":["m"]}', "value_error:string"],
  [
    "a list is compared in order",
    '{"side":5,"tags":["A","b"]}',
    '{"side":[5],"tags":[["a","b"]]}',
    "ok",
  ],
  [
    "another order fails",
    '{"side":5,"tags":["b","a"]}',
    '{"side":[5],"tags":[["a","b"]]}',
    "value_error:list/tuple",
  ],
  [
    "a list's values have their type",
    '{"side":5,"tags":[1]}',
    '{"side":[5],"tags":[["a"]]}',
    "type_error:nested",
  ],
  [
    "an object is compared by key",
    '{"side":5,"where":{"x":1}}',
    '{"side":[5],"where":[{"x":[1,2],"y":[3,""]}]}',
    "ok",
  ],
  [
    "an object's other value fails",
    '{"side":5,"where":{"x":9}}',
    '{"side":[5],"where":[{"x":[1]}]}',
    "value_error:dict_value",
  ],
  [
    "an object's missing key fails",
    '{"side":5,"where":{}}',
    '{"side":[5],"where":[{"x":[1]}]}',
    "value_error:dict_key",
  ],
  [
    "objects in a list are compared",
    '{"side":5,"points":[{"x":1}]}',
    '{"side":[5],"points":[[{"x":[1]}]]}',
    "ok",
  ],
  [
    "their number counts",
    '{"side":5,"points":[]}',
    '{"side":[5],"points":[[{"x":[1]}]]}',
    "value_error:list_dict_count",
  ],
  [
    "true is no text",
    '{"side":5,"exact":"true"}',
    '{"side":[5],"exact":[true]}',
    "type_error:simple",
  ],
];

for (const [title, given, truth, type] of verdicts) {
  test(`a call is judged as the benchmark does: ${title}`, () => {
    assert.equal(verdict(given, truth), type);
  });
}

test("a call of another function fails", () => {
  const found = check({ name: "other", arguments: {} }, described, { "geo.area": {} });
  assert.equal(found.ok ? "ok" : found.type, "wrong_func_name");
});

test("JSON that Python would not read is refused", () => {
  for (const text of ["{", "[1,]", '{"a" 1}', '"open', "1 2", "nope"])
    assert.throws(() => parse(text), SyntaxError);
  assert.equal(
    JSON.stringify(parse(' {"a": [1, 2.50, -3e2, "x\\n", null, true, {}]} ')),
    '{"a":[1,2.5,-300,"x\\n",null,true,{}]}',
  );
});

test("a number that was written anew gets its first form back", () => {
  const reply =
    '```json\n{"tool": "a", "arguments": {"x": [1.0, 2], "day": "Friday", "gone": 3.0}}\n```';
  assert.equal(
    asWritten('{"x":[1,2],"day":"2026-12-04"}', reply),
    '{"x":[1.0,2],"day":"2026-12-04"}',
  );
  assert.equal(asWritten('{"x": 1}', "no call"), '{"x": 1}');
  assert.equal(asWritten('{"x":', reply), '{"x":');
});

test("Python's types become JSON's, and an empty enum is left out", () => {
  const python = {
    type: "dict",
    properties: {
      a: { type: "float", optional: true },
      b: { type: "tuple", items: { type: "any" } },
      c: { type: "string", enum: [] },
    },
    required: ["a"],
  };
  assert.deepEqual(jsonSchema(python), {
    type: "object",
    properties: {
      a: { type: "number" },
      b: { type: "array", items: { type: "string" } },
      c: { type: "string" },
    },
    required: ["a"],
  });
});

const one = {
  id: "live_simple_0-0-0",
  category: "live_simple",
  system: "",
  earlier: [],
  question: "?",
  functions: [{ ...described, description: "Area" }],
};

test("names are made fit for a model and found again", () => {
  const twins = [described, { ...described, name: "geo_area" }].map((about) => ({
    ...about,
    description: "",
  }));
  const { tools, names } = toolsOf({ functions: twins });
  assert.deepEqual(
    tools.map(({ name, description }) => [name, description]),
    [
      ["geo_area", "geo.area"],
      ["geo_area_2", "geo_area"],
    ],
  );
  assert.deepEqual(
    [...names],
    [
      ["geo_area", "geo.area"],
      ["geo_area_2", "geo_area"],
    ],
  );
});

test("a case says why it is not passed", () => {
  const answer = { "geo.area": { side: [parse("5")] } };
  const call = (written: string) => ({ name: "geo.area", written });
  assert.equal(faultOf({ ...one, answer }, call('{"side":5}')), null);
  assert.equal(faultOf({ ...one, answer }, call('{"side":')), 'arguments are no JSON: {"side":');
  assert.equal(faultOf({ ...one, answer }, null), "called nothing, wanted geo.area");
  assert.equal(faultOf({ ...one, answer: null }, null), null);
  assert.equal(
    faultOf({ ...one, answer: null }, call("{}")),
    "called geo.area({}), wanted no call",
  );
});

test("a draw is the same for its seed and leaves out what is named", () => {
  const ids = Array.from({ length: 50 }, (_, at) => `multiple_${at}`);
  const not = new Set(ids.slice(0, 25));
  const drawn = draw(ids, { count: 10, seed: 7, not });
  assert.deepEqual(drawn, draw(ids, { count: 10, seed: 7, not }));
  assert.notDeepEqual(drawn, draw(ids, { count: 10, seed: 8, not }));
  assert.equal(new Set(drawn).size, 10);
  assert.ok(drawn.every((id) => !not.has(id)));
  assert.deepEqual(["simple_python_3", "live_multiple_0-1-2"].map(categoryOf), [
    "simple_python",
    "live_multiple",
  ]);
  assert.deepEqual(readIds('{"a": ["x"], "b": ["y"]}'), ["x", "y"]);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Arguments as models write them, taken kindly, seen in what the program gets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { takeKindly } from "../../src/tools/schema.ts";
import { argv, call, place } from "./place.ts";

/** One tool with a parameter of each type, whose program prints what it gets. */
async function open() {
  const here = place();
  here.write(
    "echo.toml",
    `description = "Says its argument"
${argv("printf", "%s", "<{s}{i}{n}{b}{d}{m}{t}{e}{k}>")}
[params]
s = {}
i = { type = "int" }
n = { type = "float" }
b = { type = "boolean" }
d = { format = "date" }
m = { format = "month" }
t = { format = "time" }
e = { enum = ["red", "Green", "7"] }
k = { type = "integer", enum = [1, 2] }
`,
  );
  const tools = here.open();
  return {
    tools,
    /** What the model reads for arguments as JSON text. */
    said: async (text: string) =>
      (await tools.call("echo", text, { signal: new AbortController().signal })).text,
    [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
  };
}

const taken: readonly (readonly [json: string, value: string])[] = [
  ["{}", ""],
  ["", ""],
  ["  \n", ""],
  ["null", ""],
  ['{"s": null, "i": null, "b": null, "e": null, "d": null}', ""],
  ['{"s": "", "i": "", "n": "", "b": "", "e": "", "d": "", "m": ""}', ""],
  ['{"s": "null"}', "null"],
  ['{"s": 3}', "3"],
  ['{"s": 0.5}', "0.5"],
  ['{"s": true}', "true"],
  ['{"s": 12345678901234567890}', "12345678901234567890"],
  ['{"s": -9007199254740993}', "-9007199254740993"],
  ['{"s": 1e400}', "1e400"],
  ['{"s": " a "}', " a "],
  ['{"i": "3"}', "3"],
  ['{"i": " 3 "}', "3"],
  ['{"i": "-3"}', "-3"],
  ['{"i": 3.0}', "3"],
  ['{"i": "3.0"}', "3"],
  ['{"i": "+3"}', "3"],
  ['{"i": 0}', "0"],
  ['{"n": "2.5"}', "2.5"],
  ['{"n": ".5"}', "0.5"],
  ['{"n": "1e3"}', "1000"],
  ['{"b": "true"}', "true"],
  ['{"b": "False"}', "false"],
  ['{"b": false}', "false"],
  ['{"d": "2028-02-29"}', "2028-02-29"],
  ['{"m": "2026-12"}', "2026-12"],
  ['{"t": "23:59"}', "23:59"],
  ['{"t": "07:05:30"}', "07:05:30"],
  ['{"e": "red"}', "red"],
  ['{"e": "RED"}', "red"],
  ['{"e": " green "}', "Green"],
  ['{"e": 7}', "7"],
  ['{"k": "2"}', "2"],
  ['{"s": "x", "other": 1, "toString": 2, "__proto__": {"i": 5}}', "x"],
  ['{"s": "\\ud83d"}', "\ufffd"],
];

const refused: readonly (readonly [json: string, fault: string])[] = [
  ['{"s": ["a"]}', "s: must be a string"],
  ['{"s": {"a": 1}}', "s: must be a string"],
  ['{"i": "three"}', "i: must be an integer"],
  ['{"i": 3.5}', "i: must be an integer"],
  ['{"i": "0x10"}', "i: must be an integer"],
  ['{"i": true}', "i: must be an integer"],
  ['{"i": 12345678901234567890}', "i: must be an integer"],
  ['{"n": "much"}', "n: must be a number"],
  ['{"n": "Infinity"}', "n: must be a number"],
  ['{"n": 1e400}', "n: must be a number"],
  ['{"n": "1,5"}', "n: must be a number"],
  ['{"b": "yes"}', "b: must be a boolean"],
  ['{"b": 1}', "b: must be a boolean"],
  ['{"d": "tomorrow"}', "d: must be a date (YYYY-MM-DD)"],
  ['{"d": "2026-02-29"}', "d: must be a date (YYYY-MM-DD)"],
  ['{"m": "2026-13"}', "m: must be a month (YYYY-MM)"],
  ['{"t": "24:00"}', "t: must be a time (HH:MM)"],
  ['{"e": "blue"}', "e: must be one of red, Green, 7"],
  ['{"k": 3}', "k: must be one of 1, 2"],
  ['{"k": "two"}', "k: must be one of 1, 2"],
];

test("arguments are taken kindly", async () => {
  await using echo = await open();
  for (const [json, value] of taken) assert.equal(await echo.said(json), `<${value}>`, json);
});

test("only what cannot be understood is refused, with the parameter and what is wrong", async () => {
  await using echo = await open();
  for (const [json, fault] of refused) assert.equal(await echo.said(json), `error: ${fault}`, json);
});

test("text that is no JSON object is refused", async () => {
  await using echo = await open();
  for (const json of [
    "{",
    '{"s": "a"',
    '["a"]',
    '"a"',
    "3",
    "true",
    "a",
    '{"s": "a"} x',
    "{'s': 1}",
  ])
    assert.equal(await echo.said(json), "error: arguments are not valid JSON", json);
});

test("a default stands for null, an empty text and nothing", async () => {
  await using here = place();
  const rest = '[params.x]\ndefault = "home"\n[params.n]\ntype = "integer"\ndefault = 0\n';
  here.write("it.toml", `description = "d"\n${argv("printf", "%s", "{x} {n}")}${rest}`);
  const tools = here.open();
  for (const args of [{}, { x: null, n: null }, { x: "", n: "" }])
    assert.equal((await call(tools, "it", args)).text, "home 0");
  assert.equal((await call(tools, "it", { x: "away", n: 2 })).text, "away 2");
});

test("a missing required argument is a fault to those who ask, and empty to the program", async () => {
  await using here = place();
  const rest = "[params.x]\nrequired = true\n";
  here.write("it.toml", `description = "d"\n${argv("printf", "%s", "<{x}>")}${rest}`);
  const tools = here.open();
  assert.equal(tools.fault("it", {}), "x: is missing");
  assert.equal(tools.fault("it", { x: "" }), "x: is missing");
  assert.equal(tools.fault("it", { x: 3 }), null);
  assert.equal(tools.fault("none", {}), "no tool named none");
  assert.equal((await call(tools, "it")).text, "<>");
});

test("arguments come in the schema's order, whatever order they were written in", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
  assert.deepEqual(Object.keys(takeKindly(schema, { c: "1", b: "2", a: "3" })), ["a", "b", "c"]);
});

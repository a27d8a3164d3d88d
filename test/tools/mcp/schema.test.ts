// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Servers' schemas: what of them a model is given, and that the oddest one breaks nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readList } from "../../../src/tools/mcp/listed.ts";
import { offeredSchema } from "../../../src/tools/mcp/schema.ts";
import { open } from "../../support/mcp/opened.ts";

const text = { type: "string" };
const offered = (properties: unknown, rest: Record<string, unknown> = {}) =>
  offeredSchema({ type: "object", properties, ...rest }).schema;

test("what says nothing to a model is left out, at every depth, and a parameter may have any name", () => {
  const sent = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "x",
    title: "Arguments",
    type: "object",
    properties: {
      title: { type: "string", title: "Title", examples: ["a"], description: "d".repeat(200) },
      deep: {
        type: "array",
        items: { type: "object", properties: { $id: { title: "x", ...text } } },
      },
    },
    required: ["title"],
    additionalProperties: false,
    "x-order": 1,
  };
  assert.deepEqual(offeredSchema(sent), {
    schema: {
      type: "object",
      properties: {
        title: { type: "string", description: `${"d".repeat(119)}…` },
        deep: { type: "array", items: { type: "object", properties: { $id: text } } },
      },
      required: ["title"],
      additionalProperties: false,
    },
    fault: "",
  });
});

test("what is no schema of an object is an object without parameters", () => {
  const empty = { schema: { type: "object", properties: {} }, fault: "" };
  for (const sent of [undefined, null, "no", 7, [], true, { type: "string" }, { type: ["array"] }])
    assert.deepEqual(offeredSchema(sent), empty, JSON.stringify(sent));
  assert.deepEqual(offeredSchema({ properties: "no", type: 3 }), empty);
  assert.deepEqual(offeredSchema({ type: ["object", "null"] }), empty);
});

test("references inside stay when they lead somewhere, and all others go", () => {
  const $defs = { Place: { type: "object", properties: { name: text } } };
  assert.deepEqual(offered({ at: { $ref: "#/$defs/Place" } }, { $defs }), {
    type: "object",
    properties: { at: { $ref: "#/$defs/Place" } },
    $defs,
  });
  for (const $ref of [
    "#/$defs/None",
    "http://127.0.0.1:1/x.json",
    "other.json#/a",
    "#anchor",
    "",
    "#/%",
  ])
    assert.deepEqual(offered({ at: { $ref, description: "d" } }).properties, {
      at: { description: "d" },
    });
  assert.deepEqual(offered({ at: { $ref: 7 } }).properties, { at: {} });
  const turning = { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } };
  assert.deepEqual(offered({ at: { $ref: "#/$defs/A" } }, { $defs: turning }).properties, {
    at: {},
  });
});

test("a schema that is only a reference is what that leads to", () => {
  const $defs = { All: { type: "object", properties: { name: text }, required: ["name"] } };
  const { schema } = offeredSchema({ $ref: "#/$defs/All", $defs });
  assert.deepEqual([schema.properties, schema.required], [{ name: text }, ["name"]]);
});

test("a pattern of another language, and words in the wrong place, are left to the server", () => {
  const odd = {
    type: "word",
    pattern: "(?i)[a-",
    minimum: "1",
    enum: "a",
    required: true,
    format: 1,
  };
  assert.deepEqual(offered({ a: odd }).properties, { a: {} });
  assert.deepEqual(offered({ a: { exclusiveMinimum: true, items: [text] } }).properties, {
    a: { prefixItems: [text] },
  });
});

test("a schema that turns in a circle, is too large or too deep is named, and nothing throws", () => {
  const circle = offeredSchema({
    type: "object",
    properties: { a: { allOf: [{ $ref: "#/properties/a" }] } },
  });
  assert.match(circle.fault, /^its schema is faulty: /);
  const large = { type: "object", properties: { a: { enum: ["x".repeat(200_000)] } } };
  assert.match(offeredSchema(large).fault, /^its schema has \d+ characters$/);
  const deep = JSON.parse(`${'{"items":'.repeat(8000)}1${"}".repeat(8000)}`);
  assert.equal(offeredSchema(deep).fault, "");
  const bottomless = JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`);
  const { fault } = offeredSchema({ properties: { a: { enum: [bottomless] } } });
  assert.equal(fault, "its schema is nested too deeply");
});

test("a schema whose check would take for ever is named", () => {
  const steps = Array.from({ length: 40 }, (_, at) => {
    const next = at < 39 ? { $ref: `#/$defs/d${at + 1}` } : text;
    return [`d${at}`, { allOf: [next, next] }];
  });
  const twofold = { properties: { a: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(steps) };
  assert.equal(offeredSchema(twofold).fault, "its schema is faulty: it takes too long");
});

test("a long list is read in steps between which others have their turn", async () => {
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, text]));
  const inputSchema = { type: "object", properties };
  const tools = Array.from({ length: 600 }, (_, at) => ({ name: `t${at}`, inputSchema }));
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const listed = await readList(tools);
  clearImmediate(counting);
  assert.equal(listed.length, 600);
  assert.ok(turns > 2, `${turns} turns`);
});

test("a server's schemas have a bound together, and those beyond it are named", async () => {
  const inputSchema = { properties: { a: { enum: ["x".repeat(90_000)] } } };
  const tools = Array.from({ length: 30 }, (_, at) => ({ name: `t${at}`, inputSchema }));
  const faults = (await readList(tools)).map(({ fault }) => fault);
  const beyond = "the server's schemas have more than 2 million characters together";
  assert.deepEqual([faults[0], faults[21], faults[22], faults[29]], ["", "", beyond, beyond]);
});

test("a bad entry of a list never hides the others", async () => {
  const bottomless = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const listed = await readList([
    null,
    7,
    {},
    { name: "" },
    { name: "n".repeat(300) },
    {
      name: "deep",
      inputSchema: { type: "object", properties: { a: { enum: JSON.parse(bottomless) } } },
    },
    { name: "good", description: 7, title: "Good one" },
    { name: "twice", description: "one" },
    { name: "twice", description: "two" },
    { name: "same", description: "same" },
    { name: "same", description: "same" },
  ]);
  assert.deepEqual(
    listed.map(({ name, description, fault }) => [name, description, fault !== ""]),
    [
      ["deep", "deep", true],
      ["good", "Good one", false],
      ["twice", "two", true],
      ["same", "same", false],
    ],
  );
});

test("a description is one line without hidden characters", async () => {
  const hidden = "Looks\u0000 up.\n\n  \u202e\u{e0041}\u200bNow.\ud800";
  assert.equal(
    (await readList([{ name: "a", description: hidden }]))[0]?.description,
    "Looks up. Now.\ufffd",
  );
});

test("the order of keys is no change, everything else is", async () => {
  const mark = async (inputSchema: unknown, description = "d") =>
    JSON.stringify((await readList([{ name: "a", description, inputSchema }]))[0]?.marks);
  const first = await mark({ type: "object", title: "t" });
  assert.equal(await mark({ title: "t", type: "object" }), first);
  assert.notEqual(await mark({ type: "object", title: "u" }), first);
  const long = "d".repeat(400);
  assert.notEqual(await mark({}, `${long}a`), await mark({}, `${long}b`));
});

test("a tool with a broken schema is out with its reason, and the server's others can be called", async () => {
  const circle = { type: "object", properties: { a: { allOf: [{ $ref: "#/properties/a" }] } } };
  const loose = { type: "object", properties: { words: { $ref: "#/nowhere" } } };
  const tools = [
    { name: "bad", description: "Bad.", inputSchema: circle },
    { name: "echo", description: "Says it.", inputSchema: loose },
  ];
  await using mcp = open({ a: { script: { tools } } });
  await mcp.ready();
  const { state, error, effect } = mcp.known("a__bad");
  assert.deepEqual([state, effect], ["broken", null]);
  assert.match(error, /^its schema is faulty: /);
  assert.equal((await mcp.call("a__echo", { words: "fine" })).text, "fine");
  assert.equal(mcp.item("a").tools, 2);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What of the tools stands in a prompt's list, what is left out of it, and how little of a schema is sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { meantCall } from "../../src/conversation/call-tool.ts";
import { countListed, takeOffer } from "../../src/conversation/offer.ts";
import { slimSchema } from "../../src/conversation/slim.ts";
import { listings } from "../../src/conversation/strategies/listings.ts";
import { native } from "../../src/conversation/strategies/native.ts";
import { rescue } from "../../src/conversation/strategies/rescue.ts";
import type { Notice, ToolSchema } from "../../src/message.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { bigTools, manyTools } from "./many/load.ts";
import { builtIn, ordinary } from "./many/ordinary.ts";

const called = async () => ({ ok: true, text: "done" });
const made = (schemas: readonly ToolSchema[]): Tool[] =>
  schemas.map((schema) => ({ ...schema, call: called }));

function rooms(tools: readonly Tool[], { toolRounds = 3 } = {}) {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const notices: Notice[] = [];
  const config = { system: "", assistantName: null, toolRounds, think: true, titles: false };
  return {
    tools: registry,
    config: { ...config, person: { name: null, address: null } },
    told: new Set<string>(),
    notice: (notice: Notice) => void notices.push(notice),
    notices,
  };
}
/** The JSON of a list as a request has it. */
const listJson = (tools: readonly ToolSchema[]) =>
  native({ system: "", listed: tools, tools: [], today: new Date() }).preamble.tools ?? "";
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

test("twelve ordinary tools and the built-in ones all stand in the list, with no word more", () => {
  const all = rooms([...builtIn, ...ordinary]);
  const offer = takeOffer(all, listings.native);
  assert.deepEqual(names(offer.listed), names([...builtIn, ...ordinary]));
  assert.equal(offer.more("What is on my calendar?", []).text, "");
  assert.deepEqual(all.notices, []);
  assert.equal(countListed(all, listings.native), 15);
  // 3.3 bytes of such a list were measured to be a token: the twelve are below 1,100 of them.
  assert.ok(listJson(takeOffer(rooms(ordinary), listings.native).listed).length < 3700);
});

for (const [size, tools] of [
  ["lean", manyTools],
  ["2 kB", bigTools],
] as const) {
  test(`of 300 ${size} tools those in front are listed, and list and shortlist keep in the budget`, () => {
    const offer = takeOffer(rooms(made(tools)), listings.native);
    const front = offer.listed.slice(0, -1);
    assert.ok(front.length > 0);
    assert.deepEqual(names(front), names(tools.slice(0, front.length)));
    assert.equal(offer.listed.at(-1)?.name, "call_tool");
    const shortlist = offer.more("Send Anna a mail about the meeting", []).text;
    assert.match(shortlist, /by call_tool/);
    for (const { name } of front) assert.ok(!shortlist.includes(`\n${name}(`), name);
    const bytes = Buffer.byteLength(listJson(offer.listed)) + Buffer.byteLength(shortlist);
    assert.ok(bytes <= 5400, `${bytes}`);
  });
}

test("the first tool that does not fit ends the list, and the same tools give the same list", () => {
  const [first, second, ...others] = made(manyTools.slice(0, 100));
  assert.ok(first && second);
  const huge: Tool = { ...second, description: "word ".repeat(2000) };
  const all = [first, huge, ...others];
  assert.deepEqual(names(takeOffer(rooms(all), listings.native).listed), [first.name, "call_tool"]);
  assert.equal(
    listJson(takeOffer(rooms(all), listings.native).listed),
    listJson(takeOffer(rooms(all), listings.native).listed),
  );
});

test("a list that leaves tools out is told once, and again when it has changed", () => {
  const all = rooms(made(manyTools));
  const listed = countListed(all, listings.native);
  takeOffer(all, listings.native);
  takeOffer(all, listings.native);
  assert.equal(all.notices.length, 1);
  const [notice] = all.notices;
  assert.equal(notice?.code, "tools_budget");
  assert.match(
    notice?.message ?? "",
    new RegExp(`${listed} of 300 tools; the other ${300 - listed} .*call_tool`),
  );
  all.tools.unregister("photos__search");
  takeOffer(all, listings.native);
  assert.equal(all.notices.length, 2);
  takeOffer(all, listings.native);
  assert.equal(all.notices.length, 2);
});

test("without rounds for tools none is offered or counted", () => {
  const all = rooms(made(manyTools), { toolRounds: 0 });
  assert.equal(countListed(all, listings.native), 0);
  assert.deepEqual(takeOffer(all, listings.native).listed, []);
  assert.deepEqual(all.notices, []);
});

test("a tool of one's own that is called call_tool is an ordinary tool", () => {
  const own: Tool = { name: "call_tool", description: "Rings", parameters: {}, call: called };
  const few = takeOffer(rooms([own]), listings.native);
  assert.deepEqual(names(few.listed), ["call_tool"]);
  const { reach, listed } = takeOffer(rooms([own, ...made(manyTools)]), listings.native);
  assert.equal(reach, "call_tool_by_name");
  assert.equal(listed[0]?.name, "call_tool");
  assert.equal(listed.at(-1)?.name, reach);
  const call = {
    id: "1",
    name: "call_tool",
    arguments: '{"name":"x","arguments":{}}',
    whole: true,
  };
  assert.deepEqual(meantCall(call, reach), call);
  assert.equal(meantCall({ ...call, name: reach }, reach).name, "x");
});

test("the arguments inside a call by name are taken as an object, as text, or beside the name", () => {
  const inside = (args: string, whole = true) =>
    meantCall({ id: "1", name: "call_tool", arguments: args, whole }, "call_tool");
  for (const args of [
    '{"name":"x","arguments":{"a":1}}',
    '{"name":" x ","arguments":"{\\"a\\":1}"}',
    '{"name":"x","a":1}',
  ]) {
    const { name, arguments: text } = inside(args);
    assert.equal(name, "x");
    assert.deepEqual(JSON.parse(text), { a: 1 });
  }
  for (const args of ["{}", '{"arguments":{}}', '{"name":1}', "[]", "x"])
    assert.equal(inside(args).name, "call_tool", args);
  assert.equal(inside('{"name":"x"}', false).name, "call_tool", "a call that was cut off");
});

test("a call by name that came as text counts as the tool inside would", () => {
  const wipe: Tool = {
    name: "wipe",
    description: "x",
    parameters: {},
    effect: "change",
    call: called,
  };
  const { tools } = takeOffer(rooms([...made(manyTools), wipe]), listings.native);
  const written = (name: string, args: object) =>
    rescue(JSON.stringify({ name: "call_tool", arguments: { name, arguments: args } }), tools);
  const good = written("stocks__quote", { symbol: "TSLA" });
  assert.equal(good?.name, "call_tool");
  assert.equal(meantCall(good, "call_tool").name, "stocks__quote");
  assert.equal(written("stocks__quote", {}), null, "an argument is missing");
  assert.equal(written("stocks__nothing", {}), null, "no such tool");
  assert.equal(written("wipe", {}), null, "it changes something");
  assert.equal(
    written("call_tool", { name: "stocks__quote", arguments: {} }),
    null,
    "twice inside",
  );
  assert.equal(rescue('{"name":"call_tool","arguments":{}}', tools), null, "nothing inside");
  // Told the signature, small models also call it as if it were listed.
  const direct = rescue('{"name":"stocks__quote","arguments":{"symbol":"TSLA"}}', tools);
  assert.equal(direct?.name, "stocks__quote");
  // Where all are listed there is no call by name.
  const few = takeOffer(rooms(made(manyTools.slice(0, 3))), listings.native).tools;
  const text = '{"name":"call_tool","arguments":{"name":"filesystem__read_text_file","path":"x"}}';
  assert.equal(rescue(text, few), null);
});

test("a schema is sent without what tells a model nothing", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    title: "search_arguments",
    properties: {
      title: { type: "string", title: "Title", description: "" },
      max_count: { type: "integer", title: "Max Count", default: 5 },
      required: { type: "array", items: { type: "object", required: [], title: "One" } },
      place: {
        anyOf: [{ type: "object", additionalProperties: false }, { const: { required: [] } }],
      },
    },
    required: ["title"],
    additionalProperties: false,
  };
  assert.deepEqual(slimSchema(schema), {
    type: "object",
    title: "search_arguments",
    properties: {
      title: { type: "string" },
      max_count: { type: "integer", default: 5 },
      required: { type: "array", items: { type: "object", title: "One" } },
      place: { anyOf: [{ type: "object" }, { const: { required: [] } }] },
    },
    required: ["title"],
  });
  assert.deepEqual(slimSchema({ type: "object", additionalProperties: { type: "string" } }), {
    type: "object",
    additionalProperties: { type: "string" },
  });
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tool that sends is given short texts only, however its schema was written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";

const { signal } = new AbortController();

async function sent(parameters: Tool["parameters"], args: Record<string, unknown>) {
  const registry = new ToolRegistry();
  const call: Tool["call"] = async () => ({ ok: true, text: "sent" });
  registry.register({ name: "it", description: "Sends.", parameters, effect: "send", call });
  return (await registry.call("it", args, { signal })).text;
}
const long = "x".repeat(201);
const object = (properties: Record<string, unknown>, more = {}) => ({
  type: "object",
  properties,
  ...more,
});

const schemas: [
  how: string,
  schema: Tool["parameters"],
  wrap?: (text: string) => Record<string, unknown>,
][] = [
  ["a short form", { q: {} }],
  ["a JSON Schema", object({ q: { type: "string" } })],
  ["a type or null", object({ q: { type: ["string", "null"] } })],
  ["no type at all", object({ q: { description: "what" } })],
  ["anything", object({ q: true })],
  ["one of several forms", object({ q: { anyOf: [{ type: "string" }, { type: "integer" }] } })],
  ["a reference", object({ q: { $ref: "#/$defs/text" } }, { $defs: { text: { type: "string" } } })],
  [
    "a list",
    object({ q: { type: "array", items: { type: "string" } } }),
    (text) => ({ q: [text] }),
  ],
  [
    "a table inside",
    object({ q: object({ r: { type: "string" } }) }),
    (text) => ({ q: { r: text } }),
  ],
  ["an argument that it does not name", object({ other: { type: "string" } })],
  [
    "an argument whose name is a word of schemas",
    object({ default: { type: "string" }, enum: {} }),
    (text) => ({ default: text }),
  ],
  ["a table of anything", { type: "object" }],
  [
    "a table of anything inside",
    object({ q: { type: "object" } }),
    (text) => ({ q: { r: [{ s: text }] } }),
  ],
  [
    "the names of such a table",
    object({ q: { type: "object" } }),
    (text) => ({ q: { [text]: 1 } }),
  ],
  ["a list of anything", object({ q: { type: "array" } }), (text) => ({ q: [[text]] })],
  ["additional properties", object({}, { additionalProperties: { type: "string" } })],
];
for (const [how, schema, wrap = (text: string) => ({ q: text })] of schemas) {
  test(`200 characters at most leave through ${how}`, async () => {
    assert.equal(await sent(schema, wrap(long.slice(1))), "sent");
    assert.match(
      await sent(schema, wrap(long)),
      /^error: .*(at most 200 characters|none of the allowed)/,
    );
  });
}

test("a bound of the writer's own, and a fixed list, stand", async () => {
  assert.equal(await sent(object({ q: { type: "string", maxLength: 300 } }), { q: long }), "sent");
  assert.equal(await sent(object({ q: { type: "string", enum: [long] } }), { q: long }), "sent");
  const either = { anyOf: [{ type: "string", maxLength: 300 }, { type: "null" }] };
  assert.equal(await sent(object({ q: either }), { q: long }), "sent");
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a small model is told of tools that are seldom meant: nothing, but beside a question that means them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countListed, takeOffer } from "../../src/conversation/offer.ts";
import { listings } from "../../src/conversation/strategies/listings.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { builtIn, ordinary } from "./many/ordinary.ts";

const seldom = builtIn.map((tool): Tool => ({ ...tool, occasional: true }));

function rooms(tools: readonly Tool[]) {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const config = { system: "", assistantName: null, toolRounds: 3, think: true, titles: false };
  const notices: string[] = [];
  return {
    tools: registry,
    config: { ...config, person: { name: null, address: null } },
    told: new Set<string>(),
    notice: ({ code }: { code: string }) => void notices.push(code),
    notices,
  };
}
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

test("lines hold the person's own tools, and the array of a native model holds all", () => {
  const all = rooms([...seldom, ...ordinary]);
  assert.deepEqual(names(takeOffer(all, listings.plan).listed), names(ordinary));
  assert.equal(countListed(all, listings.plan), ordinary.length);
  assert.deepEqual(names(takeOffer(all, listings.native).listed), names([...seldom, ...ordinary]));
  assert.deepEqual(all.notices, [], "nothing was left out for want of room");
});

for (const [question, wanted] of [
  ["What did I note about the boiler?", "notes"],
  ["Cosa ho annotato sulla caldaia?", "notes"],
  ["Merke dir: Milch kaufen", "note"],
  ["What have we talked about the holiday?", "history_search"],
  ["Worüber haben wir gestern gesprochen?", "history_search"],
] as const)
  test(`"${question}" brings ${wanted}`, () => {
    const offer = takeOffer(rooms([...seldom, ...ordinary]), listings.plan);
    const { tools, text } = offer.more(question, []);
    assert.ok(names(tools).includes(wanted));
    assert.match(text, new RegExp(`^\\n\\n\\[More tools that may fit:\\n(.*\\n)*${wanted}\\(`));
  });

test("an ordinary question brings none of them, and a follow-up brings those of the question before", () => {
  const offer = takeOffer(rooms([...seldom, ...ordinary]), listings.plan);
  for (const question of [
    "What is the capital of Italy? One word.",
    "Count from 1 to 500, one number a line.",
    "Say hello in Italian, one word.",
    "Scrivi un limerick su un gatto",
    "Wie hoch ist der Mont Blanc?",
  ])
    assert.deepEqual(offer.more(question, []), { tools: [], text: "" }, question);
  assert.ok(names(offer.more("Milk and eggs", ["Take a note please"]).tools).includes("note"));
});

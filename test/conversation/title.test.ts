// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a model is asked for a title with, and what of its reply a person sees.
import assert from "node:assert/strict";
import { test } from "node:test";
import { native } from "../../src/conversation/strategies/native.ts";
import { plan } from "../../src/conversation/strategies/plan/plan.ts";
import type { StrategyOptions } from "../../src/conversation/strategies/strategy.ts";
import { readTitle, titleFits, titleRequest } from "../../src/conversation/title.ts";
import { TokenGauge } from "../../src/conversation/window.ts";
import { grammarOf } from "../../src/model/grammar/schema.ts";

const tool = { name: "size", description: "Tells a size.", parameters: { type: "object" } };
const options: StrategyOptions = {
  system: "Be short.",
  listed: [tool],
  tools: [{ ...tool, effect: "read", untrusted: false, fault: () => null }],
  today: new Date(2026, 11, 1),
};
const sent = ['{"role":"system","content":"Be short."}', '{"role":"user","content":"Hi"}'];

test("a planning model's title is forced by a schema, in the language that is known", () => {
  const request = titleRequest(plan(options), { sent, language: "it", thread: "t1" });
  assert.deepEqual(request.messages.slice(0, 2), sent);
  assert.equal(request.messages.length, 3);
  const wish = JSON.parse(request.messages[2] ?? "");
  assert.equal(wish.role, "user");
  assert.match(wish.content, /two to five words, in Italian\..*\{"title":"\.\.\."\}/);
  assert.ok(request.schema && grammarOf(request.schema) !== null);
  assert.equal(request.tools, undefined);
  assert.deepEqual([request.think, request.thread], [false, "t1"]);
  assert.ok((request.maxTokens ?? 1000) <= 100);
});

test("a native model's title is plain text, with the tools in front that may not be called", () => {
  const strategy = native(options);
  const request = titleRequest(strategy, { sent, language: null });
  assert.equal(request.tools, strategy.preamble.tools);
  assert.equal(request.toolChoice, "none");
  assert.equal(request.schema, undefined);
  assert.equal("thread" in request, false);
  assert.match(request.messages[2] ?? "", /in the language of my questions\./);
  const bare = titleRequest(native({ ...options, listed: [] }), { sent, language: null });
  assert.deepEqual(["tools" in bare, "toolChoice" in bare], [false, false]);
});

test("the schema's grammar is made once", () => {
  const [one, other] = ["it", null].map((language) =>
    titleRequest(plan(options), { sent, language }),
  );
  assert.equal(one?.schema, other?.schema);
});

test("a request that the context does not take is not sent", () => {
  const gauge = new TokenGauge(); // 3 bytes a token
  const long = { messages: ["x".repeat(3000)], think: false };
  assert.equal(titleFits(long, { contextTokens: 1000 }, gauge), false);
  assert.equal(titleFits(long, { contextTokens: 1200 }, gauge), true);
  assert.equal(
    titleFits({ ...long, tools: "y".repeat(600) }, { contextTokens: 1200 }, gauge),
    false,
  );
  assert.equal(titleFits(long, { contextTokens: 0 }, gauge), true);
});

/** [reply, title] */
const read: [string, string | null][] = [
  ["Boiling soft eggs", "Boiling soft eggs"],
  ['{"title":"Capitale della Francia"}', "Capitale della Francia"],
  ['```json\n{ "title": "Quokkas" }\n```', "Quokkas"],
  ['"Python List Index Error"', "Python List Index Error"],
  ["“Rainy days”", "Rainy days"],
  ["„Regen in München“", "Regen in München"],
  ["« Les trains de nuit »", "Les trains de nuit"],
  ["「京都の秋」", "京都の秋"],
  ["'Soft eggs'", "Soft eggs"],
  ["‘Soft eggs’", "Soft eggs"],
  ["‹Soft eggs›", "Soft eggs"],
  ['What "Zeitgeist" means', "What Zeitgeist means"],
  ['Meaning of "Zeitgeist"', "Meaning of Zeitgeist"],
  ["**Soft eggs**", "Soft eggs"],
  ["**Title:** Soft eggs", "Soft eggs"],
  ["### Soft eggs", "Soft eggs"],
  ["- Soft eggs", "Soft eggs"],
  ["> Soft eggs", "Soft eggs"],
  ["*Soft* eggs with `salt`", "Soft eggs with salt"],
  ["_Soft eggs_", "Soft eggs"],
  ["__Soft eggs__", "Soft eggs"],
  ["[Soft eggs](https://example.org/eggs)", "Soft eggs"],
  ["Title: Soft eggs", "Soft eggs"],
  ['Title: "Soft eggs."', "Soft eggs"],
  ["Titolo: Uova alla coque", "Uova alla coque"],
  ["标题：法国首都", "法国首都"],
  ["Here is a title:\n\nSoft eggs", "Soft eggs"],
  ["\n\nSoft eggs\nIt is about eggs.", "Soft eggs"],
  ["1. Soft eggs\n2. Hard eggs", "Soft eggs"],
  ["3. Liga Tabelle", "3. Liga Tabelle"],
  ["Soft eggs.", "Soft eggs"],
  ["Soft eggs...", "Soft eggs"],
  ["法国首都。", "法国首都"],
  ["法国首都是哪里？", "法国首都是哪里？"],
  ["How soft is soft?", "How soft is soft?"],
  ["one two three four five six seven eight", "one two three four five six"],
  ["one, two, three, four, five, six, seven", "one, two, three, four, five, six"],
  ["Salt & pepper – the two of them", "Salt & pepper – the two of them"],
  ["one two three four five six & seven", "one two three four five six"],
  ["Soft\teggs\u0000 and\u001b salt", "Soft eggs and salt"],
  ["Soft eggs\u2028and more", "Soft eggs"],
  ["\u202eSoft eggs\u202c", "Soft eggs"],
  ["Soft \ud800 eggs", "Soft eggs"],
  // What must survive.
  ["L'acqua dell'orto", "L'acqua dell'orto"],
  ["Quand’è l’alba", "Quand’è l’alba"],
  ["Rock 'n' roll", "Rock 'n' roll"],
  ["snake_case_names and 2 * 3 * 4", "snake_case_names and 2 * 3 * 4"],
  ["C# and F# in Node.js", "C# and F# in Node.js"],
  ["🍝 Pasta al dente 👩‍🍳", "🍝 Pasta al dente 👩‍🍳"],
  ["🏴󠁧󠁢󠁷󠁬󠁳󠁿 in Wales", "🏴󠁧󠁢󠁷󠁬󠁳󠁿 in Wales"],
  ["الطقس في القاهرة", "الطقس في القاهرة"],
  ['מה זה צה"ל', 'מה זה צה"ל'],
  ["می‌خواهم بدانم", "می‌خواهم بدانم"],
  ["《红楼梦》的作者", "《红楼梦》的作者"],
  ["[Draft] A mail to Ada", "[Draft] A mail to Ada"],
  ["{Curly} braces", "{Curly} braces"],
  ["Title insurance in Ohio", "Title insurance in Ohio"],
  // What is no title.
  ["", null],
  [" \n\t ", null],
  ["...", null],
  ['""', null],
  ["**", null],
  ['{"title":""}', null],
  ['{"title":7}', null],
  ['{"tool":"size","arguments":{"of":"Oslo"}}', null],
  ['{"name":"size","arguments":{}}', null],
  ['{"title":"Soft e', null],
  ['["Soft eggs"]', null],
  ['<tool_call>\n{"name":"size","arguments":{}}\n</tool_call>', null],
  [
    "As an assistant I am happy to tell you that eggs are boiled for about six minutes in water.",
    null,
  ],
];

for (const [reply, title] of read)
  test(`${JSON.stringify(reply)} is read as ${JSON.stringify(title)}`, () =>
    assert.equal(readTitle(reply), title));

test("a title in a script without spaces has at most twenty characters, whole ones", () => {
  const title = readTitle("关于在北京和上海之间选择一个城市工作和生活的建议与讨论") ?? "";
  assert.equal(title, "关于在北京和上海之间选择一个城市工作和生");
  assert.equal([...title].length, 20);
  assert.equal(readTitle("The character 道 in the Tao"), "The character 道 in the Tao");
});

test("an endless word is cut between characters", () => {
  const title = readTitle("👩‍🍳".repeat(100)) ?? "";
  assert.ok([...title].length <= 120, title);
  assert.equal(title.replaceAll("👩‍🍳", ""), "");
});

test("a reply without end is read by its beginning", () => {
  const begun = performance.now();
  assert.equal(readTitle(`Soft eggs\n${"**a _b ".repeat(100_000)}`), "Soft eggs");
  assert.equal(readTitle(`{"title":"${"**a _b ".repeat(100_000)}`), null);
  assert.equal(readTitle("**a _b [c".repeat(100_000)), null);
  assert.ok(performance.now() - begun < 1000);
});

test("whatever a model writes, a title is one short line", () => {
  const pieces = [
    "a",
    " ",
    "\n",
    "**",
    "_",
    '"',
    "{",
    "}",
    ":",
    "Title",
    "漢",
    "א",
    "👩‍🍳",
    "\u202e",
    "`",
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join("");
    const title = readTitle(text);
    if (title === null) continue;
    assert.ok(title.length > 0 && [...title].length <= 120, text);
    assert.doesNotMatch(title, /[\p{Cc}\u202e]|^\s|\s$/u, text);
    assert.ok(title.split(" ").filter((part) => /[\p{L}\p{N}]/u.test(part)).length <= 6, text);
  }
});

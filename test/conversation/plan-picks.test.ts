// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A plan's own reading: dates at any depth, names of every kind, answers that are none while they grow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonEnd } from "../../src/conversation/strategies/json-text.ts";
import { choiceIn } from "../../src/conversation/strategies/plan/choice.ts";
import {
  answerIn,
  mayBeUnwanted,
  wordsOf,
} from "../../src/conversation/strategies/plan/json-answer.ts";
import { plan } from "../../src/conversation/strategies/plan/plan.ts";
import type { OfferedTool, SoFar } from "../../src/conversation/strategies/strategy.ts";
import type { Reply } from "../../src/model/model.ts";

const tool = (name: string, parameters: Record<string, unknown>): OfferedTool => ({
  name,
  description: name,
  parameters,
  effect: "read",
  untrusted: false,
  fault: () => null,
});
const asked = {
  text: "q",
  stamp: "",
  aloud: false,
  language: null,
  more: { tools: [], text: "" },
};
const soFar: SoFar = { asked, roundsLeft: 3, think: false, rounds: 0, failed: 0 };
const replyOf = (text: string): Reply => ({
  text,
  thinking: "",
  calls: [],
  reason: "stop",
  usage: null,
});

/** A plan of these tools, and how it reads a pick. */
function planOf(...tools: OfferedTool[]) {
  const strategy = plan({
    system: "S",
    listed: tools,
    tools,
    today: new Date("2026-11-30T12:00:00"),
  });
  const step = strategy.next({ kind: "question" }, soFar);
  const read = (text: string) => strategy.read(replyOf(text), step, asked, () => "");
  /** The arguments of the call that a pick is read as, and the pick as it is sent from then on. */
  const called = (name: string, args: unknown) => {
    const reading = read(JSON.stringify({ tool: name, arguments: args }));
    if (reading.kind !== "calls") return assert.fail(reading.kind);
    return { args: JSON.parse(reading.calls[0]?.arguments ?? ""), wrote: reading.wrote };
  };
  return { strategy, read, called };
}

const date = { type: "string", format: "date" };
test("days become dates wherever the schema has one, and are words again when they are sent", () => {
  const { called } = planOf(
    tool("find", {
      type: "object",
      properties: {
        on: date,
        maybe: { anyOf: [date, { type: "null" }] },
        days: { type: "array", items: date },
        range: { $ref: "#/$defs/range" },
        text: { type: "string" },
        month: { type: "string", pattern: "^\\d{4}-\\d{2}$" },
        all: { allOf: [{ $ref: "#/$defs/date" }] },
        self: { $ref: "#" },
      },
      $defs: {
        date,
        range: { type: "object", properties: { from: { $ref: "#/$defs/date" }, to: date } },
      },
    }),
  );
  const given = {
    on: "tomorrow",
    maybe: "Friday",
    days: ["today", "December 24"],
    range: { from: "yesterday", to: "next week", other: "today" },
    text: "today",
    month: "last month",
    all: "Sunday",
    self: { on: "tomorrow", self: { text: "tomorrow" } },
    unknown: "tomorrow",
  };
  const { args, wrote } = called("find", given);
  assert.deepEqual(args, {
    on: "2026-12-01",
    maybe: "2026-12-04",
    days: ["2026-11-30", "2026-12-24"],
    range: { from: "2026-11-29", to: "2026-12-07", other: "today" },
    text: "today",
    month: "2026-10",
    all: "2026-12-06",
    self: { on: "2026-12-01", self: { text: "tomorrow" } },
    unknown: "tomorrow",
  });
  const again = JSON.parse(wrote ?? "").arguments;
  assert.deepEqual(again, { ...given, range: { ...given.range, to: "Monday" } });
});

test("what stands for a day, month or choice that was not said is left out, and other texts like it stay", () => {
  const { called } = planOf(
    tool("find", {
      type: "object",
      properties: {
        from: date,
        month: { type: "string", pattern: "^\\d{4}-\\d{2}$" },
        maybe: { anyOf: [date, { type: "null" }] },
        text: { type: "string" },
        nothing: {},
        range: { type: "object", properties: { to: date, month: date } },
        kind: { enum: ["work", "home"] },
        which: { enum: ["any", "new"] },
      },
    }),
  );
  const given = {
    from: "any day",
    month: "any month",
    maybe: "any day",
    text: "any day",
    nothing: null,
    range: { to: "any day", month: "any month" },
    kind: "any",
    which: "any",
  };
  const known = { text: "any day", nothing: null, range: { month: "any month" }, which: "any" };
  assert.deepEqual(called("find", given).args, known);
});

test("a schema that leads back to itself without an end changes nothing", () => {
  const circle = { anyOf: [{ $ref: "#" }, { $ref: "#" }], $ref: "#/x", x: { $ref: "#" } };
  const { called } = planOf(tool("odd", circle));
  assert.deepEqual(called("odd", { a: "today" }).args, { a: "today" });
  const either = { anyOf: Array.from({ length: 9 }, () => ({ $ref: "#/$defs/a" })) };
  const { called: call } = planOf(
    tool("odd", { type: "object", properties: { a: either }, $defs: { a: either } }),
  );
  assert.deepEqual(call("odd", { a: "today" }).args, { a: "today" });
});

test("a tool may be called none, and have a name of any letters", () => {
  const free = { type: "object", properties: {} };
  const { strategy, read } = planOf(tool("none", free), tool("größe", free), tool("日程", free));
  assert.equal(read('{"tool":"no_none"}').kind, "none");
  for (const name of ["none", "größe", "日程"]) {
    const reading = read(JSON.stringify({ tool: name }));
    assert.equal(reading.kind === "calls" && reading.calls[0]?.name, name);
  }
  assert.match(String(strategy.preamble.messages[0]?.content), /\n- no_none: no tool/);
  const step = strategy.next({ kind: "none", wrote: "" }, soFar);
  for (const text of ['{"tool":"none"}', '{"tool":"no_none"}', '{"tool":"größe"}'])
    assert.equal(strategy.read(replyOf(text), step, asked, () => "").kind, "mend");
});

test("a choice in a text of ten thousand braces is not looked for long", () => {
  const begun = performance.now();
  const texts = ["{".repeat(1_000_000), '{"a":'.repeat(200_000), "{}".repeat(500_000)];
  for (const text of [...texts, `{"a":"${"\\".repeat(1_000_000)}`, `<think>${texts[0]}`])
    assert.equal(choiceIn(text, new Set(["size"])), null);
  assert.ok(performance.now() - begun < 2000);
});

test("a choice is none that stands inside of another's arguments, or in thoughts", () => {
  const names = new Set(["size", "none"]);
  const named = (text: string) => choiceIn(text, names)?.name;
  const size = '{"tool":"size","arguments":{"of":"Oslo"}}';
  assert.equal(named('{"tool":"mail","arguments":{"to":{"name":"size"},"text":"Hel'), undefined);
  assert.equal(named('{"tool":"mail","arguments":{"to":{"name":"size"}}}'), undefined);
  assert.equal(named('{"arguments":{"to":{"name":"none"}}}'), undefined);
  assert.equal(named('<think>Is it {"tool":"none"}, or'), undefined);
  assert.equal(named(`Is it {"tool":"none"}?\n</think>\n${size}`), "size");
  assert.equal(named('{"tool":"none","arguments":{"text":"</think>"}}'), "none");
  assert.equal(named(`For {"name":"Oslo"} it is ${size}`), "size");
  assert.equal(named(`{"choice":${size}}`), "size");
  assert.equal(named(`<think>${"Hm. ".repeat(5000)}</think>${size}`), "size");
});

const whole: [text: string, end: number | "open" | "broken"][] = [
  ["{}", 2],
  ["[] x", 2],
  ['{"a":1}', 7],
  ['{"a":[1,-2.5e3,true,null,"}\\""]} more', 32],
  [' {"a" : { } } ', 13],
  ["{", "open"],
  ['{"a', "open"],
  ['{"a"', "open"],
  ['{"a":', "open"],
  ['{"a":tr', "open"],
  ['{"a":-', "open"],
  ['{"a":1', "open"],
  ['{"a":1,', "open"],
  ['["\\', "open"],
  ["{a", "broken"],
  ["{]", "broken"],
  ["[}", "broken"],
  ["{,", "broken"],
  ['{"a" 1', "broken"],
  ['{"a":}', "broken"],
  ["[1,]", "broken"],
  ["[1 2", "broken"],
  ["[note]", "broken"],
  ["[1.2.3]", "broken"],
  ["[01]", "broken"],
];
test("where JSON ends is told while it grows", () => {
  for (const [text, end] of whole) if (text !== "[01]") assert.equal(jsonEnd(text, 0), end, text);
});

test("an answer is held only while it may still be JSON or a call", () => {
  const names = new Set(["size", "none"]);
  const held: string[] = [
    "",
    " ",
    "{",
    "[",
    "[1",
    "`",
    "```",
    "```js",
    "```json\n",
    "<tool",
    "<tool_call>",
  ];
  for (const text of held) assert.ok(mayBeUnwanted(text, { any: true, names }), text);
  const shown = ["I", "{a", "[a", "```py", "```jsx", "<b", "[1] says", "```json\n{}\n```\nSo"];
  for (const text of shown) assert.ok(!mayBeUnwanted(text, { any: true, names }), text);
  for (const text of ['{"to', '{ "name" :', '{"tool":"size"}', '{"tool":"none"} It is'])
    assert.ok(mayBeUnwanted(text, { any: false, names }), text);
  for (const text of ['{"b', "[1", '{"tools":', '{"tool":"other"} It is'])
    assert.ok(!mayBeUnwanted(text, { any: false, names }), text);
});

test("of an answer a person reads the words", () => {
  const names = new Set(["size", "none"]);
  const words = (text: string, any = true) => wordsOf(text, { any, names });
  assert.equal(words('{"tool":"none"}\nBig.'), "Big.");
  assert.equal(words('```json\n{"tool":"none"}\n```\n\nBig.'), "Big.");
  assert.equal(words('<tool_call>{"name":"size","arguments":{}}</tool_call> Big.'), "Big.");
  assert.equal(words('{"name":"size","arguments":{"a":1}}'), null);
  assert.equal(words('{"name":"size","arguments":{"a":'), null);
  assert.equal(words('{"name":"size","colour":"red"}', false), '{"name":"size","colour":"red"}');
  assert.equal(words('{"name":"Anna"}', false), '{"name":"Anna"}');
  assert.equal(words('{"name":"Anna"}'), null);
  for (const text of ['{"a":', '["big', '{"tool":"si', "```json\n", "<tool_call>"])
    assert.deepEqual([words(text), words(text, false)], [null, text]);
  const twice = '{"tool":"size"}\n{"tool":"none"}';
  assert.deepEqual([words(twice), words(`${twice} Big.`)], [null, "Big."]);
  for (const text of ["Big.", "{Oslo} is big.", "[1] says so.", '```json\n{"a":1}\n```\nSo it is.'])
    assert.equal(words(text), text);
});

const inside: [text: string, words: string | null][] = [
  ['{"answer": "It is \\"big\\"."}', 'It is "big".'],
  ['```json\n{"answer":"Big."}\n```', "Big."],
  ['Here: {"answer":"Big."} So it is.', "Big."],
  ['{"answer":"It is ve', "It is ve"],
  ['{"answer":"It is\\', "It is"],
  ['{"answer":"It is\\\\', "It is\\"],
  ['{"answer":"It is \\u00', "It is "],
  ['{"answer":"It is \\ud83d', "It is "],
  ['{"answer":"It is \\ud83d\\ude00', "It is \u{1f600}"],
  ['{"answer":" "}', null],
  ['{"answer":"', null],
  ['{"answer":["big"]}', null],
  ['{"size":"big"}', null],
  ["It is big.", null],
];
test("words are found in the JSON that they were asked for in, whatever stands around it", () => {
  for (const [text, words] of inside) assert.equal(answerIn(text), words, text);
});

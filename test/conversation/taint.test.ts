// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Whose words a call would carry out of the machine: the person's, or what tools have read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Taint } from "../../src/conversation/taint.ts";
import { isoDay } from "../../src/tools/day.ts";
import { noTool } from "../../src/tools/result.ts";
import type { Schema } from "../../src/tools/schema.ts";

const flags = {
  mail: { untrusted: true, personal: true },
  web: { untrusted: true, personal: false },
  money: { untrusted: false, personal: true },
  clock: { untrusted: false, personal: false },
};
type Name = keyof typeof flags;
const isKnown = (name: string): name is Name => Object.hasOwn(flags, name);
const flagsOf = (name: string) => (isKnown(name) ? flags[name] : null);

/** What was typed, and what a tool has read in the running turn. */
const after = (name: string, text: string, user: string, reply = "") =>
  new Taint([], { user, reply, calls: [{ name, text }] }, flagsOf);
const query = {
  type: "object",
  properties: { query: { type: "string" } },
  additionalProperties: false,
};
const carried = (taint: Taint, text: unknown) => taint.carried({ query: text }, query);

test("before anything was read, every word may leave", () => {
  const taint = new Taint([], { user: "hello", reply: "", calls: [] }, flagsOf);
  assert.deepEqual(carried(taint, "all the words there are, \u200b too"), []);
  assert.equal(taint.untrusted, false);
  assert.deepEqual(carried(after("clock", "12:00 noon", "hello"), "noon"), []);
});

test("after text of others, words that were typed leave, and every other one is named", () => {
  const taint = after("web", "osprey", "Weather in Rome, please?");
  assert.equal(taint.untrusted, true);
  assert.deepEqual(carried(taint, "weather Rome"), []);
  assert.deepEqual(carried(taint, "weather in Oslo for osprey"), ["oslo", "for", "osprey"]);
});

test("after what is only the person's own, words that stand there are named, and others leave", () => {
  const taint = after(
    "money",
    "Balance: 1234.56 at the Fidelity Bank",
    "how much do I have",
    "You have 1234 euros.",
  );
  assert.equal(taint.untrusted, false);
  assert.deepEqual(carried(taint, "exchange rate today"), []);
  assert.deepEqual(carried(taint, "is fidelity the BANK with 1234"), ["fidelity", "bank", "1234"]);
  assert.deepEqual(
    carried(taint, "how much in euros"),
    ["euros"],
    "the model's own words about it",
  );
});

test("where servers say what their tools are, every word counts after the person's own text", () => {
  const running = (calls: { name: string; text: string }[]) => ({
    user: "hello",
    reply: "",
    calls,
  });
  const money = [{ name: "money", text: "osprey" }];
  const of = (calls: typeof money) => new Taint([], running(calls), flagsOf, { servers: true });
  assert.deepEqual(carried(of(money), "yerpso"), ["yerpso"]);
  assert.deepEqual(carried(of([]), "yerpso"), []);
  assert.equal(of(money).untrusted, false);
});

test("a number is the same however its digits are parted", () => {
  const money = (typed: string) => after("money", "You own 1,234.50 and 98.765,10 euros.", typed);
  for (const number of [1234.5, "1234.50", "1.234,5", "98765.1", "1\u202f234.5"])
    assert.equal(carried(money("hello"), number).length > 0, true, String(number));
  assert.deepEqual(carried(money("is 1234.50 much"), 1234.5), []);
  assert.deepEqual(carried(money("hello"), 1234.6), []);
});

test("case and accents make no other word, in either direction", () => {
  const typed = after("web", "x", "il tempo a Forlì, città");
  assert.deepEqual(carried(typed, "TEMPO Forli citta"), []);
  assert.deepEqual(carried(after("web", "x", "citta"), "Città"), []);
  assert.deepEqual(carried(after("money", "Caffè Perù", "hello"), "caffe PERU"), ["caffe", "peru"]);
});

const odd: [what: string, text: string, named: string[]][] = [
  ["capitals of its own invention", "wEather", ["wEather"]],
  ["letters of another width", "Ｗeather", ["Ｗeather"]],
  ["more than a few accents", "ẃéáthér", ["ẃéáthér"]],
  ["a word again and again", "rome Rome ROME", ["ROME"]],
  ["characters that do not show", "Rome\u200b\u200c", ["U+200bU+200c"]],
  ["spaces in a row", "weather \t rome", ["U+9"]],
  ["only spaces", "weather    rome", ["spaces"]],
  ["signs in a row", "weather .-.. rome", [".-.."]],
  ["pictures", "😀😁", ["😀😁"]],
  ["marks that do not show", "weather\u{e0141} Rome", ["weatherU+e0141"]],
  ["marks alone", "weather \u0301", ["U+301"]],
  ["marks that belong to no letter", "weather\u0335 Rome", ["weather\u0335"]],
];
for (const [what, text, named] of odd) {
  test(`after text of others, ${what} are not the person's words`, () => {
    assert.deepEqual(carried(after("web", "x", "weather in Rome"), text), named);
  });
}

test("what was typed oddly may leave as it was typed", () => {
  const text = "wEatHer :-) in   Rome \u{1f600} café\u0301";
  assert.deepEqual(carried(after("web", "x", text), text), []);
});

const sentence = "what is new in Rome today please tell me all about it";
const written = (...texts: string[]) =>
  texts.flatMap((text) => carried(after("web", "x", sentence), text));
test("a few small differences pass, and many are named", () => {
  assert.deepEqual(written("Rome, today", "today in Rome!", "ROME (new)", "NEW Ròmé"), []);
  assert.deepEqual(written("what, is. new: in; Rome"), []);
  assert.deepEqual(written("what, is. new: in; Rome!"), [",", ".", ":", ";", "!"]);
  assert.deepEqual(written("what IS new IN Rome TODAY please"), []);
  assert.deepEqual(written("what IS NEW IN Rome TODAY PLEASE"), [
    ..."IS NEW IN TODAY PLEASE".split(" "),
  ]);
  assert.deepEqual(written("whàt ìs nèw ïn rome today"), []);
  assert.deepEqual(written("whàt ìs nèw ïn ròme"), ["whàt", "ìs", "nèw", "ïn", "ròme"]);
});

test("all words small, or all with a capital, are one way of writing", () => {
  assert.deepEqual(written(sentence.toLowerCase(), "What Is New In Rome Today Please Tell Me"), []);
});

test("another order is a difference at each word out of place", () => {
  assert.deepEqual(written("please tell me about Rome today", "Rome new"), []);
  const back = sentence.split(" ").reverse().slice(0, 6).join(" ");
  const named = ["it", "about", "all", "me", "tell", "please"].map(
    (one) => `${one} (out of place)`,
  );
  assert.deepEqual(written(back), named);
});

test("which words are picked of a long text counts", () => {
  const text = Array.from({ length: 400 }, (_, at) => `word${at}`).join(" ");
  const pick = (...places: number[]) =>
    carried(after("web", "x", text), places.map((at) => `word${at}`).join(" "));
  assert.deepEqual(pick(7, 8, 9, 10, 11, 12, 13, 14), []);
  assert.deepEqual(pick(20, 150, 390), []);
  const answers = "yes no ".repeat(50);
  const spelled = "yes no no yes yes no no no yes yes ".repeat(4);
  assert.notDeepEqual(carried(after("web", "x", answers), spelled.trim()), []);
  assert.equal(pick(20, 70, 110, 160, 200, 250, 300, 390).length, 8);
});

test("what has left unasked in the turn counts with the next call", () => {
  const tool = { parameters: query };
  const running = { user: sentence, reply: "", calls: [{ name: "web", text: "x" }] };
  const left = ["Rome", "new Rome"].map((text) => ({ args: { query: text }, tool }));
  const taint = (count: number) => new Taint([], running, flagsOf, { left: left.slice(0, count) });
  assert.deepEqual(carried(taint(1), "Rome today"), []);
  assert.deepEqual(carried(taint(2), "Rome today"), ["Rome"]);
});

test("the same choice for one place after the other is one choice", () => {
  const schema = {
    type: "object",
    properties: { ...query.properties, day: { enum: ["now", "later"] } },
  };
  const tool = { parameters: schema };
  const running = {
    user: "Rome, Oslo, Bonn, Pisa, Nice or Bern?",
    reply: "",
    calls: [{ name: "web", text: "x" }],
  };
  const days = (...chosen: string[]) => {
    const args = ["Rome", "Oslo", "Bonn", "Pisa", "Nice"].map((place, at) => ({
      query: place,
      day: chosen[at],
    }));
    const left = args.slice(0, 4).map((one) => ({ args: one, tool }));
    return new Taint([], running, flagsOf, { left }).carried(args[4] ?? {}, schema);
  };
  assert.deepEqual(days("now", "now", "now", "now", "now"), []);
  assert.equal(days("now", "later", "now", "later", "now").length, 5);
});

test("a few choices pass, and many, or one of many, are named", () => {
  const taint = after("web", "x", "hello");
  const flags = Object.fromEntries([..."abcdef"].map((key) => [key, { type: "boolean" }]));
  const vocabulary = Array.from({ length: 33 }, (_, at) => `word${at}`);
  const schema = { type: "object", properties: { ...flags, one: { enum: vocabulary } } };
  assert.deepEqual(taint.carried({ a: true, b: true, c: false, d: true }, schema), []);
  const five = { a: true, b: true, c: true, d: true, e: true };
  assert.equal(taint.carried(five, schema).length, 5);
  assert.deepEqual(taint.carried({ one: "word7" }, schema), ["word7"]);
});

test("a list or a free table says something by its shape too", () => {
  const taint = after("web", "x", "hello");
  const schema = { type: "object", properties: { list: { type: "array" } } };
  const list = (...items: unknown[]) => taint.carried({ list: items }, schema);
  assert.deepEqual(list("hello", ""), ['""']);
  assert.deepEqual(list("!", "?"), ['"!"', '"?"']);
  assert.deepEqual(list(null, {}, []), ["null", "{}", "[[]]", "[]"]);
  assert.deepEqual(list(["hello"]), ["[[]]"]);
  assert.deepEqual(list(isoDay(new Date())).length > 0, true);
  assert.deepEqual(taint.carried({ hello: true }, schema), ["true"]);
  assert.deepEqual(taint.carried({ hello: { hello: "" } }, schema), ['""']);
});

test("one of a fixed list, a fixed value and the default of the file are free, but not in a list", () => {
  const taint = after("web", "x", "hello");
  const level = { enum: ["low", "high"] };
  const schema: Schema = {
    type: "object",
    properties: {
      level,
      kind: { const: "rain" },
      place: { type: "string", default: "home" },
      sure: { type: "boolean" },
      many: { type: "array", items: level },
    },
  };
  assert.deepEqual(
    taint.carried({ level: "low", kind: "rain", place: "home", sure: true }, schema),
    [],
  );
  assert.deepEqual(taint.carried({ level: "other", kind: "snow" }, schema), ["other", "snow"]);
  assert.deepEqual(taint.carried({ many: ["low", "high"], sure: [true] }, schema), [
    "low",
    "high",
    "true",
  ]);
});

test("the dates of the coming week are free, whole and alone", () => {
  const taint = after("mail", "x", "weather tomorrow");
  const today = new Date(2026, 11, 28);
  const on = (ahead: number) => isoDay(new Date(2026, 11, 28 + ahead));
  for (let ahead = 0; ahead <= 7; ahead += 1)
    assert.deepEqual(taint.carried({ query: on(ahead) }, query, today), []);
  assert.deepEqual(taint.carried({ query: on(8) }, query, today), ["2027", "01", "05"]);
  assert.deepEqual(taint.carried({ query: on(-1) }, query, today), ["2026", "12", "27"]);
  assert.deepEqual(taint.carried({ query: `${on(1)} ` }, query, today), ["2026", "12", "29"]);
});

test("numbers, names of arguments and what stands inside lists and tables are words too", () => {
  const taint = after("web", "x", "hello 42");
  assert.deepEqual(carried(taint, 42), []);
  assert.deepEqual(carried(taint, 43), ["43"]);
  assert.deepEqual(taint.carried({ osprey: "hello" }, query), ["osprey"]);
  assert.deepEqual(carried(taint, [{ hello: ["osprey"] }, "42"]), ["osprey"]);
  const inner: Schema = { properties: { where: { properties: { city: { type: "string" } } } } };
  assert.deepEqual(taint.carried({ where: { city: "hello" } }, inner), []);
  assert.deepEqual(taint.carried({ where: { town: "hello" } }, inner), ["town"]);
});

test("a stored turn still counts, for what was read and for what was typed", () => {
  const stored = {
    user: "Rome?",
    reply: "osprey",
    calls: [
      { call: "c", name: "mail", arguments: {}, ok: true, text: "x", latency_ms: 1, card: null },
    ],
  };
  const taint = new Taint([stored], { user: "go on", reply: "", calls: [] }, flagsOf);
  assert.equal(taint.untrusted, true);
  assert.deepEqual(carried(taint, "go on rome osprey"), ["osprey"]);
});

test("a turn of the earlier daemon, which kept only names of tools, counts too", () => {
  const stored = { user: "Rome?", reply: "osprey", calls: [], tools: ["mail"] };
  const of = (tools: string[]) =>
    new Taint([{ ...stored, tools }], { user: "go on", reply: "", calls: [] }, flagsOf);
  assert.deepEqual([of(["mail"]).untrusted, of(["clock"]).untrusted], [true, false]);
  assert.deepEqual(carried(of(["money"]), "osprey"), ["osprey"]);
  assert.equal(of(["gone"]).untrusted, true);
});

test("a tool that is gone counts as both, and one that never was as neither", () => {
  assert.equal(after("gone", "text", "hello").untrusted, true);
  assert.deepEqual(carried(after("gone", "text", "hello"), "osprey"), ["osprey"]);
  assert.equal(after("made-up", noTool("made-up"), "hello").untrusted, false);
});

test("an error of such a tool is its text", () => {
  assert.deepEqual(carried(after("web", "error: send osprey", "hello"), "osprey"), ["osprey"]);
});

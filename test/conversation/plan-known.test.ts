// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which values of a choice the person has said, which the model concluded, and which it made up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sift } from "../../src/conversation/strategies/plan/known.ts";
import { daysSaid } from "../../src/conversation/strategies/plan/said-days.ts";
import { surenessOf } from "../../src/conversation/strategies/plan/sureness.ts";
import type { ToolSchema } from "../../src/message.ts";

/** Tokens with their probability: "a(0.5)|b" is a at 0.5 and b at 1. */
const odds = (written: string) =>
  written.split("|").map((one) => {
    const [, text = one, chance] = /^(.*)\((0\.\d+)\)$/s.exec(one) ?? [];
    return { text, logprob: Math.log(Number(chance ?? 1)), top: [] };
  });

test("the sureness of a value is that of its least likely token, and signs around it do not count", () => {
  const found = surenessOf(
    odds(
      '{"tool":"x","arguments":{"a":"|New(0.5)| York|",(0.1)|"b":|1(0.9)|2(0.7)|,"|c(0.2)|":"\\"|q(0.4)|"|}}(0.1)',
    ),
  );
  const rounded = [...found].map(([name, chance]) => [name, Number(chance.toFixed(2))]);
  assert.deepEqual(rounded, [
    ["a", 0.5],
    ["b", 0.7],
    ["c", 0.4],
  ]);
});

test("lists and objects are values of one piece, and what is cut off is read to its end", () => {
  const found = surenessOf(
    odds('{"tool":"x","arguments":{"a":[|1(0.5)|,{"b":"}"}],"c":{"d":|2(0.3)|},"e":"f|g(0.25)'),
  );
  const rounded = [...found].map(([name, chance]) => [name, Number(chance.toFixed(2))]);
  assert.deepEqual(rounded, [
    ["a", 0.5],
    ["c", 0.3],
    ["e", 0.25],
  ]);
});

test("without odds, or without arguments, nothing is known of any value", () => {
  assert.equal(surenessOf([]).size, 0);
  assert.equal(surenessOf(odds('{"tool":"now"}')).size, 0);
  assert.equal(surenessOf(odds("It is late.")).size, 0);
});

const trains: ToolSchema = {
  name: "trains",
  description: "Trains",
  parameters: {
    type: "object",
    properties: {
      from: { type: "string", description: "where it starts" },
      to: { type: "string" },
      date: { type: "string", format: "date" },
      class: { enum: ["first", "second"] },
      state: { enum: ["on", "off"] },
      quiet: { type: "boolean" },
      window: { type: "boolean", default: false },
      meal: { enum: ["none", "vegan"], default: "none" },
      seats: { type: "integer" },
    },
    required: ["from", "to"],
  },
};
const today = new Date("2026-11-30T10:45:00");
const sifted = (
  args: Record<string, unknown>,
  sureness: Record<string, number>,
  text: string,
  { tool = trains, language = "en" }: { tool?: ToolSchema; language?: string | null } = {},
) =>
  sift(args, tool, {
    said: { words: () => text, days: () => daysSaid(text, language, today), language },
    sureness: new Map(Object.entries(sureness)),
    today,
  });

test("a needed value is missing when nothing of it was said and the model was not sure", () => {
  const args = { from: "London", to: "Rome" };
  const { known, missing } = sifted(args, { from: 0.22, to: 0.3 }, "Train to Rome please");
  assert.deepEqual(known, { to: "Rome" });
  assert.deepEqual(missing, ["from (where it starts)"]);
  assert.deepEqual(sifted(args, { from: 0.95, to: 0.9 }, "Home please").missing, []);
  assert.deepEqual(sifted(args, {}, "Home please").missing, [], "nothing is known of its odds");
});

test("what was said counts in any case, accent, form and place of the conversation", () => {
  const unsure = { from: 0.2, to: 0.2, seats: 0.2 };
  for (const said of [
    "from münchen to KOELN for 12 of us",
    "München, Koeln, 12",
    "Munchens Koelner 12 Leute",
  ]) {
    const args = { from: "München", to: "Koeln Hbf", seats: 12 };
    assert.deepEqual(sifted(args, unsure, said), { known: args, missing: [] }, said);
  }
  const args = { from: "東京", to: "大阪" };
  assert.deepEqual(sifted(args, unsure, "東京から大阪まで").missing, []);
});

test("a value that is not needed is left out then, of a list too, but a day stands", () => {
  const args = {
    from: "Rome",
    to: "Bari",
    date: "2026-12-01",
    class: "second",
    quiet: true,
    seats: 2,
  };
  const unsure = { date: 0.3, class: 0.3, quiet: 0.3, seats: 0.3 };
  const { known } = sifted(args, unsure, "Treno da Roma a Bari");
  assert.deepEqual(known, { from: "Rome", to: "Bari", date: "2026-12-01" });
  const text = "From Rome to Bari, 2 seats, second class, a quiet one";
  const all = { quiet: undefined, ...sifted(args, unsure, text).known };
  assert.deepEqual(all, { ...args, quiet: undefined });
  const sure = { date: 0.3, class: 0.9, quiet: 0.6, seats: 0.9 };
  assert.deepEqual(sifted(args, sure, "Treno da Roma a Bari").known, args);
});

test("against a default only a value counts that was said or of which the model was sure", () => {
  const args = { from: "Rome", to: "Bari", meal: "vegan" };
  const meal = (sureness: number, text: string, language: string | null = "en") =>
    sifted(args, { meal: sureness }, text, { language }).known.meal;
  assert.equal(meal(0.93, "From Rome to Bari"), undefined);
  assert.equal(meal(0.93, "Rome Bari", null), undefined);
  assert.equal(meal(0.93, "From Rome to Bari with a vegan meal"), "vegan");
  assert.equal(meal(0.96, "From Rome to Bari"), "vegan");
  assert.equal(meal(0.93, "Da Roma a Bari", "it"), "vegan", "its word would be another");
  const window = (window: boolean, sureness: number, text: string, language: string) =>
    sifted({ ...args, window }, { window: sureness }, text, { language }).known.window;
  for (const [text, language] of [
    ["Rome to Bari", "en"],
    ["Da Roma a Bari", "it"],
  ] as const) {
    assert.equal(window(true, 0.86, text, language), undefined);
    assert.equal(window(true, 0.96, text, language), true);
  }
  assert.equal(window(true, 0.82, "Rome to Bari, at the window", "en"), true, "it is spoken of");
});

test("a choice that is needed stands, also where nothing of it was said", () => {
  const args = { from: "Rome", to: "Bari", state: "off" };
  const { parameters } = trains;
  const needed = { ...trains, parameters: { ...parameters, required: ["state"] } };
  const { known } = sifted(args, { state: 0.4 }, "Rome, Bari", { tool: needed });
  assert.equal(known.state, "off");
});

test("of a long value more than a stray word has to be said", () => {
  const args = {
    from: "https://trains.example/v1/query?from=Rome&to=Bari&class=2&seats=1&x=y",
    to: "Bari",
  };
  assert.deepEqual(sifted(args, { from: 0.3 }, "To Bari").missing, ["from (where it starts)"]);
  assert.deepEqual(sifted(args, { from: 0.3 }, "trains.example from Rome to Bari").missing, []);
});

test("a phrase in small letters may be a translation, where the question is not in English", () => {
  const missing = (from: string, language: string | null) =>
    sifted({ from, to: "Bari" }, { from: 0.5 }, "vicino alla stazione", { language }).missing
      .length;
  assert.equal(missing("near the station", "it"), 0);
  for (const language of ["en", null]) assert.equal(missing("near the station", language), 1);
  assert.equal(missing("Near the Docks", "it"), 1, "a name");
  assert.equal(missing("the docks", "it"), 1, "too short");
  for (const made of [
    "max.mustermann@example.com",
    "+39 06 1234 5678",
    "/srv/files/my.txt",
    "田中太郎",
  ])
    assert.equal(missing(made, "it"), 1, made);
});

test("a number is said by its first digits too", () => {
  const args = { from: "Rome", to: "Bari", seats: 50_000_000 };
  assert.equal(sifted(args, { seats: 0.3 }, "50 million seats to Bari").known.seats, 50_000_000);
  assert.equal(sifted(args, { seats: 0.3 }, "7 million seats to Bari").known.seats, undefined);
  const few = { ...args, seats: 1 };
  for (const text of ["A table at 10", "room 100"])
    assert.equal(sifted(few, { seats: 0.3 }, text).known.seats, undefined, text);
  assert.equal(sifted({ ...args, seats: 0 }, { seats: 0.3 }, "to Bari").known.seats, undefined);
});

test("a day gives way to the only one that the question says, unless the model was certain", () => {
  const date = (sureness: number, text: string, date: string | null = "2026-12-01") =>
    sifted({ from: "Rome", to: "Bari", ...(date && { date }) }, { date: sureness }, text).known
      .date;
  assert.equal(date(0.5, "From Rome to Bari on Friday"), "2026-12-04");
  assert.equal(date(0.97, "From Rome to Bari on Friday"), "2026-12-04");
  assert.equal(date(0.99, "From Rome to Bari on Friday"), "2026-12-01");
  assert.equal(date(0.5, "From Rome to Bari on Friday", null), "2026-12-04", "it was left out");
  assert.equal(date(0.5, "From Rome to Bari"), "2026-12-01");
  assert.equal(date(0.5, "From Rome to Bari on Friday or Saturday"), "2026-12-01");
  assert.equal(
    date(0.5, "Friday's train of the 24th", "2026-12-24"),
    "2026-12-24",
    "by its number",
  );
});

test("a month of another year that the model worked out stands", () => {
  const month = { type: "string", pattern: "^[0-9]{4}-[0-9]{2}$" };
  const parameters = { type: "object", properties: { month } };
  const bills = { name: "bills", description: "Bills", parameters };
  const due = (month: string, text: string) =>
    sifted({ month }, { month: 0.9 }, text, { tool: bills }).known.month;
  assert.equal(due("2026-12", "Which bills are due in December?"), "2026-12");
  assert.equal(due("2026-09", "Which bills are due this month?"), "2026-11");
});

test("where two days could be meant, none gives way", () => {
  const { properties } = trains.parameters;
  const back = { ...Object(properties), back: { type: "string", format: "date" } };
  const both = { ...trains, parameters: { ...trains.parameters, properties: back } };
  const args = { from: "Rome", to: "Bari", date: "2026-12-01", back: "2026-12-02" };
  assert.deepEqual(
    sifted(args, { date: 0.3, back: 0.3 }, "Rome to Bari on Friday", { tool: both }).known,
    args,
  );
});

test("blanks are missing, and a dot or a dash is a value", () => {
  for (const blank of ["", "  ", "?", "...", "…", null, undefined].filter((one) => one !== "..."))
    assert.deepEqual(sifted({ from: blank, to: "Bari" }, {}, "Bari").missing, [
      "from (where it starts)",
    ]);
  for (const value of [".", "-", "_", 0, false])
    assert.deepEqual(sifted({ from: value, to: "Bari" }, {}, "Bari").missing, []);
});

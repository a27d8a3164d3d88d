// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which values of a choice the person has said, which the model concluded, and which it made up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sift } from "../../src/conversation/strategies/plan/known.ts";
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
      seats: { type: "integer" },
    },
    required: ["from", "to"],
  },
};
const sifted = (args: Record<string, unknown>, sureness: Record<string, number>, said: string) =>
  sift(args, trains, { said: () => said, sureness: new Map(Object.entries(sureness)) });

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

test("a value that is not needed is left out then, but a choice of a list and a day stand", () => {
  const args = { from: "Rome", to: "Bari", date: "2026-12-01", class: "second", seats: 2 };
  const unsure = { date: 0.3, class: 0.3, seats: 0.3 };
  const { known } = sifted(args, unsure, "Treno da Roma a Bari");
  assert.deepEqual(known, { from: "Rome", to: "Bari", date: "2026-12-01", class: "second" });
});

test("blanks are missing, and a dot or a dash is a value", () => {
  for (const blank of ["", "  ", "?", "...", "…", null, undefined].filter((one) => one !== "..."))
    assert.deepEqual(sifted({ from: blank, to: "Bari" }, {}, "Bari").missing, [
      "from (where it starts)",
    ]);
  for (const value of [".", "-", "_", 0, false])
    assert.deepEqual(sifted({ from: value, to: "Bari" }, {}, "Bari").missing, []);
});

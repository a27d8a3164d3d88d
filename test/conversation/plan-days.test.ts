// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Days and months by words: the right date on every kind of day, and the word of every date.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pickSchema } from "../../src/conversation/strategies/plan/choices.ts";
import {
  datedAs,
  dayOf,
  daySchema,
  monthOf,
  monthSchema,
  wordFor,
} from "../../src/conversation/strategies/plan/days.ts";
import { isoDay } from "../../src/tools/day.ts";

const at = (iso: string) => new Date(`${iso}T23:30:00`);

const days: [today: string, words: Record<string, string>][] = [
  [
    "2026-11-30", // a Monday, the last of its month
    {
      today: "2026-11-30",
      tomorrow: "2026-12-01",
      "day after tomorrow": "2026-12-02",
      yesterday: "2026-11-29",
      Monday: "2026-12-07",
      Tuesday: "2026-12-01",
      Sunday: "2026-12-06",
      "next week": "2026-12-07",
      "December 24": "2026-12-24",
      "November 30": "2026-11-30",
      "November 29": "2027-11-29",
      "January 1 2028": "2028-01-01",
    },
  ],
  [
    "2026-12-31", // a Thursday
    {
      tomorrow: "2027-01-01",
      "day after tomorrow": "2027-01-02",
      yesterday: "2026-12-30",
      Thursday: "2027-01-07",
      Friday: "2027-01-01",
      "next week": "2027-01-04",
      "December 31": "2026-12-31",
      "December 30": "2027-12-30",
      "January 1": "2027-01-01",
    },
  ],
  [
    "2028-02-28", // a Monday in a leap year
    {
      tomorrow: "2028-02-29",
      "day after tomorrow": "2028-03-01",
      Tuesday: "2028-02-29",
      "February 29": "2028-02-29",
      "February 27": "2029-02-27",
    },
  ],
  [
    "2026-03-01", // a Sunday
    {
      yesterday: "2026-02-28",
      Sunday: "2026-03-08",
      Monday: "2026-03-02",
      "next week": "2026-03-02",
      "February 29": "2028-02-29",
      "February 28": "2027-02-28",
    },
  ],
  [
    "2099-03-01",
    { "February 29": "2104-02-29", "March 2": "2099-03-02" }, // 2100 is no leap year
  ],
];
for (const [today, words] of days) {
  test(`the days' words are right on ${today}`, () => {
    for (const [word, iso] of Object.entries(words)) {
      assert.equal(dayOf(word, at(today)), iso, word);
      assert.equal(dayOf(` ${word.toLowerCase()} `, at(today)), iso, word);
    }
  });
}

test("a weekday is the next one after today, on each weekday", () => {
  const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  for (let day = 1; day <= 7; day += 1) {
    const today = new Date(2026, 9, 24 + day); // over a change of the clocks
    for (const name of [...names, "next week"]) {
      const found = at(dayOf(name, today));
      const ahead = Math.round((found.getTime() - at(isoDay(today)).getTime()) / 86_400_000);
      assert.ok(ahead >= 1 && ahead <= 7, `${name}: ${ahead}`);
      assert.equal(names[found.getDay()], name === "next week" ? "Monday" : name);
    }
  }
});

test("months are right at the ends of years and on a 31st, without a year the last that has begun", () => {
  const words: [today: string, word: string, month: string][] = [
    ["2026-12-31", "this month", "2026-12"],
    ["2026-12-31", "next month", "2027-01"],
    ["2026-12-31", "last month", "2026-11"],
    ["2026-12-31", "February", "2026-02"],
    ["2026-03-31", "last month", "2026-02"],
    ["2026-01-31", "next month", "2026-02"],
    ["2026-01-31", "last month", "2025-12"],
    ["2026-01-31", "January", "2026-01"],
    ["2026-01-31", "December", "2025-12"],
    ["2026-01-31", "december 2026", "2026-12"],
    ["2026-01-31", "March 2031", "2031-03"],
  ];
  for (const [today, word, month] of words)
    assert.equal(monthOf(word, at(today)), month, `${word} on ${today}`);
});

test("other ways to write a date are read too where they are plain", () => {
  for (const text of [
    "December 24, 2026",
    "24 December 2026",
    "Dec 24",
    "December 24th",
    "24. december",
  ])
    assert.equal(dayOf(text, at("2026-11-30")), "2026-12-24", text);
  assert.equal(monthOf("Sept 2026", at("2026-11-30")), "2026-09");
});

test("what is no word of a day or month stays as it is", () => {
  for (const text of [
    "",
    "soon",
    "February 30",
    "February 29 2027",
    "2026-12-24",
    "Mon",
    "May",
    "June 2027",
  ])
    assert.equal(dayOf(text, at("2026-11-30")), text);
  for (const text of ["", "soon", "2026-12", "2026-12-24", "May 3", "May 3 2027", "last"])
    assert.equal(monthOf(text, at("2026-11-30")), text);
});

test("every date has a word that means it again, and that the schema allows", () => {
  const allows = (schema: ReturnType<typeof monthSchema>, word: string) =>
    schema.anyOf.some(
      (one) =>
        ("enum" in one && one.enum.includes(word)) ||
        ("pattern" in one && new RegExp(one.pattern).test(word)),
    );
  for (const start of ["2026-11-30", "2026-12-31", "2028-02-28", "2026-03-29", "2026-10-25"]) {
    const today = at(start);
    for (let ahead = -800; ahead < 800; ahead += 1) {
      const date = new Date(today.getFullYear(), today.getMonth(), today.getDate() + ahead);
      const day = isoDay(date);
      const word = wordFor(day, today);
      assert.equal(dayOf(word, today), day, word);
      assert.ok(allows(daySchema(today), word), word);
      const month = day.slice(0, 7);
      const named = wordFor(month, today);
      assert.equal(monthOf(named, today), month, named);
      assert.ok(allows(monthSchema(), named), named);
    }
  }
});

test("a date that words cannot say stays as it is", () => {
  for (const iso of [
    "2026-02-30",
    "1999-05-05",
    "2104-02-29",
    "1999-05",
    "2026-13",
    "2026-00-10",
    "0000-01-01",
    "x",
  ])
    assert.equal(wordFor(iso, at("2026-11-30")), iso);
});

test("a parameter is a day by its format and a month by its pattern", () => {
  assert.equal(datedAs({ format: "date" }), "day");
  assert.equal(datedAs({ pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$" }), "month");
  assert.equal(datedAs({ pattern: "^\\d{4}-\\d{2}$" }), "month");
  for (const pattern of ["^.*$", "^\\d{4}-\\d{2}-\\d{2}$", "(", "^\\d+$", "-"])
    assert.equal(datedAs({ pattern }), null, pattern);
  assert.equal(datedAs({ format: "date-time" }), null);
});

test("a day, month or choice that is not needed is asked for, with a word for not said", () => {
  const day = { type: "string", format: "date" };
  const parameters = {
    type: "object",
    properties: {
      days: { type: "integer" },
      from: day,
      other: { anyOf: [day, { type: "null" }] },
      month: { type: "string", pattern: "^[0-9]{4}-[0-9]{2}$" },
      place: { type: "string" },
      on: day,
      either: { anyOf: [day, { type: "integer" }] },
      kind: { enum: ["work", "home"] },
      size: { enum: ["S", "M"], default: "S" },
      unit: { anyOf: [{ $ref: "#/$defs/unit" }, { type: "null" }] },
      which: { enum: ["any", "new"] },
      like: { oneOf: [{ const: "A" }, { enum: ["B"] }, { type: "null" }] },
      none: { enum: [] },
    },
    required: ["place", "on"],
    $defs: { unit: { $ref: "#/$defs/scale", default: "C" }, scale: { enum: ["C", "F"] } },
  };
  const tools = [{ name: "find", description: "Finds.", parameters }];
  const { anyOf } = pickSchema(tools, { today: at("2026-11-30"), none: ["none"] }) as {
    anyOf: [{ properties: { arguments: { properties: object; required: string[] } } }];
  };
  const { properties, required } = anyOf[0].properties.arguments;
  const front = ["place", "on", "from", "other", "month"];
  assert.deepEqual(required, [...front, "kind", "like"]);
  const others = ["days", "either", "kind", "size", "unit", "which", "like", "none"];
  assert.deepEqual(Object.keys(properties), [...front, ...others]);
  const unsaid = Object.entries(properties).flatMap(([name, { anyOf: ways }]) =>
    ways?.[0].enum?.length === 1 ? [[name, ...ways[0].enum]] : [],
  );
  assert.deepEqual(unsaid, [
    ["from", "any day"],
    ["other", "any day"],
    ["month", "any month"],
    ["kind", "any"],
    ["like", "any"],
  ]);
});

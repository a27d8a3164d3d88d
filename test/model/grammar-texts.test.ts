// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Numbers and texts of a schema as a grammar: exactly those that the schema accepts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { grammarOf } from "../../src/model/grammar/schema.ts";
import { agree, grammar, integer, of, span } from "./grammar-agree.ts";

test("integers keep their bounds to the digit, below and above nothing", () => {
  for (const [least, most] of [
    [-5, 12],
    [1, 366],
    [0, 0],
    [0, 9],
    [1000, 2500],
    [-2500, -37],
    [-1, 1],
    [7, 7],
    [99, 101],
    [-100, 1000],
  ])
    agree(integer(least, most), [...span(-2600, 2600), 1e4, 0.5, "1", null]);
  agree(integer(3), [...span(-30, 1200), 9007199254740991]);
  agree(integer(undefined, -8), [...span(-1200, 30), -9007199254740991]);
  agree({ type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 12.5 }, span(-2, 120));
  agree({ type: "integer", minimum: 2.5, maximum: 9.5 }, span(-2, 120));
  const whole = grammar(integer());
  for (const json of ["0", "-7", "9007199254740991"]) assert.ok(whole.accepts(json));
  for (const json of ["-0", "01", "1.0", "1e3", "+1", "", "-", "9007199254740992", " 1"])
    assert.ok(!whole.accepts(json), json);
  const long = grammar(integer(-(2 ** 63), 2 ** 63));
  assert.ok(long.accepts("9223372036854775808") && long.accepts("-9223372036854775808"));
  assert.ok(!long.accepts("9223372036854775809") && !long.accepts("-9223372036854775809"));
});

test("strings hold any characters but bare control characters, each counted once", () => {
  const made = grammar({ type: "string", minLength: 2, maxLength: 3 });
  for (const json of ['"ab"', '"日本語"', '"🎉🎉"', '"\\n\\""', '"\\u00e9x"', '"\\ud83c\\udf89a"'])
    assert.ok(made.accepts(json), json);
  for (const json of [
    '""',
    '"a"',
    '"abcd"',
    '"\\ud83c\\udf89"',
    '"\\ud83cab"',
    '"a\nb"',
    '"a\u007fb"',
    '"a\\x"',
    '"ab',
    "ab",
    '"a"b"',
  ])
    assert.ok(!made.accepts(json), json);
  agree({ type: "string", maxLength: 2 }, ["", "a", "é🎉", "abc", "\\", '"""', 5]);
  agree({ type: "string" }, ["", "x".repeat(300), "\u0000\u2028\b"]);
  for (const most of [999, 1000, 1001, 2000, 4500])
    for (const least of [0, 999, 1000, 1001]) {
      if (least > most) continue;
      const long = grammar({ type: "string", minLength: least, maxLength: most });
      for (const length of [least - 1, least, 1500, most, most + 1])
        if (length >= 0)
          assert.equal(long.accepts(`"${"x".repeat(length)}"`), least <= length && length <= most);
    }
  const least = grammar({ type: "string", minLength: 1200 });
  assert.deepEqual(
    [1199, 1200, 3000].map((length) => least.accepts(`"${"x".repeat(length)}"`)),
    [false, true, true],
  );
});

test("patterns mean what they mean to a regular expression", () => {
  const dates = [
    "2026-11",
    "2026-13",
    "2026-00",
    "2026-09",
    "202-09",
    "2026-11-30",
    "on 2026-11-30",
  ];
  const texts = [
    "",
    "a",
    "ab",
    "b",
    "abab",
    "a.b",
    "axb",
    "a-b",
    "]",
    "\\",
    '"',
    "ü",
    "🎉",
    "\n",
    "_9",
  ];
  for (const source of [
    "^[0-9]{4}-(0[1-9]|1[0-2])$",
    "^on [0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
    "^\\d{4}(?:-\\d\\d)?$",
    "^$",
    "^.$",
    "^..*$",
    "^a.b$",
    "^a\\.b$",
    "^(a|b|ab)+$",
    "^(a|)b{0,2}$",
    "^(ab){2}$",
    "^(ab){1,}$",
    "^[^a]$",
    "^[^a-z0-9\\n]+$",
    "^[\\w-]+$",
    "^[a\\-b.]{3}$",
    '^["\\\\\\]]$',
    "^\\\\$",
    '^"$',
    "^[ü🎉]$",
    "^🎉?$",
    "^\\n$",
    "^((a|b){1,2}){1,2}$",
    "^a{2,3}$",
    "^(a?b*){0,3}$",
    "^(a?){2}$",
    "^([a-z]{0,999}[0-9]{0,999}[A-Z]{0,9})?$",
  ])
    agree(of(source), [...dates, ...texts, "aa", "aaa", "aaaa", "aab", 5]);
});

test("a pattern that may mean something else has no grammar", () => {
  for (const source of [
    "a",
    "^a",
    "a$",
    "^a|b$",
    "^a\\$",
    "^(?=a)a$",
    "^(?<x>a)$",
    "^(a)\\1$",
    "^a\\b$",
    "^\\s$",
    "^\\D$",
    "^\\p{L}$",
    "^\\u0041$",
    "^a+?$",
    "^a**$",
    "^a{,2}$",
    "^a{2,1}$",
    "^[]$",
    "^[z-a]$",
    "^[\\d-z]$",
    "^[a$",
    "^(a$",
    "^a)$",
    "^a^b$",
    "^a]$",
    "^*$",
    "^a\\",
    "^\\ud83c$",
    "^[\\u0000]$",
    "^a{0,30000}$",
    "^(a*)*$",
    "^(a|)+$",
    "^(a?b*){3,}$",
    "^()*$",
  ])
    assert.equal(grammarOf(of(source)), null, source);
});

test("formats of dates, times and identifiers are forced", () => {
  agree({ type: "string", format: "date" }, [
    "2026-11-30",
    "2026-11-31",
    "2024-02-29",
    "2000-02-29",
    "2100-02-29",
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "",
  ]);
  const hours = ["10:00:00Z", "24:00:00Z", "10:60:00Z", "23:59:59.25+02:00"];
  agree({ type: "string", format: "time" }, hours);
  agree(
    { type: "string", format: "date-time" },
    hours.flatMap((hour) => [`2026-11-30T${hour}`, `2026-02-30T${hour}`]),
  );
  const uuid = "123e4567-e89b-12d3-a456-426614174000";
  agree({ type: "string", format: "uuid" }, [uuid, uuid.slice(1), `${uuid}0`, uuid.toUpperCase()]);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A set's lines, and when a call or an answer is what a case wants.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  argumentFaults,
  isJson,
  missingIn,
  notOffered,
  readAnswers,
  readCases,
  readTools,
} from "../../bench/pick/cases.ts";
import { Unusable } from "../../bench/share.ts";

const sets = join(import.meta.dirname, "../../bench/sets");
const set = (name: string) => readFileSync(join(sets, name), "utf8");

test("a line is a question, its tool, its arguments and perhaps its language", () => {
  const [first, second] = readCases(
    'What is the time?\tnow\t{}\n\nMi serve pane\tnote\t{"a": 1}\txx\n',
  );
  assert.deepEqual(
    [first?.question, first?.tool, first?.language],
    ["What is the time?", "now", ""],
  );
  assert.deepEqual([second?.arguments, second?.language], [{ a: 1 }, "xx"]);
});

test("an argument is equal, or fits an expression, and an absent one is the empty text", () => {
  const wanted = { minutes: 12, room: "/kitchen/i", date: "/^(2026-12-01)?$/", label: "" };
  assert.deepEqual(argumentFaults({ minutes: 12, room: "The Kitchen" }, wanted), []);
  assert.deepEqual(argumentFaults({ minutes: "12", date: "2026-12-02" }, wanted), [
    'minutes is "12", wanted 12',
    'room is "", wanted "/kitchen/i"',
    'date is "2026-12-02", wanted "/^(2026-12-01)?$/"',
  ]);
});

test("an answer must hold all that it needs, and is words", () => {
  assert.deepEqual(missingIn("Rain at 16:00", ["/rain/i", "16:00", "/snow/"]), ["/snow/"]);
  assert.deepEqual(['{"a":1}', "```json\n[1]\n```", "{so to say}", "Rain."].map(isJson), [
    true,
    true,
    false,
    false,
  ]);
});

test("what is no case, no answer and no tool is said before anything is asked", () => {
  for (const [read, text, message] of [
    [readCases, "only a question", /no case: only a question/],
    [readCases, "q\tt\t{bad", /no JSON: \{bad/],
    [readCases, "q\tt\t[1]", /no object: \[1\]/],
    [readCases, 'q\tt\t{"a":"/(/"}', /regular expression/],
    [readAnswers, "{}", /no list/],
    [readAnswers, '[{"question":"q","result":"r"}]', /tool is no text/],
    [readAnswers, '[{"question":"q","tool":"t","needs":["/[/"]}]', /regular expression/],
    [readTools, "", /no JSON/],
    [readTools, '[{"nme":"x"}]', /name is no text/],
  ] as const)
    assert.throws(
      () => read(text),
      (thrown) => thrown instanceof Unusable && message.test(thrown.message),
    );
  const [wanted] = readTools('[{"name":"a","description":"A","parameters":{}}]');
  const cases = readCases("q\ta\nq\tnone\nq\tb\nq\tb");
  assert.deepEqual(notOffered(cases, wanted ? [wanted] : []), ["b"]);
});

test("every set can be read, and wants only tools that it has", () => {
  const names = readdirSync(sets);
  const toolsFor = (name: string) => {
    const own = name.replace(/\.[a-z]+$/, "-tools.json");
    return readTools(set(names.includes(own) ? own : "desk-tools.json")).map((tool) => tool.name);
  };
  for (const name of names.filter((one) => one.endsWith(".tsv"))) {
    const known = new Set([...toolsFor(name), "none"]);
    const unknown = readCases(set(name)).filter(({ tool }) => !known.has(tool));
    assert.equal(
      unknown.length,
      0,
      `${name}: ${unknown.length} cases want a tool that is not there`,
    );
  }
  for (const name of names.filter((one) => one.startsWith("answers"))) {
    const known = new Set(toolsFor(name));
    for (const one of readAnswers(set(name))) {
      assert.ok(known.has(one.tool) && one.result !== null && one.needs, name);
      missingIn("", one.needs);
    }
  }
});

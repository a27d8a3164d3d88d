// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a tool file may say, and what becomes of one that says something else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadableError } from "../../src/errors.ts";
import { fitName, tomlTool } from "../../src/tools/toml-tool.ts";
import { argv } from "./place.ts";

const needed = `description = "d"\n${argv("echo", "{x}")}`;
const read = (text: string, path = "/t/it.toml") => tomlTool(path, text, {});
const notes = (text: string) =>
  read(text).notices.map(({ message, hint }) => [message.replace("/t/it.toml:", ""), hint]);

/** Message and hint of the fault that keeps a file out. */
function fault(text: string): [message: string, hint: string] {
  try {
    read(text);
  } catch (thrown) {
    if (!(thrown instanceof ReadableError)) throw thrown;
    return [thrown.message.replace("/t/it.toml:", ""), thrown.hint];
  }
  throw new Error("the file was taken");
}

test("the smallest file makes a tool with the usual values", () => {
  const { tool, notices } = read(`description = "d"\n${argv("true")}`);
  const { call, preview, ...rest } = tool;
  assert.equal(typeof call, "function");
  assert.deepEqual(preview?.({}), { argv: ["true"] });
  assert.deepEqual(notices, []);
  assert.deepEqual(rest, {
    name: "it",
    description: "d",
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    effect: "read",
    confirm: "auto",
    untrusted: false,
    personal: false,
    announce: {},
  });
});

test("a full file of the earlier daemon loads without a word", () => {
  const { tool, notices } = read(`# Weather
description = """
Weather for
a place"""
command = ["sh", "weather.sh", "{place}", "{days}", "{scale}", "{wind}"]
timeout = 30
[params]
place = { description = "Where", required = true }
[params.days]
type = "int"
desc = "How many"
default = 3
[params.scale]
type = "float"
[params.wind]
type = "boolean"
default = false
[announce]
en = ["One moment.", "Looking outside."]
de = ["Einen Moment."]
`);
  assert.deepEqual(notices, []);
  assert.equal(tool.description, "Weather for a place");
  assert.deepEqual(tool.announce, {
    en: ["One moment.", "Looking outside."],
    de: ["Einen Moment."],
  });
  assert.deepEqual(tool.parameters, {
    type: "object",
    properties: {
      place: { type: "string", description: "Where" },
      days: { type: "integer", description: "How many", default: 3 },
      scale: { type: "number" },
      wind: { type: "boolean", default: false },
    },
    required: ["place"],
    additionalProperties: false,
  });
});

test("every key of a parameter gets into its schema, required ones first", () => {
  const { tool } = read(`${needed}
effect = "read"
untrusted = true
personal = true
confirm = "never"
[params.x]
description = "the x"
maxLength = 5
pattern = "^a"
enum = ["a", "ab"]
default = "AB"
[params.n]
required = true
type = "integer"
minimum = -1
maximum = 10
[params.when]
format = "date"
default = 2026-12-24
[params.month]
type = "month"
`);
  assert.deepEqual(Object.entries(tool.parameters.properties ?? {}), [
    ["n", { type: "integer", minimum: -1, maximum: 10 }],
    [
      "x",
      {
        type: "string",
        description: "the x",
        pattern: "^a",
        maxLength: 5,
        enum: ["a", "ab"],
        default: "ab",
      },
    ],
    ["when", { type: "string", format: "date", default: "2026-12-24" }],
    ["month", { type: "string", pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$" }],
  ]);
  assert.deepEqual([tool.untrusted, tool.personal, tool.confirm], [true, true, "never"]);
});

test("a tool that sends words out of the machine takes no long texts, unless its file says so", () => {
  const { tool } = read(`${needed}effect = "send"
[params.x]
[params.long]
maxLength = 4000
[params.one]
enum = ["a"]
[params.n]
type = "integer"
`);
  assert.deepEqual(tool.parameters.properties, {
    x: { type: "string", maxLength: 200 },
    long: { type: "string", maxLength: 4000 },
    one: { type: "string", enum: ["a"] },
    n: { type: "integer" },
  });
});

test("the choices of an enum are of the parameter's type", () => {
  const { tool } = read(`${needed}[params.x]\nenum = [1, true, "a", 2026-01-01]\n`);
  assert.deepEqual(tool.parameters.properties, {
    x: { type: "string", enum: ["1", "true", "a", "2026-01-01"] },
  });
});

const faults: readonly (readonly [text: string, message: string, hint?: string])[] = [
  ["", "1: description is missing", 'Write: description = "What it tells."'],
  [argv("true"), "1: description is missing", 'Write: description = "What it tells."'],
  [
    `${argv("true")}descripton = "x"`,
    "2: description is missing; did you mean it by descripton?",
    'Write: description = "What it tells."',
  ],
  ['description = "d"', "1: command is missing", 'Write: command = ["program", "{argument}"]'],
  [`description = " "\n${argv("true")}`, "1: description is empty"],
  [`description = 3\n${argv("true")}`, "1: description must be a text"],
  ['description = "d"\ncommand = "ls -l"', "2: command must be a list of texts"],
  ['description = "d"\ncommand = []', "2: command is empty"],
  ['description = "d"\ncommand = [""]', "2: command is empty"],
  [
    'description = "d"\ncommand = [\n  "ls",\n  3,\n]',
    "4: part 2 of command must be a text in quotes",
  ],
  [`${needed}timeout = 0\n`, "3: timeout must be a number of seconds above 0"],
  [`${needed}timeout = -1\n`, "3: timeout must be a number of seconds above 0"],
  [`${needed}timeout = nan\n`, "3: timeout must be a number of seconds above 0"],
  [`${needed}timeout = "5"\n`, "3: timeout must be a number of seconds above 0"],
  [`${needed}effect = "write"\n`, "3: effect must be one of read, send, change"],
  [`${needed}confirm = true\n`, "3: confirm must be one of auto, always, never"],
  [`${needed}untrusted = "yes"\n`, "3: untrusted must be true or false"],
  [`${needed}params = "x"\n`, "3: params must be a table"],
  [`${needed}[params]\nx = "a thing"\n`, "4: x must be a table"],
  [
    `${needed}[params.x]\ntype = "text"\n`,
    "4: type must be one of string, integer, int, number, float, boolean, bool, date, time, month",
  ],
  [`${needed}[params.x]\nformat = "week"\n`, "4: format must be one of date, time, month"],
  [`${needed}[params.x]\nrequired = 1\n`, "4: required must be true or false"],
  [`${needed}[params.x]\nenum = []\n`, "4: enum must be a list with something in it"],
  [`${needed}[params.x]\ntype = "int"\nenum = [1, "two"]\n`, "5: enum must be an integer"],
  [`${needed}[params.x]\nenum = [["a"]]\n`, "4: enum must be a string"],
  [`${needed}[params.x]\ntype = "int"\ndefault = "many"\n`, "5: default must be an integer"],
  [`${needed}[params.x]\nenum = ["a", "b"]\ndefault = "c"\n`, "5: default must be one of a, b"],
  [`${needed}[params.x]\ntype = "float"\ndefault = nan\n`, "5: default must be a finite number"],
  [`${needed}[params.x]\nminimum = "1"\n`, "4: minimum must be a number"],
  [`${needed}[params.x]\nmaximum = inf\n`, "4: maximum must be a number"],
  [`${needed}[params.x]\nmaxLength = 1.5\n`, "4: maxLength must be a whole number above 0"],
  [`${needed}[announce]\nen = 3\n`, "4: en must be a list of texts"],
];

for (const [text, message, hint = ""] of faults) {
  test(`a file is left out: ${message}`, () => {
    assert.deepEqual(fault(text), [message, hint]);
  });
}

test("a pattern that is no regular expression keeps the file out", () => {
  const [message] = fault(`${needed}[params.x]\npattern = "("\n`);
  assert.match(message, /^4: pattern is no regular expression: /);
});

test("a command that would run a value as code keeps the file out", () => {
  const [message] = fault(`description = "d"\n${argv("sh", "-c", "echo {x}")}[params.x]\n`);
  assert.match(message, /^2: a value of \{x\} would be run as code by sh; .*\["sh", "-c", /);
});

test("what is no TOML keeps the file out, with line and column", () => {
  for (const text of ["a b", '\ndescription = "d', "a = 1\na = 2", "\0", "[", "<?xml?>"])
    assert.throws(() => read(text), { code: "toml", message: /^\/t\/it\.toml:\d+:\d+: / }, text);
});

test("an unknown key is ignored with file, line and the nearest key", () => {
  assert.deepEqual(notes(`${needed}timout = 3\n[params.x]\ndefualt = "a"\nhelp = "b"\n`), [
    ["3: unknown key timout is ignored", "Did you mean timeout?"],
    ["5: unknown key defualt is ignored", "Did you mean default?"],
    [
      "6: unknown key help is ignored",
      "Known here: type, description, desc, required, default, enum, format, minimum, maximum, maxLength, pattern, dash.",
    ],
  ]);
});

test("a command in one text is told how to be written", () => {
  const text = 'description = "d"\ncommand = ["echo {a}"]\n[params.a]\n';
  assert.match(fault(text)[0] ?? "", /each argument is a text of its own/);
});

test("a placeholder that is no parameter is told, and the file loads", () => {
  const text = `description = "d"\n${argv("echo", "{expresion}", "{print $1}", "{}")}[params.expression]\n`;
  assert.deepEqual(notes(text), [
    ["2: {expresion} is no parameter, so it stands for nothing", "Did you mean {expression}?"],
  ]);
});

test("S5: a table named __proto__ is ignored with a word, and no object changes", () => {
  const text = `${needed}[params.x]\n[params.__proto__]\ntype = "int"\n[__proto__]\npolluted = true\n`;
  assert.deepEqual(
    notes(text).map(([message]) => message),
    ["4: unknown key __proto__ is ignored", "6: unknown key __proto__ is ignored"],
  );
  assert.deepEqual(read(text).tool.parameters.properties, { x: { type: "string" } });
  assert.equal("polluted" in {}, false);
  assert.equal("type" in {}, false);
});

test("a parameter may have a name that every object knows", () => {
  const { tool, notices } = read(
    `description = "d"\n${argv("echo", "{constructor}")}[params.constructor]\n[params.toString]\n`,
  );
  assert.deepEqual(notices, []);
  assert.deepEqual(Object.keys(tool.parameters.properties ?? {}), ["constructor", "toString"]);
});

test("a file name is taken as it is, or made fit for a model", () => {
  assert.equal(fitName("web_search"), "web_search");
  assert.equal(fitName("Now-2"), "Now-2");
  assert.equal(fitName("bus times (home)"), "bus_times_home_");
  assert.equal(fitName("Räume"), "Raume");
  assert.equal(fitName("v1.2"), "v1_2");
  assert.equal(fitName("größe"), "gro_e");
  assert.equal(fitName("_"), "_");
  assert.equal(fitName(""), "tool");
  assert.equal(fitName("a".repeat(100)), "a".repeat(64));
  const foreign = ["天气", "新闻", "طقس", "🎉", "🎈"].map(fitName);
  assert.equal(new Set(foreign).size, foreign.length);
  for (const name of foreign) assert.match(name, /^tool_[0-9a-f]{8}$/);
  assert.match(fitName("get_天气"), /^get___[0-9a-f]{8}$/);
});

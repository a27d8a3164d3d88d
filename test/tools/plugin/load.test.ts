// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Plugins are found, loaded and described; what cannot be loaded is named and hides no other.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { opened, plugin, tool } from "./plugins.ts";

const ok = "return { ok: true, text: 'fine' };";
const good = (name: string) => plugin(tool(name, ok));

test("a .ts, a .js and a .mjs file are plugins, in the order of the file names", async () => {
  const typed = `type A = { x?: string }; const n: number = 1;
export default { name: "c", description: "d", parameters: {}, call: async (a: A) => ({ ok: true, text: \`\${n}\` }) };`;
  await using here = await opened({ "c.ts": typed, "b.js": good("b"), "a.mjs": good("a") });
  assert.deepEqual(here.names(), ["a", "b", "c"]);
  assert.equal((await here.call("c")).text, "1");
  assert.deepEqual([here.told(), here.logged], [[], []]);
  assert.deepEqual(
    here.tools.items().map(({ source, state }) => [source, state]),
    [
      ["plugin", "ready"],
      ["plugin", "ready"],
      ["plugin", "ready"],
    ],
  );
});

test("a tool's facts arrive whole, from a class too, with its short forms made a schema", async () => {
  const text = `class Rain {
    name = "rain"; description = "Says\\n  whether it rains"; untrusted = true; timeout = 7;
    get parameters() { return { day: { type: "date", desc: "which day", required: true } }; }
    effect = "send"; confirm = "always"; configKey = "sky"; announce = { en: "Looking up" };
    async call() { return { ok: true }; }
  }
  export default new Rain();`;
  await using here = await opened({ "rain.js": text });
  const { made, ...whole } = here.tools.get("rain") ?? assert.fail(here.told().join());
  assert.deepEqual(whole, {
    name: "rain",
    configKey: "sky",
    description: "Says whether it rains",
    parameters: {
      type: "object",
      properties: {
        day: { type: "string", format: "date", description: "which day", maxLength: 200 },
      },
      required: ["day"],
      additionalProperties: false,
    },
    effect: "send",
    confirm: "always",
    untrusted: true,
    personal: false,
    announce: { en: ["Looking up"] },
  });
  assert.equal(made.timeout, 7);
  assert.deepEqual([made.preview, made.bindContext, made.close], [undefined, undefined, undefined]);
});

test("a plugin of the older module kind and one that waits at its top are loaded", async () => {
  const older = `module.exports = { name: "older", description: "d", parameters: {}, call: async () => ({ ok: true }) };`;
  const waits = `const name = await Promise.resolve("waits");\n${good("x").replace('"x"', "name")}`;
  await using here = await opened({ "a.js": older, "b.ts": waits });
  assert.deepEqual([here.names(), here.told()], [["older", "waits"], []]);
});

test("a plugin's time is 30 seconds unless it says otherwise", async () => {
  await using here = await opened({ "a.js": good("a") });
  assert.equal(here.tools.get("a")?.made.timeout, 30);
});

const faults: [title: string, text: string, told: string][] = [
  ["throws", "const a = 1;\n\nthrow new TypeError('boo');\nexport default {};", "it.ts:3: boo"],
  ["throws no error", "throw { odd: 1 };\nexport default {};", "it.ts: { odd: 1 }"],
  [
    "is no TypeScript",
    "const a = 1;\nconst b = = 2;\nexport default {};",
    "it.ts:2: syntax error: Expression expected",
  ],
  [
    "has an enum",
    "\nenum A { b }\nexport default {};",
    "it.ts:2: syntax error: TypeScript enum is not supported in strip-only mode",
  ],
  ["ends itself", "process.exit(0);\nexport default {};", "it.ts: ended itself (exit status 0)"],
  [
    "kills itself",
    "process.kill(process.pid, 'SIGTERM'); await new Promise(() => {});\nexport default {};",
    "it.ts: was ended by SIGTERM",
  ],
  [
    "throws in a timer while it loads",
    "setTimeout(() => { throw new Error('late'); }, 1);\nawait new Promise(() => {});\nexport default {};",
    "it.ts:1: late",
  ],
  ["exports nothing", "export default undefined;", "it.ts: it has no default export"],
  ["exports an empty list", "export default [];", "it.ts: its list has no tool"],
  ["exports a text", "export default 'tool';", "it.ts: it is no tool, but must be an object"],
  [
    "exports a class",
    "export default class Dice {}",
    "it.ts: it is a function or a class; export a tool, such as new Dice()",
  ],
  [
    "has no call",
    "export default { name: 'a', description: 'd', parameters: {} };",
    "it.ts: a needs a function call(args, { signal })",
  ],
  [
    "has a bad name",
    good("no blanks"),
    "it.ts: its name must be letters, digits, _ and -, 64 at most",
  ],
  [
    "cannot be read",
    "export default { name: 'a', get description() { throw new Error('no'); } };",
    "it.ts: it cannot be read: no",
  ],
  [
    "has a type that is none",
    plugin("{ name: 'a', description: 'd', parameters: { x: { type: 'strng' } }, call() {} }"),
    "it.ts: a: parameter x: type must be one of string, integer, int, number, float, boolean, bool, date, time, month",
  ],
  [
    "has a guard that is a text",
    plugin(tool("a", ok, "untrusted: 'yes',")),
    "it.ts: a: untrusted must be true or false",
  ],
  [
    "has a mistyped guard",
    plugin(tool("a", ok, "efect: 'change',")),
    "it.ts: a: unknown key efect",
  ],
  [
    "has an older guard",
    plugin(tool("a", ok, "requires_confirmation: true,")),
    "it.ts: a: unknown key requires_confirmation",
  ],
  [
    "has no time",
    plugin(tool("a", ok, "timeout: Infinity,")),
    "it.ts: a: timeout must be a number of seconds above 0, 86400 at most",
  ],
];

for (const [title, text, told] of faults) {
  test(`a plugin that ${title} is named with its fault, and the others load`, async () => {
    await using here = await opened({ "it.ts": text, "good.ts": good("good") });
    assert.deepEqual([here.told(), here.names()], [[told], ["good"]]);
    const broken = here.source.known().filter(({ state }) => state === "broken");
    assert.deepEqual(
      broken.map(({ error }) => error),
      [join(here.folder, told)],
    );
  });
}

test("a fault in JavaScript is named with its line", async () => {
  await using here = await opened({ "it.mjs": "const a = 1;\nconst a = 2;\nexport default {};" });
  const told = "it.mjs:2: syntax error: Identifier 'a' has already been declared";
  assert.deepEqual(here.told(), [told]);
});

test("a missing package is named, and once it is installed a check brings the plugin", async () => {
  const text = `import { word } from "some-package";\n${plugin(tool("it", "return { ok: true, text: word };"))}`;
  await using here = await opened({ "it.mjs": text });
  assert.match(here.notices[0]?.hint ?? "", /npm install NAME in the tools folder/);
  assert.match(here.told()[0] ?? "", /^it\.mjs: Cannot find package 'some-package'/);
  const folder = join(here.folder, "node_modules", "some-package");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "main": "main.js" }');
  writeFileSync(join(folder, "main.js"), "exports.word = 'packed';");
  await here.tools.check(new AbortController().signal);
  assert.equal((await here.call("it")).text, "packed");
});

test("a plugin that never ends its loading is given up, and the others load", async () => {
  const files = {
    "a.ts": "for (;;);\nexport default {};",
    "b.ts": "await new Promise(() => {});\nexport default {};",
  };
  await using here = await opened(files, { loadMs: 400 });
  assert.deepEqual(here.told().sort(), [
    "a.ts: does not load within 0.4 s",
    "b.ts: does not load within 0.4 s",
  ]);
});

test("of five at once of which three are bad the good ones load", async () => {
  await using here = await opened({
    "a.ts": "process.exit(1);\nexport default {};",
    "b.ts": good("b"),
    "c.ts": "throw new Error('no');\nexport default {};",
    "d.js": good("d"),
    "e.ts": "export default {};",
  });
  assert.deepEqual(here.names(), ["b", "d"]);
  assert.equal((await here.call("b")).text, "fine");
  assert.equal((await here.call("d")).text, "fine");
  assert.deepEqual(
    here
      .told()
      .map((told) => told.slice(0, 4))
      .sort(),
    ["a.ts", "c.ts", "e.ts"],
  );
});

test("of a list the good tools load and each bad one is named", async () => {
  const list = plugin(tool("a", ok), "{ name: 'bad' }", "7", tool("a", ok), tool("b", ok));
  await using here = await opened({ "it.js": list });
  assert.deepEqual(here.names(), ["a", "b"]);
  assert.deepEqual(here.told(), [
    "it.js: tool 2 of its list: bad needs a description",
    "it.js: tool 3 of its list: it is no tool, but must be an object",
    "it.js: tool 4 of its list: a is in its list twice",
  ]);
  const known = here.source.known().map(({ name, state }) => `${name} ${state}`);
  assert.deepEqual(known, ["a ready", "b ready", "bad broken", "it broken", "a broken"]);
});

test("what others can write to, belongs to a folder, or is too large is not run", async () => {
  await using here = await opened();
  const mark = join(here.base, "ran");
  const runs = `import { writeFileSync } from "node:fs"; writeFileSync("${mark}", "");\n${good("x")}`;
  here.write("a.ts", runs, 0o666);
  here.write("b.ts", `${runs}//${"x".repeat(300_000)}`);
  mkdirSync(join(here.folder, "c.ts"));
  await here.settled();
  assert.deepEqual(here.told(), [
    "a.ts: others can write to this file, so the tool is left out",
    "b.ts: is larger than 256 KiB",
    "c.ts: is no file, so there is no tool in it",
  ]);
  assert.equal(existsSync(mark), false);
  assert.deepEqual(here.names(), []);
});

test("scripts, programs, types, hidden files and what begins with _ are not run", async () => {
  await using here = await opened();
  const mark = join(here.base, "ran");
  const runs = `require("fs").writeFileSync("${mark}", "");\n`;
  const toml = 'description = "d"\ncommand = ["echo", "from toml"]\n';
  for (const name of ["calc.ts", "_shared.js", ".hidden.js", "a.d.ts", "b.cjs"])
    here.write(name, `${runs}module.exports = { name: "x" };`);
  here.write("calc.toml", toml);
  here.write("fetch.js", `#!/usr/bin/env node\n${runs}`);
  here.write("script.js", runs);
  await here.settled();
  assert.deepEqual(here.names(), ["calc"]);
  assert.equal((await here.call("calc")).text, "from toml");
  assert.deepEqual(here.told(), ["script.js: it has no default export, so it was not run"]);
  assert.equal(existsSync(mark), false);
});

test("a plugin imports what lies beside it, through a link as well", async () => {
  await using here = await opened();
  here.write("_words.ts", "export const word: string = 'beside';");
  const text = `import { word } from "./_words.ts";\n${plugin(tool("it", "return { ok: true, text: word };"))}`;
  const elsewhere = join(here.base, "kept.ts");
  renameSync(here.write("x.ts", good("linked")), elsewhere);
  symlinkSync(elsewhere, join(here.folder, "linked.ts"));
  here.write("it.ts", text);
  await here.settled();
  assert.equal((await here.call("it")).text, "beside");
  assert.equal((await here.call("linked")).text, "fine");
});

test("what a plugin imports must be safe from others too", async () => {
  await using here = await opened();
  const shared = here.write("_words.ts", "export const word = 'beside';", 0o666);
  here.write("it.ts", `import "./_words.ts";\n${good("it")}`);
  await here.settled();
  assert.deepEqual(here.told(), ["it.ts: it imports _words.ts, which others can write to"]);
  chmodSync(shared, 0o600);
  await here.settled();
  assert.deepEqual([here.names(), here.told()], [["it"], []]);
});

test("of two files with one tool's name the first file has it, whichever kind they are", async () => {
  const toml = 'description = "d"\ncommand = ["echo", "toml"]\n';
  const files = {
    "a.ts": good("b"),
    "b.toml": toml,
    "c.js": good("b"),
    "d.toml": toml,
    "e.js": good("d"),
  };
  await using here = await opened(files);
  assert.deepEqual(here.names(), ["b", "d"]);
  assert.equal((await here.call("b")).text, "fine");
  assert.equal((await here.call("d")).text, "toml");
  assert.deepEqual(here.told(), [
    "b.toml: a.ts has the tool's name b already",
    "c.js: a.ts has the tool's name b already",
    "e.js: d.toml has the tool's name d already",
  ]);
});

test("while it loads a plugin is known as starting, and looking waits for it", async () => {
  await using here = await opened();
  here.write("it.ts", good("it"));
  here.tools.scan();
  assert.deepEqual(
    here.source.known().map(({ name, state }) => [name, state]),
    [["it", "starting"]],
  );
  await here.tools.check(new AbortController().signal);
  assert.deepEqual(
    here.source.known().map(({ name, state }) => [name, state]),
    [["it", "ready"]],
  );
  here.write("late.ts", good("late"));
  const reason = new Error("no time");
  await assert.rejects(here.source.check(AbortSignal.abort(reason)), reason);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What keeps a plugin from being loaded is named with its line, and hides no other.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { opened, plugin, tool } from "./plugins.ts";

const ok = "return { ok: true, text: 'fine' };";
const good = (name: string) => plugin(tool(name, ok));

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
    "has a mistyped key in a parameter",
    plugin("{ name: 'a', description: 'd', parameters: { x: { requierd: true } }, call() {} }"),
    "it.ts: a: parameter x: unknown key requierd; did you mean required?",
  ],
  [
    "has parameters without a bottom",
    `let s = {}; for (let i = 0; i < 3000; i += 1) s = { items: s };\n${plugin(
      "{ name: 'a', description: 'd', effect: 'send', parameters: { x: s }, call() {} }",
    )}`,
    "it.ts: a: its parameters are nested too deeply",
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

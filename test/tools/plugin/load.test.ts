// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Plugins are found, loaded and described; what is no plugin is not run.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
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

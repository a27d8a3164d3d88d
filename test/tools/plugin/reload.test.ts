// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A plugin that is changed, removed or closed: the new one comes, the old one goes when its calls are over.
import assert from "node:assert/strict";
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { toolEnvironment } from "../../../src/tools/environment.ts";
import { ToolsFolder } from "../../../src/tools/folder.ts";
import { heirs } from "../../process/heirs.ts";
import { place } from "../place.ts";
import { opened, plugin, tool } from "./plugins.ts";

const says = (word: string) => plugin(tool("it", `return { ok: true, text: "${word}" };`));

test("a change counts once it is loaded; until then the old tools stay callable", async () => {
  await using here = await opened({ "it.js": says("one") });
  const before = here.tools.get("it");
  here.write("it.js", says("two"));
  assert.equal((await here.call("it")).text, "one");
  assert.equal(here.tools.get("it"), before);
  await here.settled();
  assert.equal((await here.call("it")).text, "two");
  assert.notEqual(here.tools.get("it"), before);
});

test("the same content is the same tool, whatever the file's time", async () => {
  await using here = await opened({ "it.js": says("one") });
  const before = here.tools.get("it");
  here.write("it.js", says("one"));
  utimesSync(join(here.folder, "it.js"), 1_700_000_000, 1_700_000_000);
  await here.settled();
  assert.equal(here.tools.get("it"), before);
});

test("a change of what a plugin imports counts, also when it could not be loaded for that", async () => {
  const text = `import { word } from "./_word.mjs";\n${plugin(tool("it", "return { ok: true, text: word };"))}`;
  await using here = await opened({ "it.mjs": text, "_word.mjs": "export const word = 'one';" });
  assert.equal((await here.call("it")).text, "one");
  here.write("_word.mjs", "throw new Error('worse'); export const word = 1;");
  await here.settled();
  assert.deepEqual([here.names(), here.told()], [[], ["it.mjs: worse"]]);
  here.write("_word.mjs", "export const word = 'three';");
  await here.settled();
  assert.equal((await here.call("it")).text, "three");
  rmSync(join(here.folder, "_word.mjs"));
  await here.settled();
  assert.deepEqual(here.names(), []);
  here.tools.scan();
  assert.equal(here.told().length, 1);
});

test("of several changes in a row the last one counts", async () => {
  await using here = await opened({ "it.js": says("one") });
  for (const word of ["two", "three", "four"]) {
    here.write("it.js", says(word));
    here.tools.scan();
  }
  await here.settled();
  assert.equal((await here.call("it")).text, "four");
  assert.deepEqual(here.told(), []);
});

test("a change for the worse is told and takes the tool away, and its mending brings it back", async () => {
  await using here = await opened({ "it.js": says("one") });
  here.write("it.js", "throw new Error('worse');\nexport default {};");
  await here.settled();
  assert.deepEqual([here.names(), here.told()], [[], ["it.js:1: worse"]]);
  await here.settled();
  assert.deepEqual(here.told(), []);
  here.write("it.js", says("two"));
  await here.settled();
  assert.equal((await here.call("it")).text, "two");
});

/** A plugin whose process holds the pipe, writes a line at its close, and whose call waits for the gate. */
const holds = (pipe: ReturnType<typeof heirs>) =>
  `${plugin(
    tool(
      "it",
      `await readFile("${pipe.gate}"); return { ok: true, text: "whole" };`,
      'close() { writeFileSync(held, "closed\\n"); },',
    ),
  )}const held = openSync("${pipe.path}", "w");\nwriteFileSync(held, "up\\n");\n`;

for (const [how, change] of [
  ["changed", (write: (name: string, text: string) => void) => write("it.js", says("two"))],
  ["removed", (_: unknown, folder: string) => rmSync(join(folder, "it.js"))],
] as const) {
  test(`a plugin that is ${how} ends its running call, is closed once, and is gone`, async () => {
    using pipe = heirs();
    await using here = await opened({ "it.js": holds(pipe) });
    const going = here.call("it");
    await pipe.up(1);
    change(here.write, here.folder);
    await here.settled();
    await pipe.open();
    assert.equal((await going).text, "whole");
    await pipe.up(2);
    await pipe.ended;
    assert.equal(pipe.seen(), "up\nclosed\n");
  });
}

test("a plugin that is saved is loaded, and told if it is bad, without anybody asking", async ({
  signal,
}) => {
  await using here = place();
  here.open();
  here.write("bad.mjs", "throw new Error('worse');\nexport default {};");
  const { message } = await here.notice("bad.mjs:1: worse", signal);
  assert.equal(message, `${here.folder}/bad.mjs:1: worse`);
});

test("the end of a load is told", async () => {
  await using here = place();
  here.write("it.mjs", says("one"));
  const ready = Promise.withResolvers<void>();
  const onChange = () => folder.known()[0]?.state === "ready" && ready.resolve();
  const options = {
    folder: here.folder,
    env: toolEnvironment({}),
    onNotice: () => assert.fail(),
    onChange,
  };
  const folder = new ToolsFolder(options);
  await ready.promise;
  await folder.close();
});

test("a removed plugin's tool fails at once", async () => {
  await using here = await opened({ "it.js": says("one") });
  rmSync(join(here.folder, "it.js"));
  assert.equal((await here.call("it")).text, "error: no tool named it");
});

test("the end of all closes each tool once, and waits for no call and no close", async () => {
  using pipe = heirs();
  const text = `${plugin(
    tool("a", "await new Promise(() => {});", 'close() { writeFileSync(held, "closed\\n"); },'),
    tool("b", "", "close() { return new Promise(() => {}); },"),
    tool("c", "", "close() { throw new Error('cannot'); },"),
  )}const held = openSync("${pipe.path}", "w");\nwriteFileSync(held, "up\\n");\n`;
  await using here = await opened({ "it.js": text });
  const going = here.call("a");
  await here.tools.close();
  await pipe.ended;
  assert.equal(pipe.seen(), "up\nclosed\n");
  assert.equal((await going).text, "error: it.js: has been let go");
  assert.deepEqual(here.logged.sort(), [
    "plugin it.js: close: cannot",
    "plugin it.js: close: takes too long",
  ]);
});

test("the end of all ends a plugin that loads", async () => {
  using pipe = heirs();
  await using here = await opened();
  const text = 'import { openSync, writeSync } from "node:fs";';
  const held = `writeSync(openSync("${pipe.path}", "w"), "up\\n"); for (;;);\nexport default {};`;
  here.write("it.js", `${text}\n${held}`);
  here.tools.scan();
  await pipe.up(1);
  await here.tools.close();
  await pipe.ended;
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What plugins print is in the log, in short lines, and not without end.
import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { logOutput } from "../../../src/tools/plugin/output.ts";
import { opened, plugin, tool } from "./plugins.ts";

async function printed(chunks: readonly (string | Buffer | number)[]): Promise<string[]> {
  const stream = new PassThrough();
  const logged: string[] = [];
  let time = 0;
  logOutput([stream], { path: "/x/it.js", log: (text) => logged.push(text), now: () => time });
  for (const chunk of chunks) {
    if (typeof chunk === "number") time += chunk;
    else if (!stream.write(chunk)) await once(stream, "drain");
    await new Promise(setImmediate);
  }
  stream.end();
  await once(stream, "close");
  return logged;
}

test("lines have the file's name, 200 characters and no control characters", async () => {
  assert.deepEqual(await printed(["one\ntw", "o\n\n", "x".repeat(500), "x\n\x1b[31mred\tthree"]), [
    "plugin it.js: one",
    "plugin it.js: two",
    `plugin it.js: ${"x".repeat(200)}`,
    "plugin it.js:  [31mred three",
  ]);
});

test("of a flood 20 lines a minute are kept, and their number is told", async () => {
  const logged = await printed(["x\n".repeat(100_000), 60_001, "y\n"]);
  assert.equal(logged.length, 22);
  assert.deepEqual(logged.slice(-2), [
    "plugin it.js: 99980 more lines left out",
    "plugin it.js: y",
  ]);
});

test("letters that come in parts are whole", async () => {
  const [first, second] = [Buffer.from("ü").subarray(0, 1), Buffer.from("ü").subarray(1)];
  assert.deepEqual(await printed([first, second, "\n"]), ["plugin it.js: ü"]);
});

test("a plugin that prints without end has its call answered, and prints 20 lines", async () => {
  const body =
    'for (let at = 0; at < 10_000; at += 1) { console.log("line", at); console.error("fault", at); } return { ok: true, text: "fine" };';
  await using here = await opened({ "it.js": plugin(tool("it", body)) });
  assert.equal((await here.call("it")).text, "fine");
  await here.tools.close();
  assert.equal(here.logged.length, 20);
  assert.equal(here.logged[0], "plugin it.js: line 0");
});

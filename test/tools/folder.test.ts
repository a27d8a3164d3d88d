// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools folder in every state that it can be in, and files that come, change and go.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { othersCanWrite } from "../../src/tools/access.ts";
import type { Tools } from "../../src/tools/tools.ts";
import { call, place, tool } from "./place.ts";

const says = (word: string) => tool(["echo", word]);
const names = (tools: Tools) => tools.list().map(({ name }) => name);

test("a folder that is missing, empty or no folder has no tools, without a word", async () => {
  await using here = place({ missing: true });
  assert.deepEqual(names(here.open()), []);
  writeFileSync(here.folder, "a file");
  assert.deepEqual(names(here.open()), []);
  rmSync(here.folder);
  mkdirSync(here.folder);
  assert.deepEqual(names(here.open()), []);
  assert.deepEqual(here.told(), []);
});

test("a folder that appears later is read", async () => {
  await using here = place({ missing: true });
  const tools = here.open();
  mkdirSync(here.folder);
  here.write("it.toml", says("hello"));
  assert.equal((await call(tools, "it")).text, "hello");
});

test("tools are offered by name, whatever the order of the files", async () => {
  await using here = place();
  for (const name of ["c", "a", "b"]) here.write(`${name}.toml`, says(name));
  const tools = here.open();
  assert.deepEqual(names(tools), ["a", "b", "c"]);
  assert.deepEqual(
    tools.list().map(({ name }) => name),
    ["a", "b", "c"],
  );
});

test("a file that is added, changed or removed counts at the next look", async () => {
  await using here = place();
  const tools = here.open();
  here.write("it.toml", says("one"));
  assert.equal((await call(tools, "it")).text, "one");
  here.write("it.toml", says("two"));
  assert.equal((await call(tools, "it")).text, "two");
  rmSync(here.path("it.toml"));
  const gone = await call(tools, "it");
  assert.deepEqual([gone.ok, gone.text], [false, "error: no tool named it"]);
});

test("a change that neither size nor time shows is seen all the same", async () => {
  await using here = place();
  const tools = here.open();
  const then = new Date(1_700_000_000_000);
  for (const word of ["one", "two", "six", "ten"]) {
    here.write("it.toml", says(word));
    utimesSync(here.path("it.toml"), then, then);
    assert.equal((await call(tools, "it")).text, word);
  }
});

test("two files that swap their names swap their tools", async () => {
  await using here = place();
  here.write("a.toml", says("one"));
  here.write("b.toml", says("two"));
  const tools = here.open();
  renameSync(here.path("a.toml"), here.path("c"));
  renameSync(here.path("b.toml"), here.path("a.toml"));
  renameSync(here.path("c"), here.path("b.toml"));
  assert.equal((await call(tools, "a")).text, "two");
  assert.equal((await call(tools, "b")).text, "one");
});

test("a bad file is told once and hides no other, and its mending counts", async () => {
  await using here = place();
  here.write("bad.toml", 'description = "d"\ncommnd = ["true"]\n');
  here.write("good.toml", says("good"));
  here.write("torn.toml", "descr");
  const tools = here.open();
  assert.deepEqual(names(tools), ["good"]);
  for (let look = 0; look < 3; look += 1) tools.scan();
  const told = here.told();
  assert.equal(told.length, 2);
  assert.equal(told[0], "bad.toml:2: command is missing; did you mean it by commnd?");
  assert.match(told[1] ?? "", /^torn\.toml:1:\d+: /);
  here.write("bad.toml", says("mended"));
  assert.deepEqual(names(tools), ["bad", "good"]);
  assert.deepEqual(here.told(), []);
});

test("a good file that becomes bad takes its tool away", async () => {
  await using here = place();
  here.write("it.toml", says("one"));
  const tools = here.open();
  here.write("it.toml", `${says("two")}timeout = "long"\n`);
  assert.equal((await call(tools, "it")).text, "error: no tool named it");
  assert.deepEqual(here.told(), ["it.toml:3: timeout must be a number of seconds above 0"]);
});

test("what is not a TOML file is not read", async () => {
  await using here = place();
  for (const name of ["it.toml~", ".it.toml", ".#it.toml", "it.toml.bak", "it.TOML", "toml"])
    here.write(name, "no TOML at all");
  assert.deepEqual(names(here.open()), []);
  assert.deepEqual(here.told(), []);
});

test("a folder, a pipe, a device, a loop and a huge file are told once and hold nothing up", async () => {
  await using here = place();
  mkdirSync(here.path("folder.toml"));
  execFileSync("mkfifo", [here.path("pipe.toml")]);
  symlinkSync("/dev/zero", here.path("zero.toml"));
  symlinkSync("loop.toml", here.path("loop.toml"));
  symlinkSync("nowhere", here.path("dangling.toml"));
  here.write("huge.toml", "#".repeat(300 * 1024));
  here.write("good.toml", says("good"));
  const tools = here.open();
  for (let look = 0; look < 3; look += 1) assert.deepEqual(names(tools), ["good"]);
  assert.deepEqual(here.told(), [
    "folder.toml: is no file, so there is no tool in it",
    "huge.toml: is larger than 256 KiB",
    "loop.toml cannot be read: too many symbolic links encountered",
    "pipe.toml: is no file, so there is no tool in it",
    "zero.toml: is no file, so there is no tool in it",
  ]);
});

test("a link to a file of the person's own is a tool, and so is a folder behind a link", async () => {
  await using here = place({ missing: true });
  mkdirSync(`${here.base}/real`);
  writeFileSync(`${here.base}/real/one.txt`, says("linked"));
  symlinkSync("one.txt", `${here.base}/real/it.toml`);
  symlinkSync("real", here.folder);
  assert.equal((await call(here.open(), "it")).text, "linked");
});

test("a file that others can write to is refused until it is private", async () => {
  await using here = place();
  here.write("it.toml", says("one"), 0o646);
  const tools = here.open();
  assert.deepEqual(names(tools), []);
  assert.deepEqual(
    here.notices.map(({ code, hint }) => [code, hint]),
    [["tool_file", `Type: chmod go-w ${here.path("it.toml")}`]],
  );
  assert.deepEqual(here.told(), [
    "it.toml: others can write to this file, so the tool is left out",
  ]);
  chmodSync(here.path("it.toml"), 0o600);
  assert.deepEqual(names(tools), ["it"]);
  chmodSync(here.path("it.toml"), 0o602);
  assert.deepEqual(names(tools), []);
});

test("a link to a file that others can write to is refused", async () => {
  await using here = place();
  writeFileSync(`${here.base}/theirs`, says("theirs"));
  chmodSync(`${here.base}/theirs`, 0o666);
  symlinkSync("../theirs", here.path("it.toml"));
  assert.deepEqual(names(here.open()), []);
});

test("no tool is read from a folder that others can write to", async () => {
  await using here = place();
  here.write("it.toml", says("one"));
  chmodSync(here.folder, 0o777);
  const tools = here.open();
  assert.deepEqual([names(tools), names(tools)], [[], []]);
  assert.deepEqual(
    here.notices.map(({ code, hint }) => [code, hint]),
    [["tools_folder", `Type: chmod go-w ${here.folder}`]],
  );
  chmodSync(here.folder, 0o755);
  assert.deepEqual(names(tools), ["it"]);
});

test("who can write is told by owner, group and mode", () => {
  const uid = process.getuid?.() ?? 0;
  const of = (mode: number, owner = uid, gid = owner) => othersCanWrite({ mode, uid: owner, gid });
  assert.deepEqual(
    [0o600, 0o644, 0o664, 0o755].map((mode) => of(mode)),
    Array(4).fill(false),
  );
  assert.deepEqual(
    [0o646, 0o666, 0o777, 0o602].map((mode) => of(mode)),
    Array(4).fill(true),
  );
  assert.equal(of(0o664, uid, 54_321), true);
  assert.equal(of(0o644, uid, 54_321), false);
  assert.equal(of(0o600, 54_321), true);
  assert.equal(of(0o444, 0), false);
});

test("of two files for one name the first in order has it, until it goes", async () => {
  await using here = place();
  here.write("a_b.toml", says("second"));
  const tools = here.open();
  assert.equal((await call(tools, "a_b")).text, "second");
  here.write("a b.toml", says("first"));
  assert.equal((await call(tools, "a_b")).text, "first");
  tools.scan();
  assert.deepEqual(here.told(), ["a_b.toml: a b.toml has the tool's name a_b already"]);
  here.write("a b.toml", "broken");
  assert.equal((await call(tools, "a_b")).text, "second");
  rmSync(here.path("a b.toml"));
  assert.equal((await call(tools, "a_b")).text, "second");
});

test("an effect that changed counts before the next call of the tool", async () => {
  await using here = place();
  here.write("it.toml", says("one"));
  const tools = here.open();
  here.write("it.toml", `${says("one")}effect = "change"\n`);
  assert.equal(tools.list()[0]?.effect, "change");
});

test("a name of strange bytes, of blanks or of another language is no danger", async () => {
  await using here = place();
  writeFileSync(
    Buffer.concat([
      Buffer.from(`${here.folder}/`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(".toml"),
    ]),
    says("x"),
  );
  here.write("bus times.toml", says("bus"));
  here.write("größe.toml", says("size"));
  here.write("it.toml", says("good"));
  assert.deepEqual(names(here.open()), ["bus_times", "gro_e", "it"]);
});

test("a file with a byte order mark and Windows line ends is a tool", async () => {
  await using here = place();
  here.write("it.toml", `\ufeff${says("one").replaceAll("\n", "\r\n")}`);
  assert.equal((await call(here.open(), "it")).text, "one");
});

test("the same file under a new time is neither read nor told again", async () => {
  await using here = place();
  here.write("it.toml", `${says("one")}strange = 1\n`);
  const tools = here.open();
  const [before] = tools.list();
  assert.equal(here.told().length, 1);
  utimesSync(here.path("it.toml"), 1, 1);
  assert.equal(tools.list()[0], before);
  assert.deepEqual(here.told(), []);
});

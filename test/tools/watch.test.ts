// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The folder is watched: changes are taken in, and faults told, without anybody asking.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { test } from "node:test";
import type { Tools } from "../../src/tools/tools.ts";
import { place, tool } from "./place.ts";

const says = (word: string) => tool(["echo", word]);
/** Broken in a way of its own, so that its notice tells when it was read. */
const broken = (mark: string) => `${says("x")}timeout = "${mark}"\n`;
const bad = (name: string) => `${name}:3: timeout must be`;
/** Names as they were taken in; `schemas` looks at no file. */
const taken = (tools: Tools) => tools.list().map(({ name }) => name);

test("files that are added, changed and removed are taken in without a call", async ({
  signal,
}) => {
  await using here = place();
  const tools = here.open();
  here.write("good.toml", says("one"));
  here.write("bad1.toml", broken("1"));
  await here.notice(bad("bad1.toml"), signal);
  assert.deepEqual(taken(tools), ["good"]);
  rmSync(here.path("good.toml"));
  here.write("bad1.toml", says("mended"));
  here.write("bad2.toml", broken("2"));
  await here.notice(bad("bad2.toml"), signal);
  assert.deepEqual(taken(tools), ["bad1"]);
  renameSync(here.path("bad1.toml"), here.path("other.toml"));
  here.write("bad3.toml", broken("3"));
  await here.notice(bad("bad3.toml"), signal);
  assert.deepEqual(taken(tools), ["other"]);
});

test("a folder that becomes writable to others loses its tools, and gets them back", async ({
  signal,
}) => {
  await using here = place();
  here.write("it.toml", says("one"));
  const tools = here.open();
  chmodSync(here.folder, 0o777);
  await here.notice("others can write to this folder", signal);
  assert.deepEqual(taken(tools), []);
  chmodSync(here.folder, 0o700);
  here.write("bad.toml", broken("1"));
  await here.notice(bad("bad.toml"), signal);
  assert.deepEqual(taken(tools), ["it"]);
});

test("a folder that takes the place of the watched one is watched too", async ({ signal }) => {
  await using here = place();
  here.write("one.toml", says("one"));
  const tools = here.open();
  renameSync(here.folder, `${here.folder}.old`);
  mkdirSync(here.folder, { mode: 0o700 });
  here.write("two.toml", says("two"));
  tools.scan();
  assert.deepEqual(taken(tools), ["two"]);
  here.write("bad.toml", broken("1"));
  await here.notice(bad("bad.toml"), signal);
});

test("a folder that was removed and made again is watched", async ({ signal }) => {
  await using here = place();
  const tools = here.open();
  for (const round of ["1", "2", "3"]) {
    rmSync(here.folder, { recursive: true });
    mkdirSync(here.folder, { mode: 0o700 });
    tools.scan();
    here.write(`bad${round}.toml`, broken(round));
    await here.notice(bad(`bad${round}.toml`), signal);
  }
});

test("a folder that appeared is watched from the next look on", async ({ signal }) => {
  await using here = place({ missing: true });
  const tools = here.open();
  mkdirSync(here.folder, { mode: 0o700 });
  tools.scan();
  here.write("bad.toml", broken("1"));
  await here.notice(bad("bad.toml"), signal);
});

test("a save in several steps is one change, and the half-written file is not told", async ({
  signal,
}) => {
  await using here = place();
  const tools = here.open();
  here.write("it.toml", "");
  here.write("it.toml", 'description = "half');
  here.write("it.toml", says("whole"));
  here.write("mark.toml", broken("1"));
  await here.notice(bad("mark.toml"), signal);
  assert.deepEqual(taken(tools), ["it"]);
  assert.equal(here.told().length, 1);
});

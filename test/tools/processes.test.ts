// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Programs that do not behave: they hang, flood, fork, or leave their group.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { killAll } from "../../src/process/spawn.ts";
import { countWith, heirs, holder } from "../process/heirs.ts";
import { call, place, run, shell, tool } from "./place.ts";

const soon = "timeout = 2";
/** Whoever waits for it hangs, and the runner says so. */
const never = "timeout = 86400";

test("P1: a grandchild that holds the pipe is not waited for, and nobody is left", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & wait`;
  const { ok, text } = await run(shell(script), { rest: soon });
  assert.deepEqual([ok, text], [false, "error: timed out"]);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("M6: a child that left the group is not waited for, and does not stay", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; setsid ${holder(pipe.tag)} & wait`;
  assert.equal((await run(shell(script), { rest: soon })).text, "error: timed out");
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("a program that ends while its child holds the pipe has answered", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; setsid ${holder(pipe.tag)} &
    read -r go <'${pipe.gate}'; echo done`;
  const going = run(shell(script), { rest: never });
  await pipe.up(1);
  await pipe.open();
  assert.equal((await going).text, "done");
  killAll();
  await pipe.ended;
});

test("what a program left in its group ends with it", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & read -r go <'${pipe.gate}'; echo done`;
  const going = run(shell(script), { rest: never });
  await pipe.up(1);
  await pipe.open();
  assert.equal((await going).text, "done");
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("a program that closed its outputs and ignores every polite signal ends at the timeout", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}' >&- 2>&-; trap '' TERM HUP INT; ${holder(pipe.tag)}`;
  assert.equal((await run(shell(script), { rest: soon })).text, "error: timed out");
  await pipe.ended;
});

test("a stop ends the program and all it started, and the call rejects with the reason", async () => {
  await using here = place();
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & setsid ${holder(pipe.tag)} & wait`;
  here.write("it.toml", tool(shell(script), never));
  const stop = new AbortController();
  const going = call(here.open(), "it", {}, stop.signal);
  await pipe.up(2);
  const reason = new Error("stopped by the person");
  stop.abort(reason);
  await assert.rejects(going, reason);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("a stop that came before the call starts nothing", async () => {
  await using here = place();
  here.write("it.toml", tool(["no-such-thing"]));
  const reason = new Error("too late");
  await assert.rejects(call(here.open(), "it", {}, AbortSignal.abort(reason)), reason);
});

test("a flood of 100 MB is answered with its beginning", async () => {
  const result = await run(shell("head -c 100000000 /dev/zero | tr '\\0' a"), { rest: never });
  assert.equal(result.ok, true);
  assert.match(result.text, /^a{2000}\n\[cut: \d+ more characters\]$/);
  assert.ok(typeof result.data === "string" && result.data.length <= 4 * 1024 * 1024);
});

test("an endless flood is ended", async () => {
  const { ok, text } = await run(["yes"], { rest: never });
  assert.equal(ok, true);
  assert.match(text, /^(?:y\n){1000}\n?\[cut: \d+ more characters\]$/);
});

test("an endless complaint is ended and is no answer", async () => {
  const { ok, text } = await run(shell("yes >&2"), { rest: never });
  assert.deepEqual([ok, text], [false, "error: its error output has no end"]);
});

test("a program that forks without end is ended at the timeout", async () => {
  using pipe = heirs();
  // Each holds one child at a time: it runs from the group as fast as it can, but fills no machine.
  const script = `exec 3>'${pipe.path}'; while :; do setsid sh -c ':' & wait; done`;
  assert.equal((await run(shell(script), { rest: soon })).text, "error: timed out");
  await pipe.ended;
});

function descriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

/** Bytes in use after everything unused is thrown away. */
function heap(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}

test("many calls leave no descriptor open and no memory taken", async () => {
  await using here = place();
  here.write("it.toml", tool(["echo", "{x}"], "[params.x]"));
  const tools = here.open();
  const calls = async (count: number) => {
    for (let done = 0; done < count; done += 4)
      await Promise.all([1, 2, 3, 4].map((x) => call(tools, "it", { x })));
  };
  await calls(60);
  const before = [descriptors(), heap()] as const;
  await calls(240);
  assert.equal(descriptors(), before[0]);
  assert.ok(heap() - before[1] < 1_000_000, `${heap() - before[1]} bytes more`);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Running a program to its end, with real processes that do not want to end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../../src/process/run.ts";
import { killAll } from "../../src/process/spawn.ts";
import { countWith, heirs, holder } from "./heirs.ts";

const { signal } = new AbortController();
/** Far beyond any test's patience: whoever waits for it hangs, and the runner says so. */
const timeoutMs = 100_000_000;
const sh = (script: string) => ["sh", "-c", script];

test("status, signal and both outputs come back whole", async () => {
  const end = await run(sh("echo out; echo err >&2; exit 3"), { timeoutMs, signal });
  assert.deepEqual(
    { ...end, stdout: String(end.stdout), stderr: String(end.stderr) },
    { status: 3, signal: null, stdout: "out\n", stderr: "err\n", cut: false, timedOut: false },
  );
  const killed = await run(sh("kill -9 $$"), { timeoutMs, signal });
  assert.deepEqual([killed.status, killed.signal], [null, "SIGKILL"]);
});

test("standard input is empty, and the folder and environment are those asked for", async () => {
  const options = { timeoutMs, signal, cwd: "/", env: { PATH: process.env.PATH, WORD: "yes" } };
  const end = await run(sh('cat; pwd; echo "$WORD$HOME"'), options);
  assert.equal(String(end.stdout), "/\nyes\n");
});

test("a big output is read to its last byte before the end is told", async () => {
  const end = await run(sh("head -c 3000000 /dev/zero"), { timeoutMs, signal });
  assert.equal(end.stdout.length, 3_000_000);
});

test("onOutput gets the bytes as they come", async () => {
  const heard: string[] = [];
  await run(sh("echo a; echo b >&2"), {
    timeoutMs,
    signal,
    onOutput: (bytes, from) => heard.push(`${from} ${bytes}`),
  });
  assert.deepEqual(heard.sort(), ["stderr b\n", "stdout a\n"]);
});

test("a fault in onOutput ends the program and rejects", async () => {
  const onOutput = () => {
    throw new Error("mine");
  };
  const script = "echo a; exec sleep 86400";
  await assert.rejects(run(sh(script), { timeoutMs, signal, onOutput }), { message: "mine" });
});

test("P1: at the timeout a grandchild that holds the pipe is not waited for, and nobody is left", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & wait`;
  const end = await run(sh(script), { timeoutMs: 2000, signal });
  assert.deepEqual([end.timedOut, end.status, end.signal], [true, null, "SIGKILL"]);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("M6: at the timeout children that left the group die too, also without the mark", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; echo begun
    setsid ${holder(pipe.tag)} & setsid env -i PATH="$PATH" ${holder(pipe.tag)} & wait`;
  const end = await run(sh(script), { timeoutMs: 2000, signal });
  assert.equal(end.timedOut, true);
  assert.equal(String(end.stdout), "begun\n");
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("M6: a program that ends while a process outside its group holds the pipe is finished", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; setsid ${holder(pipe.tag)} &
    read -r go <'${pipe.gate}'; echo done`;
  const going = run(sh(script), { timeoutMs, signal });
  await pipe.up(1);
  await pipe.open();
  const end = await going;
  assert.deepEqual([end.status, String(end.stdout), end.timedOut], [0, "done\n", false]);
  // It may stay, but not for longer than the daemon.
  assert.ok(countWith(pipe.tag) >= 1);
  killAll();
  await pipe.ended;
});

test("a process that ignores SIGTERM and closes its outputs ends at the timeout", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}' >&- 2>&-; trap '' TERM HUP INT; ${holder(pipe.tag)}`;
  const end = await run(sh(script), { timeoutMs: 2000, signal });
  assert.equal(end.timedOut, true);
  await pipe.ended;
});

test("an abort ends the whole group and rejects with the signal's reason", async () => {
  using pipe = heirs();
  const stop = new AbortController();
  const script = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & setsid ${holder(pipe.tag)} & wait`;
  const going = run(sh(script), { timeoutMs, signal: stop.signal });
  await pipe.up(2);
  const reason = new Error("stopped by the person");
  stop.abort(reason);
  await assert.rejects(going, reason);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("an abort that came before the start starts nothing", async () => {
  const stopped = AbortSignal.abort(new Error("too late"));
  await assert.rejects(run(["no-such-thing"], { timeoutMs, signal: stopped }), {
    message: "too late",
  });
});

test("a flood is read up to the bound and the program is ended", async () => {
  const end = await run(["yes"], { timeoutMs, signal, maxBytes: 100_000 });
  assert.deepEqual([end.cut, end.stdout.length, end.timedOut], [true, 100_000, false]);
});

test("a program that cannot be started rejects as a readable error", async () => {
  await assert.rejects(run(["no-such-thing"], { timeoutMs, signal }), { code: "cannot_run" });
});

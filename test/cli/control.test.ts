// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// start, stop, restart and status with a real daemon.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { startPerson } from "../support/person.ts";

test("start, status, restart and stop do what they say and say what they did", async () => {
  await using me = await startPerson();
  const started = await me.run(["start"]);
  assert.deepEqual(started, { status: 0, output: "desktop-assistant has started\n", errors: "" });
  const first = me.pid();
  const again = await me.run(["start"]);
  assert.deepEqual(again, { status: 0, output: "desktop-assistant runs already\n", errors: "" });
  assert.equal(me.pid(), first);

  const status = await me.run(["status"]);
  assert.equal(status.status, 0);
  const lines = status.output.split("\n");
  assert.equal(lines[0], "desktop-assistant is running");
  assert.match(lines[1] ?? "", new RegExp(`^process  ${first}, up .* s, .* MB of memory, version`));
  assert.equal(lines[2], `socket   ${me.home.socket}`);
  assert.match(status.output, /^model {4}/m);
  assert.match(status.output, /^tools {4}the model calls them itself: it /m);
  assert.match(status.output, /^ {2}.* start: version/m);

  const restarted = await me.run(["restart"]);
  assert.equal(restarted.output, "desktop-assistant has stopped\ndesktop-assistant has started\n");
  assert.notEqual(me.pid(), first);
  const stopped = await me.run(["stop"]);
  assert.deepEqual(stopped, { status: 0, output: "desktop-assistant has stopped\n", errors: "" });
  assert.equal((await me.run(["status"])).status, 1);
});

test("the daemon has a session of its own, and a log that only its owner reads", async () => {
  await using me = await startPerson();
  await me.run(["start"]);
  const stat = readFileSync(`/proc/${me.pid()}/stat`, "utf8");
  const [, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  assert.deepEqual([Number(group), Number(session)], [me.pid(), me.pid()]);
  assert.equal(statSync(me.log).mode & 0o777, 0o600);
});

test("started many times at once there is one daemon and every command succeeds", async () => {
  await using me = await startPerson();
  const all = await Promise.all(Array.from({ length: 4 }, () => me.run(["start"])));
  assert.deepEqual(
    all.map(({ status }) => status),
    [0, 0, 0, 0],
  );
  const words = all.map(({ output }) => output).filter((word) => word.includes("has started"));
  assert.equal(words.length, 1);
});

test("restart with a fault in config.toml tells it and leaves the daemon running", async () => {
  await using me = await startPerson();
  await me.run(["start"]);
  const running = me.pid();
  me.home.config("thimk = true\n");
  const ran = await me.run(["restart"]);
  assert.deepEqual([ran.status, ran.output], [1, ""]);
  assert.match(ran.errors, /config\.toml:1: .*thimk/);
  assert.equal((await me.run(["status"])).status, 0);
  assert.equal(me.pid(), running);
});

test("a fault in config.toml is told by start, and by a command that starts the daemon", async () => {
  await using me = await startPerson({ config: "thimk = true\n" });
  for (const args of [["start"], ["ask", "x"]]) {
    const ran = await me.run(args);
    assert.equal(ran.status, 1);
    assert.match(ran.errors, /thimk/);
    assert.match(ran.errors, /config\.toml/);
  }
});

test("a halted daemon hangs neither status nor stop", async () => {
  await using me = await startPerson();
  await me.run(["start"]);
  process.kill(me.pid(), "SIGSTOP");
  const status = await me.run(["status"]);
  assert.equal(status.status, 1);
  assert.match(status.output, /^desktop-assistant does not answer/);
  assert.match(status.output, /halted/);
  assert.equal((await me.run(["stop"])).status, 0);
  assert.match((await me.run(["status"])).output, /is not running/);
});

test("a pid file that names another process ends nobody", async () => {
  await using me = await startPerson();
  for (const text of [String(process.pid), "1", "0", "-1", "x", "99999999999999999999", ""]) {
    writeFileSync(me.pidFile, text);
    const ran = await me.run(["stop"]);
    assert.deepEqual([ran.status, ran.output], [0, "desktop-assistant is not running\n"], text);
  }
});

test("after a kill -9 the next start works", async () => {
  await using me = await startPerson();
  await me.run(["start"]);
  process.kill(me.pid(), "SIGKILL");
  const ran = await me.run(["restart"]);
  assert.equal(ran.status, 0);
  assert.equal((await me.run(["status"])).status, 0);
});

test("the daemon in the foreground logs on standard error and ends with 0 on SIGTERM", async () => {
  await using me = await startPerson();
  const daemon = me.begin(["daemon"]);
  await daemon.complained("listening on");
  assert.equal((await me.run(["status"])).status, 0);
  daemon.child.kill("SIGTERM");
  assert.equal((await daemon.ended).status, 0);
});

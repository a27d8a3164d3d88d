// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The lock that decides which of two daemons serves.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { takeLock } from "../../src/history/lock.ts";
import { temporaryFolder } from "../support/history.ts";

/** A process that waits for a line, takes the lock, says whether it has it, and keeps it. */
function holder(path: string) {
  const lock = new URL("../../src/history/lock.ts", import.meta.url).href;
  const program = `import { takeLock } from ${JSON.stringify(lock)};
    console.log("ready");
    process.stdin.once("data", () => {
      console.log(takeLock(process.argv[1]) ? "taken" : "refused");
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => (await lines.next()).value };
}

test("a lock is held by one, until it is released", (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "lock");
  const first = takeLock(path);
  assert.ok(first);
  assert.equal(takeLock(path), null);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  first.release();
  first.release();
  const second = takeLock(path);
  assert.ok(second);
  assert.deepEqual(readdirSync(folder), ["lock"]);
  second.release();
  assert.deepEqual(readdirSync(folder), ["lock"]);
  assert.equal(statSync(path).size, 0);
});

test("of processes that start together exactly one gets the lock, and its death frees it", async (t) => {
  const path = join(temporaryFolder(t), "lock");
  const holders = [1, 2, 3, 4].map(() => holder(path));
  t.after(() => {
    for (const { child } of holders) child.kill("SIGKILL");
  });
  await Promise.all(holders.map(({ line }) => line()));
  for (const { child } of holders) child.stdin.write("go\n");
  const answers = await Promise.all(holders.map(({ line }) => line()));
  assert.deepEqual(answers.toSorted(), ["refused", "refused", "refused", "taken"]);
  assert.equal(takeLock(path), null);
  const winner = holders[answers.indexOf("taken")]?.child;
  assert.ok(winner);
  const gone = once(winner, "exit");
  winner.kill("SIGKILL");
  await gone;
  const mine = takeLock(path);
  assert.ok(mine);
  mine.release();
});

test("a lock file that cannot be used is an error with words", (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "is-a-folder"));
  writeFileSync(join(folder, "text"), "no database, and long enough to be looked at ".repeat(30));
  for (const name of ["is-a-folder", "text", "missing/lock"]) {
    assert.throws(() => takeLock(join(folder, name)), { name: "ReadableError", code: "lock" });
  }
});

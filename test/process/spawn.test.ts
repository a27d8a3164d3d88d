// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Groups of processes that end whole, and never outlive who started them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { killAll, spawnGroup } from "../../src/process/spawn.ts";
import { countWith, heirs, holder } from "./heirs.ts";

/** In the group, in a session of its own, and in one without the mark in its environment. */
const family = (path: string, tag: string) => `exec 3>'${path}'
  ${holder(tag)} &
  setsid ${holder(tag)} &
  setsid env -i PATH="$PATH" ${holder(tag)} &
  wait`;

/**
 * Its parent has ended, and it is in a session of its own without any of its environment. What started
 * it lives on: its end would take along what has not left the group yet.
 */
const orphan = (path: string, tag: string) => `exec 3>'${path}'
  (setsid env -i PATH="$PATH" ${holder(tag)} &)
  exec 3>&-
  exec sleep 86400`;

function startParent(scripts: string[], options: { detached?: boolean } = {}) {
  const file = new URL("./parent.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [file, JSON.stringify(scripts)], {
    stdio: ["pipe", "ignore", "inherit"],
    ...options,
  });
  return { child, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

async function afterDeathOfParent(signal: NodeJS.Signals, ownGroup: boolean): Promise<void> {
  using first = heirs();
  using second = heirs();
  using parent = startParent(
    [
      orphan(first.path, first.tag),
      family(first.path, first.tag),
      // The program itself is without the mark; only its group is known.
      `exec 3>'${second.path}'; exec env -i PATH="$PATH" ${holder(second.tag)}`,
      "exit 0",
    ],
    { detached: ownGroup },
  );
  await Promise.all([first.up(4), second.up(1)]);
  assert.ok(countWith(first.tag) >= 4 && countWith(second.tag) >= 1);
  assert.ok(parent.child.pid);
  process.kill(ownGroup ? -parent.child.pid : parent.child.pid, signal);
  await Promise.all([first.ended, second.ended]);
  assert.equal(countWith(first.tag) + countWith(second.tag), 0);
}

test("nothing that was started lives on after kill -9 of the daemon", () =>
  afterDeathOfParent("SIGKILL", false));

test("nothing lives on when the daemon's whole process group gets SIGKILL", () =>
  afterDeathOfParent("SIGKILL", true));

test("nothing lives on when the daemon ends by a signal it does not handle", () =>
  afterDeathOfParent("SIGTERM", false));

test("of the session in which the daemon was started only its own children end with it", async () => {
  using heir = heirs();
  using other = heirs();
  const mark = randomBytes(9).toString("base64url");
  const file = new URL("./session-parent.ts", import.meta.url).pathname;
  const scripts = [heir, other].map(({ path, tag }) => `exec 3>'${path}'; exec ${holder(tag)}`);
  const parent = spawn(process.execPath, [file, mark, ...scripts], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  await Promise.all([heir.up(1), other.up(1)]);
  parent.kill("SIGKILL");
  await heir.ended;
  // The watchdog's work is done when it is gone.
  while (countWith(`${mark}:`) > 0)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  assert.ok(countWith(other.tag) > 0);
  assert.ok(parent.pid);
  process.kill(-parent.pid, "SIGKILL");
  await other.ended;
});

test("kill ends the group and what left it, whole", async () => {
  using pipe = heirs();
  const group = await spawnGroup(["sh", "-c", family(pipe.path, pipe.tag)]);
  await pipe.up(3);
  const exit = once(group.child, "exit");
  group.kill();
  assert.deepEqual(await exit, [null, "SIGKILL"]);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
  group.kill();
});

test("a gentle signal reaches every process of the group and nothing outside it", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; trap 'exit 7' TERM; ${holder(pipe.tag)} & echo up >&3; wait`;
  const group = await spawnGroup(["sh", "-c", script]);
  await pipe.up(2);
  const exit = once(group.child, "exit");
  group.kill("SIGTERM");
  assert.deepEqual(await exit, [7, null]);
  await pipe.ended;
});

test("what a program leaves in its group ends with it", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; trap '' HUP TERM; ${holder(pipe.tag)} & read -r go`;
  const group = await spawnGroup(["sh", "-c", script], { stdin: "pipe" });
  await pipe.up(1);
  const exit = once(group.child, "exit");
  group.child.stdin?.end("go\n");
  assert.deepEqual(await exit, [0, null]);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("killAll ends every group, and what a finished program had put outside of its group", async () => {
  using living = heirs();
  using left = heirs();
  const group = await spawnGroup(["sh", "-c", family(living.path, living.tag)]);
  const gone = await spawnGroup([
    "sh",
    "-c",
    `exec 3>'${left.path}'; setsid ${holder(left.tag)} & read -r go <'${left.gate}'`,
  ]);
  await Promise.all([living.up(3), left.up(1)]);
  await Promise.all([left.open(), once(gone.child, "exit")]);
  assert.ok(countWith(left.tag) >= 1);
  const exit = once(group.child, "exit");
  killAll();
  await Promise.all([exit, living.ended, left.ended]);
  assert.equal(countWith(living.tag) + countWith(left.tag), 0);
});

test("a new watchdog takes over when somebody ended the first, and knows of older groups", async () => {
  using older = heirs();
  using newer = heirs();
  using parent = startParent([
    `exec 3>'${older.path}'; exec env -i PATH="$PATH" ${holder(older.tag)}`,
    "kill the watchdog",
    `exec 3>'${newer.path}'; setsid ${holder(newer.tag)} & wait`,
  ]);
  await Promise.all([older.up(1), newer.up(1)]);
  parent.child.kill("SIGKILL");
  await Promise.all([older.ended, newer.ended]);
  assert.equal(countWith(older.tag) + countWith(newer.tag), 0);
});

test("a program that cannot be started is a readable error with the reason", async () => {
  const fault = (message: string, hint: RegExp) => ({ code: "cannot_run", message, hint });
  for (const [argv, cwd, message, hint] of [
    [["no-such-thing"], undefined, "cannot run no-such-thing: no such program", /Install/],
    [["/etc/passwd"], undefined, "cannot run /etc/passwd: permission denied", /^$/],
    [["true"], "/no/folder", "cannot run true: the folder /no/folder does not exist", /^$/],
    [["true", "a\0b"], undefined, "cannot run true: an argument holds a NUL character", /^$/],
    [[], undefined, "cannot run an empty command", /^$/],
  ] as const) {
    const wanted = fault(message, hint);
    await assert.rejects(spawnGroup(argv, cwd === undefined ? {} : { cwd }), wanted);
  }
});

test("a script whose interpreter is missing is told as that, since the script is there", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "da-spawn-"));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "windows"), "#!/bin/sh\r\necho hi\r\n", { mode: 0o700 });
  for (const name of ["./windows", join(folder, "windows")])
    await assert.rejects(spawnGroup([name], { cwd: folder }), {
      message: `cannot run ${name}: the interpreter that its first line names does not exist`,
      hint: /Windows/,
    });
});

test("a daemon that a tool started keeps the mark of the one above it", async () => {
  const env = { PATH: process.env.PATH, DESKTOP_ASSISTANT_CHILD: "above:1;" };
  const { child } = await spawnGroup(["sh", "-c", 'echo "$DESKTOP_ASSISTANT_CHILD"'], { env });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  await once(child, "close");
  assert.match(text, /^above:1; [\w-]+:[0-9]+;\n$/);
});

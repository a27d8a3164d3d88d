// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The launcher that finds Node, in a clone whose dependencies are not there yet.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { root } from "../support/daemon.ts";

/** A clone without dependencies, and a folder with the few programs that the launcher calls. */
function emptyClone(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "launcher-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const bin = join(folder, "bin");
  const programs = join(folder, "programs");
  for (const made of [bin, programs]) mkdirSync(made);
  copyFileSync(join(root, "bin/node"), join(bin, "node"));
  for (const name of ["dirname", "readlink", "uname"]) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
    symlinkSync(found.stdout.trim(), join(programs, name));
  }
  const run = (...path: string[]) =>
    spawnSync("/bin/sh", [join(bin, "node"), "-p", "6 * 7"], {
      env: { PATH: path.join(":") },
      encoding: "utf8",
      timeout: 20_000,
    });
  return { bin, programs, run };
}

test("a clone without Node says what to type", (t) => {
  const { programs, run } = emptyClone(t);
  const { status, stderr } = run(programs);
  assert.equal(status, 1);
  assert.match(stderr, /Node 26 is missing.*\nType: cd .* && npm ci\n$/);
});

test("a launcher whose own folder is on PATH does not call itself, and says what stands in the way", (t) => {
  const { bin, programs, run } = emptyClone(t);
  const { status, stderr } = run(bin, programs);
  assert.equal(status, 1);
  assert.ok(stderr.includes(`First take ${bin} off PATH`), stderr);
});

test("a Node behind the launcher's own folder on PATH is found", (t) => {
  const { bin, programs, run } = emptyClone(t);
  symlinkSync(process.execPath, join(programs, "node"));
  const { status, stdout } = run(bin, programs);
  assert.deepEqual([status, stdout], [0, "42\n"]);
});

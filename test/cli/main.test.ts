// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The command line itself: help, version, what is typed wrong.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import { run } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "da-main-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const env = { ...process.env, XDG_RUNTIME_DIR: folder };

test("help and version are told and are no faults", async () => {
  const version = await run(["--version"], { env });
  assert.deepEqual(version, { status: 0, output: `${manifest.version}\n`, errors: "" });
  for (const args of [["--help"], ["help", "ask"], ["ask", "--help"], ["model", "--help"]]) {
    const { status, output } = await run(args, { env });
    assert.equal(status, 0);
    assert.match(output, /^Usage: desktop-assistant/);
  }
});

test("an unknown command is answered with the nearest one and the status 2", async () => {
  const ran = await run(["serch", "x"], { env });
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /unknown command 'serch'\n\(Did you mean search\?\)/);
});

test("an unknown command of a group is named as such, with the help of the group", async () => {
  for (const group of ["tools", "model"]) {
    const ran = await run([group, "rm", "x"], { env });
    assert.deepEqual(ran, {
      status: 2,
      output: "",
      errors: `error: unknown command 'rm'\nType: desktop-assistant ${group} --help\n`,
    });
  }
});

test("missing and wrong arguments have the status 2", async () => {
  for (const args of [
    ["open"],
    ["list", "--limit", "x"],
    ["list", "extra"],
    ["ask", "--nope"],
    [],
  ]) {
    assert.equal((await run(args, { env })).status, 2, args.join(" "));
  }
});

test("status of a daemon that does not run is 1 and says what to type", async () => {
  const ran = await run(["status"], { env });
  assert.equal(ran.status, 1);
  assert.match(ran.output, /^desktop-assistant is not running\n/);
  assert.match(ran.output, /desktop-assistant start\n$/);
});

test("stopping what does not run is no fault", async () => {
  const ran = await run(["stop"], { env });
  assert.deepEqual(ran, { status: 0, output: "desktop-assistant is not running\n", errors: "" });
});

test("assistant.sh knows its four words only", async () => {
  const argv = [fileURLToPath(new URL("../../assistant.sh", import.meta.url))];
  assert.equal((await run(["status"], { env, argv })).status, 1);
  for (const args of [[], ["ask"]]) {
    const ran = await run(args, { env, argv });
    assert.equal(ran.status, 2);
    assert.match(ran.errors, /start\|stop\|restart\|status/);
  }
});

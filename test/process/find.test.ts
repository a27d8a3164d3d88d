// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Who is related to whom, and that a number which is nobody's makes no relatives.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { related, startedAt } from "../../src/process/find.ts";
import { heirs, holder } from "./heirs.ts";

test("an orphan is no relative of 0, 1 and -1, which the system says of those that are just ending", async () => {
  using pipe = heirs();
  const since = startedAt("self");
  const script = `exec 3>'${pipe.path}'; (setsid ${holder(pipe.tag)} >/dev/null 2>&1 & echo $!)`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script]);
  const orphan = Number(stdout);
  try {
    await pipe.up(1);
    const options = { mark: "nobody's mark", since };
    assert.ok(related(new Set([orphan]), options).includes(orphan));
    assert.deepEqual(related(new Set([0, 1, -1]), options), []);
  } finally {
    process.kill(-orphan, "SIGKILL");
  }
  await pipe.ended;
});

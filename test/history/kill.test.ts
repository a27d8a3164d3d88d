// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Killed without warning in the middle of writing: what was said to be stored is stored, whole.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { assertSound, open, query, temporaryFolder } from "../support/history.ts";

const href = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

// Says a number after each commit; every fifth turn replaces one, every seventh deletes.
const writer = `
  import { writeSync } from "node:fs";
  import { openHistory } from ${href("../../src/history/open.ts")};
  import { turn } from ${href("../support/history.ts")};
  const [, path, run] = process.argv;
  const history = openHistory(path, { onNotice: (notice) => { throw new Error(notice.code); } });
  let last = null;
  for (let n = 0; ; n += 1) {
    const key = run + "-" + n;
    const id = n % 3 === 0 ? null : last.id;
    history.begin({ key, text: "question", at: n, id });
    const given = turn("question " + key, ("answer to " + key + " ").repeat(40), { key });
    const replace = n % 5 === 4 && id !== null ? { replace: last.key } : {};
    last = { ...history.finish(id, given, replace), key };
    writeSync(1, key + " " + (replace.replace ?? "") + "\\n");
  }`;

test("kill -9 loses no finished turn and leaves no half turn", async (t) => {
  const path = join(temporaryFolder(t), "history.db");
  const promised = new Set<string>();
  for (let run = 0; run < 10; run += 1) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", writer, path, `${run}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const gone = once(child, "exit");
    let count = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      promised.add(line.split(" ")[0] ?? "");
      count += 1;
      if (count === 3 + run * 4) child.kill("SIGKILL");
    }
    await gone;
    const { history, notices } = open(t, path);
    assert.deepEqual(notices, []);
    const turns = history.list().flatMap(({ id }) => history.load(id)?.turns ?? []);
    for (const turn of turns) {
      assert.equal(turn.reply, `answer to ${turn.key} `.repeat(40));
      assert.equal(turn.messages.length, 2);
    }
    const old = query(path, "SELECT key FROM superseded").map((row) => `${row.key}`);
    const stored = new Set([...turns.map((turn) => turn.key), ...old]);
    assert.deepEqual(
      [...promised].filter((key) => !stored.has(key)),
      [],
    );
    const waiting = query(path, "SELECT key FROM unfinished").map((row) => `${row.key}`);
    assert.deepEqual(
      waiting.filter((key) => stored.has(key)),
      [],
    );
    history.close();
    assertSound(path);
  }
  assert.ok(promised.size >= 200);
});

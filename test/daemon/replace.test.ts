// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Replacing turns again, in a row and out of the queue.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import { gates } from "../support/gates.ts";
import { start } from "../support/started.ts";

/** A conversation "one", "two" and its keys; every other question waits for `release`. */
async function two() {
  const { script, release } = gates();
  const { daemon, end } = await start({ script });
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["queue"] });
  const keys: unknown[] = [];
  for (const text of ["one", "two"]) {
    release(text);
    client.send({ type: "ask", text });
    keys.push((await client.turn())[0]?.key);
  }
  const stored = async () => {
    const shown = await client.ask({ type: "show", id: 1 });
    return (shown.turns as Line[]).map((turn) => turn.user);
  };
  return { client, daemon, end, keys, release, stored };
}

test("a replacement that still runs can be replaced itself, by the key of any turn that stands without it", async (t) => {
  const { client, end, keys, release, stored } = await two();
  t.after(end);
  await client.ask({ type: "ask", text: "first try", replace: keys[0] });
  await client.next("token");
  assert.equal((await client.ask({ type: "ask", text: "again", replace: keys[0] })).type, "ok");
  await client.next("token");
  release("last");
  assert.equal((await client.ask({ type: "ask", text: "last", replace: keys[1] })).type, "ok");
  await client.next((line) => line.type === "done" && line.stopped !== true);
  assert.deepEqual(await stored(), ["one", "last"]);
});

test("a queued replacement whose turn went away meanwhile fails as that turn, and the queue goes on", async (t) => {
  const { client, end, keys, release, stored } = await two();
  t.after(end);
  await client.ask({ type: "ask", text: "held" });
  await client.ask({ type: "ask", text: "new one", replace: keys[0], when: "queue" });
  const late = await client.ask({ type: "ask", text: "new two", replace: keys[1], when: "queue" });
  await client.ask({ type: "ask", text: "end", when: "queue" });
  for (const text of ["held", "new one", "end"]) release(text);
  await client.next((line) => line.type === "user" && line.text === "new two");
  assert.equal((await client.next(() => true)).state, "thinking");
  const failed = await client.next(() => true);
  assert.deepEqual([failed.type, failed.code, failed.key], ["error", "no_turn", late.key]);
  assert.equal((await client.next(() => true)).state, "idle");
  await client.next("done");
  assert.deepEqual(await stored(), ["new one", "end"]);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a conversation has read stays with it: over turns, when it is opened again, and after a restart.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon, type TestClient } from "../support/daemon.ts";
import { idle, wiping } from "../support/wiping.ts";
import { answering } from "../support/yes-and-no.ts";

/** Why was asked in a turn; each question gets a no. */
async function asked(client: TestClient, text: string): Promise<unknown[]> {
  const lines = await answering(client, text, false);
  return lines.flatMap(({ type, why }) => (type === "confirm" ? [why] : []));
}
const free = 'use free {"what":"x"}';
const why = ["it may change something, and text that others wrote has been read"];

test("words that the person typed leave after text of others without a question", async (t) => {
  const { client: connect, ran } = await wiping(t);
  const client = await connect("confirm");
  assert.deepEqual(await asked(client, 'use tell {"what":"anything"}'), []);
  assert.deepEqual(await asked(client, "use mail for the weather in Rome"), []);
  assert.deepEqual(await asked(client, 'use tell {"what":"weather Rome"}'), []);
  assert.equal(ran(), "anything|--||weather Rome|--||");
});

test("a conversation that is opened again knows what it has read, after a restart too", async (t) => {
  const { client: connect, daemon, home } = await wiping(t);
  const client = await connect("confirm");
  await asked(client, "use mail");
  await client.ask({ type: "new" });
  assert.deepEqual(await asked(client, free), []);
  await client.ask({ type: "open", id: 1 });
  assert.deepEqual(await asked(client, free), why);
  await daemon.stop();
  await using again = await startDaemon(home);
  const later = await again.connect();
  await later.ask({ type: "features", names: ["confirm"] });
  assert.deepEqual(await asked(later, free), []);
  await later.ask({ type: "open", id: 1 });
  assert.deepEqual(await asked(later, free), why);
});

test("what a tool has read counts when the tool is gone", async (t) => {
  const { client: connect, home } = await wiping(t);
  const client = await connect("confirm");
  await asked(client, "use mail");
  rmSync(join(home.tools, "mail.toml"));
  assert.deepEqual(await asked(client, free), why);
});

test("what a replaced turn has read counts no longer", async (t) => {
  const { client: connect } = await wiping(t);
  const client = await connect("confirm");
  await asked(client, "use mail");
  const key = client.lines.find(({ type }) => type === "done")?.key;
  client.send({ type: "ask", text: free, replace: key });
  await client.next(idle);
  assert.ok(!client.lines.some(({ type }) => type === "confirm"));
  assert.deepEqual(await asked(client, free), []);
});

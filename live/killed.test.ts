// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Ends engine and daemon by force at bad moments, with the smallest real model, and looks at what is left.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { TestClient } from "../test/support/daemon.ts";
import { assertSound, query } from "../test/support/history.ts";
import { enginesOf, openDaemon, openHome, question } from "./home.ts";

const small = {
  model: "smollm2-135m",
  // The window bounds what it says: by itself it may never end.
  config:
    'temperature = 0\nsystem = "You are a helpful assistant. Be brief."\n[engine]\ncontext = 256\n',
};

/** In a conversation of its own, so that the small window holds it. */
async function briefly(client: TestClient) {
  await client.ask({ type: "new" });
  return await question(client, "What is the capital of France?");
}

/** An answer, at the second try at the latest; how many questions were lost on the way to it. */
async function answered(client: TestClient): Promise<number> {
  const first = await briefly(client);
  if (first.end.type === "done") return 0;
  assert.notEqual(first.end.code, "internal", JSON.stringify(first.end));
  const second = await briefly(client);
  assert.equal(second.end.type, "done", JSON.stringify(second.end));
  return 1;
}

/** How often: 20 in CI, more by hand. */
const kills = Number(process.env.DESKTOP_ASSISTANT_KILLS ?? 20);

test(`the engine killed right after an answer, ${kills} times: daemon and history live`, async (t) => {
  using home = await openHome(small);
  await using daemon = await openDaemon(home);
  const pids = new Set<number>();
  let lost = 0;
  for (let round = 0; round < kills; round++) {
    lost += await answered(daemon.client);
    const { pid } = daemon.engine();
    pids.add(pid);
    process.kill(pid, "SIGKILL");
  }
  lost += await answered(daemon.client);
  t.diagnostic(`${kills + 1} answers; ${lost} questions met the dead engine, and were told so`);
  assert.equal(pids.size, kills);
  assert.equal(daemon.child.exitCode, null);
  assert.equal(await daemon.stop(), 0);
  assert.ok(!daemon.log.some((line) => line.includes("bug:")), daemon.log.join("\n"));
  const history = join(home.data, "history.db");
  assertSound(history);
  assert.equal(query(history, "SELECT count(*) AS n FROM turns")[0]?.n, kills + 1);
  assert.deepEqual(enginesOf(home.data), []);
});

test("the engine killed in the middle of an answer gives one error, and the next question is answered", async () => {
  using home = await openHome(small);
  await using daemon = await openDaemon(home);
  const { client } = daemon;
  client.send({ type: "ask", text: "Tell me a very long story." });
  await client.next("token");
  process.kill(daemon.engine().pid, "SIGKILL");
  const error = await client.next((line) => line.type === "error" || line.type === "done");
  assert.equal(error.type, "error");
  assert.notEqual(error.code, "internal");
  await client.next((line) => line.type === "state" && line.state === "idle");
  const next = await briefly(client);
  assert.equal(next.end.type, "done", JSON.stringify(next.end));
  assert.equal(await daemon.stop(), 0);
});

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  test(`${signal} to the daemon in the middle of an answer leaves no engine behind`, async () => {
    using home = await openHome(small);
    await using daemon = await openDaemon(home);
    daemon.client.send({ type: "ask", text: "Tell me a very long story." });
    await daemon.client.next("token");
    const { ended } = await daemon.engine().watch();
    daemon.child.kill(signal);
    await ended;
    const [status] = await daemon.exited;
    assert.equal(status, signal === "SIGTERM" ? 0 : null);
    assert.deepEqual(enginesOf(home.data), []);
    await daemon.stop();
    // The question was asked and not answered: nothing of it is a turn, and the file is sound.
    const history = join(home.data, "history.db");
    assertSound(history);
    assert.equal(query(history, "SELECT count(*) AS n FROM turns")[0]?.n, 0);
  });
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A history that somebody breaks while the daemon runs, and what the log may hold.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { start } from "../support/started.ts";

for (const [what, sql] of [
  ["the table of unfinished questions", "DROP TABLE unfinished"],
  ["the table of turns", "DROP TABLE turns"],
  ["the conversations", "DELETE FROM conversations"],
] as const) {
  test(`when another program takes ${what} away, answers still come and the daemon lives`, async (t) => {
    const { daemon, home, end } = await start();
    t.after(end);
    const client = await daemon.connect();
    await client.ask({ type: "features", names: ["notice"] });
    client.send({ type: "ask", text: "q" });
    await client.turn();
    const db = new DatabaseSync(join(home.data, "history.db"));
    db.exec(sql);
    db.close();
    const from = client.lines.length;
    for (const text of ["one", "two"]) {
      client.send({ type: "ask", text });
      assert.equal((await client.turn()).at(-2)?.type, "done");
    }
    const notices = client.lines.slice(from).filter((line) => line.type === "notice");
    assert.equal(notices.length, 2);
    assert.match(String(notices[0]?.message), /^the answer was not saved in the history/);
  });
}

test("the log has no name that only the model made up, and nothing of a private conversation", async (t) => {
  const { daemon, end } = await start({
    tools: { "yes.toml": 'description = "Says yes."\ncommand = ["printf", "yes"]\n' },
    script: (reply, request) =>
      request.json.messages.at(-1)?.role === "user"
        ? reply
            .call("my\nsecret", {}, { index: 0 })
            .call("yes", {}, { index: 1 })
            .finish("tool_calls")
            .done()
        : reply.text("Fine.").finish().done(),
  });
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  await client.turn();
  await daemon.logged("tool yes: ok");
  assert.equal(daemon.log.filter((line) => line.includes("secret")).length, 0);
  await client.ask({ type: "new", private: true });
  const before = daemon.log.length;
  client.send({ type: "ask", text: "q" });
  await client.turn();
  await daemon.stop();
  assert.deepEqual(
    daemon.log.slice(before).filter((line) => line.includes("tool")),
    [],
  );
});

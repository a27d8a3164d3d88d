// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Answers beyond 1 MiB, several asked for in one write.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TestClient } from "../support/daemon.ts";
import { start } from "../support/started.ts";

test("a client may ask for many answers beyond 1 MiB at once, half-close, and gets each of them", async (t) => {
  const part = "x".repeat(32 * 1024);
  const { daemon, home, end } = await start({
    script: (reply) =>
      reply
        .text(...Array.from({ length: 40 }, () => part))
        .finish()
        .done(),
    props: null,
  });
  t.after(end);
  const first = await daemon.connect();
  first.send({ type: "ask", text: "q" });
  await first.next("done");
  const client = new TestClient(home.socket);
  t.after(() => client.end());
  const commands = [
    { type: "features", names: [], req: "1" },
    { type: "open", id: 1, req: "2" },
    { type: "nothing", req: "3" },
    { type: "show", id: 1, req: "4" },
    { type: "open", id: 1, req: "5" },
    { type: "list", req: "6" },
  ];
  client.socket.end(commands.map((command) => `${JSON.stringify(command)}\n`).join(""));
  const answers: unknown[] = [];
  for (const { req } of commands) {
    answers.push((await client.next((line) => line.req === req)).type);
  }
  const wanted = ["hello", "conversation", "error", "shown", "conversation", "conversations"];
  assert.deepEqual(answers, wanted);
});

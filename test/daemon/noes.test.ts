// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Who keeps saying no is not worn out by more questions.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Script } from "../support/model-server.ts";
import { answer, idle, wiping } from "../support/wiping.ts";

test("after three noes in a turn the other calls are refused unasked, and the next turn asks again", async (t) => {
  const script: Script = (reply, request) => {
    if (request.json.messages.at(-1)?.role !== "user") return reply.text("No.").finish().done();
    for (const [index, what] of ["a", "b", "c", "d", "e"].entries())
      reply.call("wipe", { what }, { id: what, index });
    reply.finish("tool_calls").done();
  };
  const { client: connect, ran } = await wiping(t, { script });
  const client = await connect("confirm");
  for (const _turn of [1, 2]) {
    const from = client.lines.length;
    client.send({ type: "ask", text: "wipe all" });
    for (let asked = 0; asked < 3; asked += 1)
      client.send(answer(await client.next("confirm"), false));
    await client.next(idle);
    const lines = client.lines.slice(from);
    assert.equal(lines.filter(({ type }) => type === "confirm").length, 3);
    const refused = lines.filter(({ type, done }) => type === "tool" && done === true);
    assert.equal(refused.length, 5);
    assert.match(String(refused[4]?.text), /the person has said no to 3 calls already/);
  }
  assert.equal(ran(), "");
});

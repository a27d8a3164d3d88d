// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the state says while a server is loading, and what of a reply is shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import { start } from "../support/started.ts";

const loading = { error: { code: 503, message: "Loading model", type: "unavailable_error" } };

test("loading ends with the first sign of the answer, and version 1 sees none of it (B1)", async (t) => {
  const { daemon, end } = await start({
    script: (reply, _, count) =>
      count === 1 ? reply.status(503, loading) : reply.text("a", "b").finish().done(),
  });
  t.after(end);
  const old = await daemon.connect();
  const client = await daemon.connect();
  await client.ask({ type: "features", names: [] });
  client.send({ type: "ask", text: "q" });
  const seen = (lines: Line[]) =>
    lines.flatMap((line) =>
      line.type === "state" || line.type === "token"
        ? [String(line.delta ?? line.state) + (line.loading === true ? " loading" : "")]
        : [],
    );
  const expected = ["thinking", "thinking loading", "thinking", "a", "b", "idle"];
  assert.deepEqual(seen(await client.turn()), expected);
  assert.deepEqual(seen(await old.turn()), ["thinking", "a", "b", "idle"]);
});

test("white space before a call is not shown", async (t) => {
  const { daemon, end } = await start({
    tools: { "yes.toml": 'description = "Says yes."\ncommand = ["printf", "yes"]\n' },
    script: (reply, _, count) =>
      count === 1
        ? reply.text("\n", "\n").call("yes", {}).finish("tool_calls").done()
        : reply.text("Yes.").finish().done(),
  });
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  const lines = await client.turn();
  assert.deepEqual(
    lines.flatMap((line) => (line.type === "token" ? [line.delta] : [])),
    ["Yes."],
  );
});

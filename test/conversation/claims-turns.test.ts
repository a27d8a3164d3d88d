// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// An answer that claims what no call did is marked for every client at its end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "../support/started.ts";

const tools = {
  "look.toml": 'description = "Looks."\ncommand = ["true"]\n',
  "send.toml": 'description = "Sends."\neffect = "send"\ncommand = ["true"]\n',
};

test("an answer's end says whether it claims what no call of its turn stands for", async (t) => {
  const { model, daemon, end } = await start({ tools });
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "features", names: ["tool"] });
  await client.next("hello");
  /** The answer's end, after calls of these tools. */
  const unbacked = async (answer: string, calls: string[] = []) => {
    const left = [...calls];
    model.setScript((reply) => {
      const next = left.shift();
      if (next === undefined) reply.text(answer).finish().done();
      else reply.call(next, {}).finish("tool_calls").done();
    });
    client.send({ type: "ask", text: "Please" });
    const lines = await client.turn();
    return lines.find((line) => line.type === "done")?.unbacked === true;
  };
  assert.equal(await unbacked("Hello."), false);
  assert.equal(await unbacked("I've added it to your calendar."), true);
  assert.equal(await unbacked("I've added it to your calendar.", ["look"]), true);
  assert.equal(await unbacked("I checked your calendar."), true);
  assert.equal(await unbacked("I checked your calendar.", ["look"]), false);
  assert.equal(await unbacked("I checked your calendar.", ["gone"]), true);
  assert.equal(await unbacked("I've sent the message.", ["look"]), true);
  assert.equal(await unbacked("I've sent the message.", ["send"]), false);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Calls and results that are more than a small context takes: cut, left out, never a lost question.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { Script } from "../support/model-server.ts";
import { start, withoutBuiltIn } from "../support/started.ts";

const echo =
  'description = "Echoes."\ncommand = ["printf", "%s", "={text}"]\n[params.text]\nrequired = true\n';
const quotes = `description = "Quotes."
command = ["sh", "-c", "yes '\\"\\"\\"' | head -n 497"]
`;
const contextTokens = 2048;

async function begin(script: Script) {
  const started = await start({
    script,
    config: withoutBuiltIn,
    tools: { "echo.toml": echo, "quotes.toml": quotes },
    props: { default_generation_settings: { n_ctx: contextTokens }, total_slots: 1 },
  });
  const client = await started.daemon.connect();
  await client.ask({ type: "features", names: [] });
  const ask = async (text: string): Promise<Line[]> => {
    client.send({ type: "ask", text });
    return client.turn();
  };
  return { ...started, ask };
}
const ends = (lines: Line[]) => lines.filter((line) => line.type === "tool" && line.done);
/** Three bytes a token are counted until a server says otherwise; a quarter is left for the answer. */
const fits = (body: string) => Buffer.byteLength(body) < contextTokens * 0.75 * 3 + 400;

test("a result full of quotes and line ends is cut to what they take in the request", async (t) => {
  const { model, ask, end } = await begin((reply, request) => {
    if (request.json.messages.at(-1)?.role === "user")
      reply.call("quotes", {}).finish("tool_calls").done();
    else reply.text("Fine.").finish().done();
  });
  t.after(end);
  const lines = await ask("q");
  assert.match(String(ends(lines)[0]?.text), /\n\[cut: .*room for the rest\]$/);
  assert.equal(lines.at(-2)?.type, "done");
  assert.ok(fits(model.chats[1]?.body ?? ""));
});

test("of a hundred calls in one reply those run that find room, and the model is told of the rest", async (t) => {
  const { model, ask, end } = await begin((reply, request) => {
    if (request.json.messages.at(-1)?.role !== "user") {
      reply.text("Fine.").finish().done();
      return;
    }
    for (let index = 0; index < 100; index += 1) {
      reply.call("echo", { text: `${index} ${"x".repeat(50)}` }, { id: "same", index });
    }
    reply.finish("tool_calls").done();
  });
  t.after(end);
  const lines = await ask("q");
  assert.equal(lines.at(-2)?.type, "done");
  const ran = ends(lines);
  assert.ok(ran.length > 2 && ran.length < 100, String(ran.length));
  assert.equal(new Set(ran.map((line) => line.call)).size, ran.length);
  const left = new RegExp(`\\[${100 - ran.length} more of your calls found no room`);
  assert.match(String(ran.at(-1)?.text), left);
  const sent = model.chats[1]?.json.messages ?? [];
  assert.equal(sent.filter((message) => message.role === "tool").length, ran.length);
  assert.ok(fits(model.chats[1]?.body ?? ""));
});

test("a call that finds no room at all is not run: the model must answer with what it has", async (t) => {
  const { model, ask, end } = await begin((reply, request) => {
    if (request.json.tools) {
      const text = `${request.json.messages.length} ${"x".repeat(3000)}`;
      reply.call("echo", { text }).finish("tool_calls").done();
    } else reply.text("With what I have.").finish().done();
  });
  t.after(end);
  const lines = await ask("q");
  assert.equal(lines.find((line) => line.type === "token")?.delta, "With what I have.");
  assert.equal(ends(lines).length, 1);
  assert.equal(model.chats.length, 3);
  assert.ok(model.chats.every((chat) => fits(chat.body)));
});

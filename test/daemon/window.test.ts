// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A long talk in a small context: the oldest questions leave behind an answer, and are found again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Line, startDaemon, type TestClient } from "../support/daemon.ts";
import type { ChatRequest, Script } from "../support/model-server.ts";
import { start } from "../support/started.ts";
import { tokensOf } from "../support/strict-model.ts";

const contextTokens = 4096;
const props = { default_generation_settings: { n_ctx: contextTokens }, total_slots: 1 };
const config = 'tools_mode = "native"\nwarm = false\ntitles = false\n';

/** Looks a word up when it is asked what was said of it. */
const remembering: Script = (reply, request) => {
  const { messages } = request.json;
  const query = /what did I say of (\w+)\?/.exec(messages.at(-1)?.content ?? "")?.[1];
  if (query !== undefined) reply.call("history_search", { query }).finish("tool_calls");
  else if (messages.at(-1)?.role === "tool")
    reply.text(`I found: ${messages.at(-1)?.content}`).finish();
  else reply.text("word ".repeat(250)).finish();
  reply.usage(tokensOf(request), 250).done();
};

const asking =
  (client: TestClient) =>
  async (text: string): Promise<Line[]> => {
    client.send({ type: "ask", text });
    return client.turn();
  };

async function begin() {
  const started = await start({ script: remembering, props, config });
  const client = await started.daemon.connect();
  await client.ask({ type: "features", names: ["notice"] });
  const cuts = () => client.lines.filter(({ code }) => code === "window_cut");
  return { ...started, client, cuts, ask: asking(client) };
}

const turnsIn = ({ json }: ChatRequest) =>
  json.messages.filter(({ role }) => role === "user").length - 1;

test("when turns have filled three quarters the oldest leave in one cut, behind the answer", async (t) => {
  const { model, ask, client, cuts, end } = await begin();
  t.after(end);
  await ask("my sister keeps axolotls");
  for (let n = 1; n < 12; n += 1) await ask(`question ${n}`);
  // Whoever asks after a talk knows that everything of it has been told.
  await client.ask({ type: "features", names: ["notice"] });
  const turns = model.chats.map(turnsIn);
  const drops = turns.flatMap((count, at) => (at > 0 && count <= (turns[at - 1] ?? 0) ? [at] : []));
  assert.equal(drops.length, cuts().length);
  assert.ok(drops.length >= 1 && drops.length <= 3, JSON.stringify(turns));
  assert.ok(model.chats.every((chat) => tokensOf(chat) < contextTokens - 1024));
  const { lines } = client;
  for (const cut of cuts()) {
    const at = lines.indexOf(cut);
    // After the end of a turn, and before the next one begins.
    const around = [lines[at - 1], lines[at + 1]].map((line) => line?.type);
    assert.equal(around[0], "state");
    assert.ok(["user", "hello"].includes(String(around[1])), String(around[1]));
    assert.match(String(cut.hint), /stay in the history.*history_search/);
  }
});

test("the model finds words again that have left the window", async (t) => {
  const { model, ask, cuts, end } = await begin();
  t.after(end);
  await ask("my sister keeps axolotls");
  for (let n = 1; cuts().length === 0; n += 1) await ask(`question ${n}`);
  const lines = await ask("what did I say of axolotls?");
  const [asked, found] = model.chats.slice(-2) as [ChatRequest, ChatRequest];
  assert.doesNotMatch(JSON.stringify(asked.json.messages), /my sister keeps axolotls/);
  assert.equal(asked.json.messages.at(-1)?.role, "user");
  assert.match(String(found.json.messages.at(-1)?.content), /my sister keeps \*\*axolotls\*\*/);
  const reply = lines.flatMap((line) => (line.type === "token" ? [line.delta] : [])).join("");
  assert.match(reply, /^I found: .*my sister keeps/);
});

test("of a stored conversation that has no room the newest turns are sent, and the notice comes first", async (t) => {
  const { model, home, daemon, ask, cuts, end } = await begin();
  t.after(end);
  for (let n = 0; cuts().length === 0; n += 1) await ask(`question ${n}`);
  await ask("and one more");
  await daemon.stop();
  await using again = await startDaemon(home);
  const client = await again.connect();
  await client.ask({ type: "features", names: ["notice"] });
  await client.ask({ type: "open", id: 1 });
  const lines = await asking(client)("question again");
  const cut = lines.findIndex(({ code }) => code === "window_cut");
  assert.ok(cut > 0 && cut < lines.findIndex(({ type }) => type === "token"));
  const last = model.chats.at(-1) as ChatRequest;
  assert.match(String(lines[cut]?.message), /oldest \d questions/);
  assert.equal(last.json.messages.at(-3)?.content, "and one more");
  assert.ok(tokensOf(last) < 0.75 * (contextTokens - 1024));
});

test("in a private conversation nothing is said of a history", async (t) => {
  const { client, ask, cuts, end } = await begin();
  t.after(end);
  await client.ask({ type: "new", private: true });
  for (let n = 0; cuts().length === 0; n += 1) await ask(`question ${n}`);
  assert.doesNotMatch(String(cuts()[0]?.hint), /history/);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The second look at an unsure choice, at the socket: asked beside the talk, which goes on without it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatRequest, ReplyWriter, Script } from "../support/model-server.ts";
import {
  events,
  isPick,
  messageBytes,
  none,
  pick,
  planning,
  reply,
  result,
} from "../support/planning-model.ts";

const props = { default_generation_settings: { n_ctx: 8192 }, total_slots: 1 };
const size = pick("size", { of: "Oslo" });
const age = pick("age", { of: "Oslo" });

/** The text with the chances of the names where the tool's name stands. */
function unsure(text: string, chances: Record<string, number>): Script {
  const [, before = "", name = "", after = ""] = /^(\{"tool":")(\w+)(.*)$/s.exec(text) ?? [];
  const logprobs = (token: string, top: Record<string, number>) => ({
    content: [
      {
        token,
        logprob: Math.log(top[token] ?? 1),
        top_logprobs: Object.entries(top).map(([one, chance]) => ({
          token: one,
          logprob: Math.log(chance),
        })),
      },
    ],
  });
  const send = (writer: ReplyWriter, token: string, top: Record<string, number>) =>
    writer.data({
      choices: [{ index: 0, delta: { content: token }, logprobs: logprobs(token, top) }],
    });
  return (writer) => {
    send(writer, before, {});
    send(writer, name, chances);
    send(writer, after, {});
    writer.finish().usage(100, 5, 50).done();
  };
}

test("an unsure choice is looked at once more beside the talk, and the talk goes on without that", async (t) => {
  const { ask, model } = await planning(t, {
    props,
    picks: [unsure(size, { size: 0.5, age: 0.4, none: 0.1 }), age],
    answers: ["Old."],
  });
  const lines = await ask("How is Oslo?");
  assert.deepEqual(events(lines), [
    "user",
    "state thinking",
    "tool false",
    "state tool",
    "tool true",
    "state thinking",
    "token",
    "done",
    "state idle",
  ]);
  assert.equal(result(lines)?.text, "the age of Oslo");
  assert.deepEqual(model.chats.map(isPick), [true, true, false]);
  const [first, look, answer] = model.chats as [ChatRequest, ChatRequest, ChatRequest];
  for (const later of [look, answer])
    assert.ok(messageBytes(later).startsWith(`${messageBytes(first)},`));
  assert.equal(answer.json.messages.length, 4);
  assert.equal(answer.json.messages[2]?.content, age);
  await ask("Thanks");
  assert.equal(model.chats.at(-1)?.json.messages[2]?.content, age);
});

test("a second look stands, whatever its own chances are", async (t) => {
  const again = { size: 0.5, age: 0.5 };
  const { ask, model } = await planning(t, {
    props,
    picks: [unsure(size, again), unsure(age, again)],
  });
  assert.equal(result(await ask("How is Oslo?"))?.text, "the age of Oslo");
  assert.equal(model.chats.length, 3);
});

test("a second look that cannot be read is asked for once more, and then taken as none", async (t) => {
  const { ask, model, say } = await planning(t, {
    props,
    picks: [unsure(size, { size: 0.5, age: 0.5 }), "Age.", age],
    answers: ["Old."],
  });
  assert.equal(result(await ask("How is Oslo?"))?.text, "the age of Oslo");
  say([unsure(size, { size: 0.5, age: 0.5 }), "Age.", "Age!"], ["Well."]);
  const lines = await ask("How is Oslo?");
  assert.equal(reply(lines), "Well.");
  assert.equal(result(lines), undefined);
  for (const { json } of model.chats)
    assert.ok(
      json.messages.every(({ role }, at) => at === 0 || (role === "user") === (at % 2 === 1)),
    );
});

test("a choice near to none is none, and one that is sure is not looked at", async (t) => {
  const { ask, model, say } = await planning(t, {
    props,
    picks: [unsure(size, { size: 0.6, none: 0.4 })],
    answers: ["Hello."],
  });
  assert.equal(result(await ask("How are you?")), undefined);
  assert.equal(model.chats[1]?.json.messages.at(-2)?.content, none);
  say([unsure(size, { size: 0.97, age: 0.03 })]);
  assert.equal(result(await ask("How big is Oslo?"))?.text, "the size of Oslo");
  assert.equal(model.chats.length, 4);
});

test("a stop in a second look ends the turn", async (t) => {
  const reached = Promise.withResolvers<void>();
  const hang: Script = () => reached.resolve();
  const { client, ask, say } = await planning(t, {
    props,
    picks: [unsure(size, { size: 0.5, age: 0.5 }), hang],
  });
  client().send({ type: "ask", text: "How is Oslo?" });
  await reached.promise;
  client().send({ type: "stop" });
  assert.equal((await client().next("done")).stopped, true);
  say([]);
  assert.equal(reply(await ask("Hi")), "Fine.");
});

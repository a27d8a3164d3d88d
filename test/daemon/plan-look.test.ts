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
  planTools,
  reply,
  result,
} from "../support/planning-model.ts";

const props = { default_generation_settings: { n_ctx: 8192 }, total_slots: 1 };
const size = pick("size", { of: "Oslo" });
const age = pick("age", { of: "Oslo" });

const tokensOf = ({ json }: ChatRequest) =>
  Math.round(Buffer.byteLength(json.messages.map((one) => JSON.stringify(one)).join("")) / 3);

/** A reply whose usage tells three bytes a token. */
const counted =
  (text: string): Script =>
  (writer, request) =>
    writer.text(text).finish().usage(tokensOf(request), 5).done();

/** The text with the chances of the names where the tool's name stands; three bytes a token. */
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
  return (writer, request) => {
    send(writer, before, {});
    send(writer, name, chances);
    send(writer, after, {});
    writer.finish().usage(tokensOf(request), 5).done();
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

test("a second look names what needs no tool by its kinds, and each of them is none", async (t) => {
  const kinds = ["write", "explain", "chat"];
  const { ask, model, say } = await planning(t, {
    props,
    picks: [unsure(size, { size: 0.5, age: 0.4, none: 0.1 }), pick("explain")],
    answers: ["A city."],
  });
  const lines = await ask("What is Oslo?");
  assert.equal(reply(lines), "A city.");
  assert.equal(result(lines), undefined);
  const [first, look, answer] = model.chats as [ChatRequest, ChatRequest, ChatRequest];
  const asked = String(look.json.messages.at(-1)?.content);
  const named = [...asked.matchAll(/^- (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(named, ["size", "age", ...kinds]);
  const names = ({ json }: ChatRequest) =>
    [...String(json.grammar).matchAll(/[(|] ?"(\w+)\\"/g)].map(([, name]) => name);
  assert.deepEqual(names(look), named);
  const [last] = names(first).slice(-1);
  assert.equal(last, "none");
  assert.equal(answer.json.messages.at(-2)?.content, none);
  say([unsure(size, { size: 0.5, age: 0.4, none: 0.1 }), pick("write")], ["Oslo, oh Oslo."]);
  assert.equal(reply(await ask("A poem about Oslo")), "Oslo, oh Oslo.");
});

test("a tool of the person's own may be called like a kind of no tool", async (t) => {
  const { ask, model } = await planning(t, {
    props,
    tools: { ...planTools, "write.toml": planTools["size.toml"] },
    picks: [
      unsure(pick("write", { of: "Oslo" }), { write: 0.5, age: 0.5 }),
      pick("write", { of: "Oslo" }),
    ],
  });
  assert.equal(result(await ask("Write Oslo"))?.text, "the size of Oslo");
  assert.match(String(model.chats[1]?.json.messages.at(-1)?.content), /^- no_write: /m);
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

test("what is sure is not looked at, none as well as a tool", async (t) => {
  const { ask, model, say } = await planning(t, {
    props,
    picks: [unsure(none, { size: 0.1, none: 0.9 })],
    answers: ["Hello."],
  });
  assert.equal(reply(await ask("How are you?")), "Hello.");
  assert.equal(model.chats[1]?.json.messages.at(-2)?.content, none);
  say([unsure(size, { size: 0.97, age: 0.03 })]);
  assert.equal(result(await ask("How big is Oslo?"))?.text, "the size of Oslo");
  assert.equal(model.chats.length, 4);
});

test("when both looks together tell so it is none, though the second one chose a tool", async (t) => {
  const again = { size: 0.45, chat: 0.3, write: 0.1, explain: 0.05, age: 0.1 };
  const { ask, model } = await planning(t, {
    props,
    picks: [unsure(none, { age: 0.3, size: 0.1, none: 0.6 }), unsure(size, again)],
    answers: ["Hello."],
  });
  const lines = await ask("How are you?");
  assert.equal(reply(lines), "Hello.");
  assert.equal(result(lines), undefined);
  assert.equal(model.chats[2]?.json.messages.at(-2)?.content, none);
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

const small = { default_generation_settings: { n_ctx: 2048 }, total_slots: 1 };
/** Bytes that messages may take there, when an answer keeps its quarter. */
const most = 3 * (2048 - 512);
const looked = [unsure(size, { size: 0.5, age: 0.5 }), counted(age)];
const bytesIn = (messages: readonly unknown[]) =>
  Buffer.byteLength(messages.map((one) => JSON.stringify(one)).join(""));
/** A tool with many words about it that returns so many. */
const wordy = (words: number) =>
  `description = "${"A word or two. ".repeat(16)}"\ncommand = ["sh", "-c", "yes word | head -n ${words}"]\n[params.of]\n`;

test("a second look leaves a tool's result as much room as a sure choice does", async (t) => {
  const { ask, client, model, say } = await planning(t, {
    props: small,
    tools: { "size.toml": wordy(1), "age.toml": wordy(4000) },
    picks: [counted(age)],
    answers: [counted("Old.")],
  });
  const resultLength = async () => {
    await ask("How old is Oslo?");
    return model.chats.at(-1)?.json.messages.at(-1)?.content.length ?? 0;
  };
  const sure = await resultLength();
  assert.ok(sure > 500 && sure < most, `${sure}`);
  client().send({ type: "new" });
  say(looked, [counted("Old.")]);
  const unsureLength = await resultLength();
  assert.equal(model.chats.length, 5);
  assert.ok(Math.abs(unsureLength - sure) < 20, `${unsureLength}, not ${sure}`);
});

test("a second look counts as a part of the talk when oldest turns have to go", async (t) => {
  const { ask, client, model, say } = await planning(t, {
    props: small,
    tools: { "size.toml": wordy(1), "age.toml": wordy(1) },
  });
  for (let n = 0; n < 12; n += 1) {
    say(looked, [counted("Old.")]);
    await ask(`How old is Oslo, the ${"green ".repeat(12 * n)}capital on the fjord? ${n}`);
  }
  assert.equal(model.chats.length, 36);
  const rooms = model.chats.map(({ json: { messages } }) => {
    const [system, ...rest] = messages;
    return most - bytesIn([system]) - bytesIn(rest);
  });
  assert.ok(Math.min(...rooms) >= -50, rooms.join(" "));
  assert.ok(client().lines.some(({ type, code }) => type === "notice" && code === "window_cut"));
});

test("a second look that finds no room is not taken, and the choice stands", async (t) => {
  const { ask, client, model, say } = await planning(t, {
    props: small,
    tools: { "size.toml": wordy(1), "age.toml": wordy(1) },
    answers: [counted("Hello.")],
  });
  await ask("Hi");
  client().send({ type: "new" });
  const beginning = bytesIn(model.chats[0]?.json.messages.slice(0, 1) ?? []);
  say(looked, [counted("Big.")]);
  const lines = await ask("w ".repeat((most - beginning - 700) / 2));
  assert.equal(result(lines)?.name, "size");
  assert.equal(reply(lines), "Big.");
});

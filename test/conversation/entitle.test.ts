// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A conversation gets its title from the model: what is sent, when nothing is, and whose title stands.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { signal } from "../model/made-backend.ts";
import type { ChatRequest, ReplyWriter, Script } from "../support/model-server.ts";
import { isPick, messageBytes, none, pick } from "../support/planning-model.ts";
import { openTalk } from "../support/talk.ts";

const isTitle = ({ json }: ChatRequest) =>
  json.messages.at(-1)?.content.startsWith("Give this conversation a title") ?? false;

/** Calls its tool for "How big", and answers titles with `title`. */
const model =
  (title: string | ((reply: ReplyWriter) => unknown) = "Small talk"): Script =>
  (reply, request) => {
    const { messages } = request.json;
    const last = messages.at(-1);
    const wants = last?.content.includes("How big") && last.role === "user";
    if (isTitle(request)) {
      if (typeof title !== "string") return void title(reply);
      reply.text(title);
    } else if (isPick(request)) reply.text(wants ? pick("size", { of: "Oslo" }) : none);
    else if (request.json.tools && wants) {
      reply.call("size", { of: "Oslo" }).finish("tool_calls").done();
      return;
    } else reply.text("Fine.");
    reply.finish().usage(100, 5).done();
  };
const words = { plan: '{"title":"Small talk"}', native: "Small talk" };
const strategies = ["plan", "native"] as const;

/** What stands in front of the messages of a request, but for what follows them. */
const front = ({ body }: ChatRequest) => body.slice(0, body.indexOf('"messages":['));

for (const strategy of strategies) {
  test(`the request for a title begins as the next question does, byte for byte (${strategy})`, async (t) => {
    const talk = await openTalk(t, { strategy, script: model(words[strategy]) });
    const conversation = talk.fresh();
    for (const text of ["Hi", "How big is Oslo?"])
      await talk.ask(conversation, text, { aloud: text === "Hi" });
    const stored = await conversation.entitle(talk.served, signal);
    assert.equal(stored?.title, "Small talk");
    const asked = talk.model.chats.at(-1) as ChatRequest;
    assert.ok(isTitle(asked));
    const count = talk.model.chats.length;
    await talk.ask(conversation, "Thanks");
    const next = talk.model.chats[count] as ChatRequest;
    assert.equal(front(asked), front(next));
    const texts = ({ json }: ChatRequest) => json.messages.map((one) => JSON.stringify(one));
    assert.deepEqual(texts(asked).slice(0, -1), texts(next).slice(0, -1));
    const own = `,${texts(asked).at(-1)}`;
    assert.ok(messageBytes(asked).endsWith(own));
    assert.ok(messageBytes(next).startsWith(`${messageBytes(asked).slice(0, -own.length)},`));
    assert.equal(asked.json.tool_choice, strategy === "plan" ? undefined : "none");
    assert.equal(asked.json.response_format !== undefined, strategy === "plan");
  });

  test(`a title is stored by the model, once, and shows everywhere (${strategy})`, async (t) => {
    const talk = await openTalk(t, { strategy, script: model(words[strategy]) });
    const conversation = talk.fresh();
    await talk.ask(conversation, "Hi");
    assert.deepEqual([conversation.title, conversation.nameable], ["Hi", true]);
    const stored = await conversation.entitle(talk.served, signal);
    assert.deepEqual(stored, talk.history.list()[0]);
    assert.deepEqual([conversation.title, conversation.nameable], ["Small talk", false]);
    const count = talk.model.chats.length;
    assert.equal(await conversation.entitle(talk.served, signal), null);
    const [turn] = conversation.turns;
    const earlier = conversation.before(turn?.key ?? "");
    assert.deepEqual([earlier?.title, earlier?.nameable], ["Small talk", false]);
    const loaded = talk.fresh(talk.history.load(1) ?? {});
    assert.deepEqual([loaded.title, loaded.nameable], ["Small talk", false]);
    assert.equal(talk.model.chats.length, count);
  });
}

test("nothing is sent for a conversation that is to have no title of the model", async (t) => {
  const script = model();
  const off = await openTalk(t, { strategy: "native", script, config: { titles: false } });
  const quiet = off.fresh();
  await off.ask(quiet, "Hi");
  assert.equal(quiet.nameable, false);
  assert.equal(await quiet.entitle(off.served, signal), null);
  assert.equal(off.model.chats.length, 1);

  const on = await openTalk(t, { strategy: "native", script });
  const hidden = on.fresh({ private: true });
  await on.ask(hidden, "A secret");
  const unasked = on.fresh();
  const unsaved = on.fresh();
  const other = new DatabaseSync(on.path);
  other.exec("BEGIN IMMEDIATE");
  await on.ask(unsaved, "Lost");
  assert.equal(unsaved.saved, false);
  for (const one of [hidden, unasked, unsaved]) {
    assert.equal(one.nameable, false);
    assert.equal(await one.entitle(on.served, signal), null);
  }
  other.exec("ROLLBACK");
  other.close();
  assert.equal(on.model.chats.filter(isTitle).length, 0);
  assert.equal(
    [...on.log, ...on.notices.map(({ message }) => message)].join().includes("secret"),
    false,
  );
});

test("what would have to be read anew for a title alone is left", async (t) => {
  const talk = await openTalk(t, { strategy: "native", script: model() });
  const conversation = talk.fresh();
  await talk.ask(conversation, "Hi");
  const loaded = talk.fresh(talk.history.load(1) ?? {});
  assert.equal(await loaded.entitle(talk.served, signal), null);
  talk.clock.now = new Date(2026, 11, 2, 0, 1);
  assert.equal(await conversation.entitle(talk.served, signal), null);
  assert.equal(talk.model.chats.length, 1);
  assert.equal(conversation.nameable, true);
  await talk.ask(conversation, "Hi again");
  assert.equal((await conversation.entitle(talk.served, signal))?.title, "Small talk");
});

test("a conversation that fills the context is not asked for a title", async (t) => {
  const props = { default_generation_settings: { n_ctx: 2048 }, total_slots: 1 };
  const talk = await openTalk(t, { strategy: "native", script: model(), props });
  const conversation = talk.fresh();
  await talk.ask(conversation, "x".repeat(3000));
  talk.rooms.gauge.learn(1500, 1500);
  assert.equal(await conversation.entitle(talk.served, signal), null);
  assert.equal(talk.model.chats.filter(isTitle).length, 0);
});

test("a title that a person set while the model wrote stands", async (t) => {
  const talk = await openTalk(t, {
    strategy: "native",
    script: model((reply) => {
      talk.history.title(1, "Mine", "person");
      reply.text("The model's").finish().done();
    }),
  });
  const conversation = talk.fresh();
  await talk.ask(conversation, "Hi");
  assert.equal(await conversation.entitle(talk.served, signal), null);
  assert.equal(talk.history.load(1)?.title, "Mine");
  assert.equal(conversation.nameable, false);
  await talk.ask(conversation, "Hi again");
  assert.equal(conversation.title, "Mine");
});

test("a conversation that was deleted while the model wrote does not come back", async (t) => {
  const talk = await openTalk(t, {
    strategy: "native",
    script: model((reply) => {
      talk.history.delete(1);
      reply.text("Gone").finish().done();
    }),
  });
  const conversation = talk.fresh();
  await talk.ask(conversation, "Hi");
  assert.equal(await conversation.entitle(talk.served, signal), null);
  assert.deepEqual(talk.history.list(), []);
});

test("a question breaks a title off, and it is asked for again after the answer", async (t) => {
  const begun = Promise.withResolvers<ReplyWriter>();
  let held = false;
  const talk = await openTalk(t, {
    strategy: "native",
    script: model((reply) => {
      if (held) return reply.text("Small talk").finish().done();
      held = true;
      begun.resolve(reply.text("Sm"));
    }),
  });
  const conversation = talk.fresh();
  await talk.ask(conversation, "Hi");
  const broken = conversation.entitle(talk.served, signal);
  const open = await begun.promise;
  const events = await talk.ask(conversation, "Quick");
  await open.closed;
  assert.equal(await broken, null);
  assert.equal(events.find(({ type }) => type === "done")?.type, "done");
  assert.deepEqual(talk.log, []);
  assert.equal(conversation.title, "Hi");
  assert.equal((await conversation.entitle(talk.served, signal))?.title, "Small talk");
});

test("while the model has something else to do no title is asked for", async (t) => {
  const begun = Promise.withResolvers<ReplyWriter>();
  const talk = await openTalk(t, {
    strategy: "native",
    script: (reply, request, count) => {
      if (request.json.messages.at(-1)?.content.includes("Hold")) begun.resolve(reply);
      else model()(reply, request, count);
    },
  });
  const [conversation, other] = [talk.fresh(), talk.fresh()];
  await talk.ask(conversation, "Hi");
  const running = talk.ask(other, "Hold");
  const open = await begun.promise;
  assert.equal(await conversation.entitle(talk.served, signal), null);
  open.text("Held.").finish().done();
  await running;
  assert.equal(talk.model.chats.filter(isTitle).length, 0);
  assert.equal((await conversation.entitle(talk.served, signal))?.title, "Small talk");
});

test("an aborted title rejects with the signal's reason, and its connection is closed", async (t) => {
  const begun = Promise.withResolvers<ReplyWriter>();
  const talk = await openTalk(t, {
    strategy: "native",
    script: model((reply) => begun.resolve(reply.text("Sm"))),
  });
  const conversation = talk.fresh();
  await talk.ask(conversation, "Hi");
  const stop = new AbortController();
  const broken = conversation.entitle(talk.served, stop.signal);
  const open = await begun.promise;
  const reason = new Error("enough");
  stop.abort(reason);
  await assert.rejects(broken, reason);
  await open.closed;
  assert.equal(conversation.nameable, true);
  assert.deepEqual(talk.log, []);
});

const useless: [what: string, reply: (reply: ReplyWriter) => unknown, logged: RegExp | null][] = [
  ["a fault of the server", (reply) => reply.status(500, { error: "no luck" }), /^title: no luck$/],
  ["a call", (reply) => reply.call("size", { of: "Oslo" }).finish("tool_calls").done(), null],
  ["nothing but signs", (reply) => reply.text("**...**").finish().done(), null],
  ["an empty answer", (reply) => reply.finish().done(), /^title: /],
];
for (const [what, answer, logged] of useless) {
  test(`${what} leaves the first words, and after three of them the model is left alone`, async (t) => {
    const talk = await openTalk(t, { strategy: "native", script: model(answer) });
    const conversation = talk.fresh();
    await talk.ask(conversation, "My secret words");
    for (let times = 0; times < 4; times += 1)
      assert.equal(await conversation.entitle(talk.served, signal), null);
    assert.equal(talk.model.chats.filter(isTitle).length, 3);
    assert.deepEqual([conversation.title, conversation.nameable], ["My secret words", false]);
    assert.equal(talk.log.length, logged ? 3 : 0, talk.log.join("\n"));
    for (const line of talk.log) {
      assert.match(line, logged ?? /^$/);
      assert.doesNotMatch(line, /secret/);
    }
    assert.deepEqual(talk.notices, []);
  });
}

test("a title that cannot be saved is for the log, and tried again", async (t) => {
  const talk = await openTalk(t, { strategy: "native", script: model() });
  const conversation = talk.fresh();
  await talk.ask(conversation, "Hi");
  const other = new DatabaseSync(talk.path);
  other.exec("BEGIN IMMEDIATE");
  assert.equal(await conversation.entitle(talk.served, signal), null);
  other.exec("ROLLBACK");
  other.close();
  assert.deepEqual(talk.log, ["title: this was not saved in the history"]);
  assert.deepEqual(talk.notices, []);
  assert.equal((await conversation.entitle(talk.served, signal))?.title, "Small talk");
});

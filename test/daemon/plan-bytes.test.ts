// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a planning model is sent, byte by byte: every request goes on where the one before ended.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatRequest, Script } from "../support/model-server.ts";
import {
  isPick,
  messageBytes,
  none,
  pick,
  planning,
  planningModel,
} from "../support/planning-model.ts";

const size = pick("size", { of: "Oslo" });
const age = pick("age", { of: "Oslo" });

/** How many messages at the beginning are the very same bytes. */
function alike(one: ChatRequest, other: ChatRequest): number {
  const texts = ({ json }: ChatRequest) => json.messages.map((message) => JSON.stringify(message));
  const [left, right] = [texts(one), texts(other)];
  const differs = left.findIndex((text, at) => text !== right[at]);
  return differs < 0 ? left.length : differs;
}

/** The messages of a request as "role: text", without the first. */
const talk = (chat: ChatRequest | undefined) =>
  (chat?.json.messages ?? []).slice(1).map(({ role, content }) => `${role}: ${content}`);

test("within a turn each request begins with the bytes of the one before", async (t) => {
  const { ask, model } = await planning(t, {
    picks: ["I would take size.", pick("broken"), size],
    answers: ['{"tool":"size"}', "Big."],
  });
  await ask("How big is Oslo, and how old?");
  assert.equal(model.chats.length, 5);
  for (const [at, chat] of model.chats.slice(1).entries()) {
    const before = model.chats[at] as ChatRequest;
    assert.ok(messageBytes(chat).startsWith(`${messageBytes(before)},`), `request ${at + 1}`);
    assert.deepEqual(
      chat.json.messages.map(({ role }) => role),
      chat.json.messages.map((_, index) =>
        index === 0 ? "system" : index % 2 === 1 ? "user" : "assistant",
      ),
    );
  }
});

test("a finished turn without a tool is sent with the very bytes of before, and its answer after them", async (t) => {
  const { ask, model } = await planning(t, {
    picks: [none, '{ "tool": "none" }'],
    answers: ["Hello.", "Well."],
  });
  for (const text of ["Hi", "How are you?", "Bye"]) await ask(text);
  for (const [answered, next, said] of [
    [1, 2, "Hello."],
    [3, 4, "Well."],
  ] as const) {
    const before = messageBytes(model.chats[answered] as ChatRequest);
    const after = messageBytes(model.chats[next] as ChatRequest);
    assert.ok(after.startsWith(`${before},{"role":"assistant","content":"${said}"},`), after);
  }
});

test("a finished turn with a tool differs only from its replaced result on", async (t) => {
  const spaced = '{"tool": "size", "arguments": {"of": "Oslo"} }';
  const { ask, model } = await planning(t, { picks: [spaced, age], answers: ["Big.", "Old."] });
  for (const text of ["How big?", "How old?", "Thanks"]) await ask(text);
  for (const [answered, next, at] of [
    [1, 2, 3],
    [3, 4, 7],
  ] as const) {
    const [one, other] = [model.chats[answered], model.chats[next]] as ChatRequest[];
    if (!one || !other) throw new Error("no such request");
    assert.equal(alike(one, other), at);
    const texts = [one, other].map(({ json }) => json.messages[at]?.content ?? "");
    const shown = texts.map((text) => text.replace(/: .*\n/, ": …\n"));
    assert.equal(shown[0], shown[1]);
    assert.match(texts[1] ?? "", /^Result of \w+: \(shown to the user at the time\)\n/);
  }
  const [third, fifth] = [model.chats[2], model.chats[4]] as [ChatRequest, ChatRequest];
  assert.equal(alike(third, fifth), third.json.messages.length);
});

test("every kind of turn is sent alike after a restart, and a second session begins alike", async (t) => {
  const { ask, model, client, restart, connect, say } = await planning(t, {
    picks: [none, size, pick("broken"), age, pick("size"), pick("broken", { at: "1" }), none],
    answers: ["Hello.", "Big.", "Old.", "Of what?", "No luck."],
  });
  const questions = ["Hi", "How big is Oslo?", "Look", "How big is it?", "Look once more"];
  // What was heard is told otherwise than what was read, and stays so.
  for (const text of [...questions, "Next"]) await ask(text, { aloud: text === "Hi" });
  const before = model.chats.findLast(isPick) as ChatRequest;
  await restart();
  say([]);
  await client().ask({ type: "open", id: 1 });
  await ask("Last");
  const after = model.chats.findLast(isPick) as ChatRequest;
  assert.ok(messageBytes(after).startsWith(`${messageBytes(before)},`));
  const other = await connect();
  await other.ask({ type: "watch", session: "side" });
  other.send({ type: "ask", text: "Hi", session: "side" });
  await other.turn();
  assert.deepEqual(model.chats.at(-1)?.json.messages.slice(0, 2), before.json.messages.slice(0, 2));
  assert.equal(
    model.chats.at(-2)?.body.split('{"role":"user"')[0],
    before.body.split('{"role":"user"')[0],
  );
});

/** Calls by the server's own means where tools are offered: two at once, then an answer. */
const nativeTwo: Script = (writer, { json }) => {
  if (json.messages.at(-1)?.role === "tool") writer.text("Big and old.").finish().done();
  else
    writer
      .text("Let me see.")
      .call("size", { of: "Oslo" }, { index: 0 })
      .call("age", { of: "Oslo" }, { index: 1 })
      .finish("tool_calls")
      .done();
};

test("a talk of native calls goes on as a plan, each call a pick of its own, and back again", async (t) => {
  const { ask, model, client, restart, say } = await planning(t, {
    mode: "native",
    script: nativeTwo,
  });
  await ask("How big and how old is Oslo?");
  await restart("plan");
  say([size], ["Big."]);
  await client().ask({ type: "open", id: 1 });
  await ask("And again how big?");
  const planned = talk(model.chats[2]);
  const shown = "(shown to the user at the time)";
  assert.equal(planned[0], "user: How big and how old is Oslo?");
  assert.equal(planned[1], `assistant: ${size}`);
  assert.ok(planned[2]?.startsWith(`user: Result of size: ${shown}\n`));
  assert.equal(planned[3], `assistant: ${age}`);
  assert.ok(planned[4]?.startsWith(`user: Result of age: ${shown}\n`));
  assert.deepEqual(planned.slice(5), ["assistant: Big and old.", "user: And again how big?"]);
  assert.ok(!/tool_calls|"role":"tool"/.test(model.chats[2]?.body ?? ""));

  await restart("native");
  model.setScript((writer) => writer.text("Bye.").finish().done());
  await client().ask({ type: "open", id: 1 });
  await ask("Thanks");
  const sent = model.chats.at(-1)?.json.messages.slice(1) ?? [];
  assert.deepEqual(
    sent.map(({ role, tool_calls }) => `${role} ${tool_calls?.length ?? 0}`),
    [
      "user 0",
      "assistant 2",
      "tool 0",
      "tool 0",
      "assistant 0",
      "user 0",
      "assistant 1",
      "tool 0",
      "assistant 0",
      "user 0",
    ],
  );
  assert.ok(!model.chats.at(-1)?.body.includes("Result of"));
});

test("a call that a native model made by name is a pick of the tool that was meant", async (t) => {
  const byName: Script = (writer, { json }) => {
    if (json.messages.at(-1)?.role === "tool") writer.text("Big.").finish().done();
    else
      writer
        .call("call_tool", { name: "size", arguments: { of: "Oslo" } })
        .finish("tool_calls")
        .done();
  };
  const { ask, model, client, restart, say } = await planning(t, {
    mode: "native",
    script: byName,
  });
  await ask("How big is Oslo?");
  await restart("plan");
  say([]);
  await client().ask({ type: "open", id: 1 });
  await ask("Thanks");
  assert.equal(talk(model.chats.at(-1))[1], `assistant: ${size}`);
});

test("another model in the middle of a talk is sent the same talk", async (t) => {
  const models = [{ id: "first", object: "model" }];
  const { ask, model } = await planning(t, {
    picks: [size],
    answers: ["Big."],
    models,
  });
  await ask("How big is Oslo?");
  models[0] = { id: "second", object: "model" };
  model.setScript((writer, request, count) => {
    if (request.json.model === "first")
      return writer.status(404, { error: { message: "no such model" } });
    return planningModel([age], ["Old."])(writer, request, count);
  });
  await ask("How old is it?");
  await ask("How old is it?");
  const asked = model.chats.filter(({ json }) => json.model === "second");
  assert.ok(asked.length > 0);
  assert.equal(talk(asked[0])[1], `assistant: ${size}`);
});

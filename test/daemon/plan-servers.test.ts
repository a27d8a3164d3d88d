// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A plan with model servers that know no schemas, ignore them, or think before they answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { ReplyWriter, Script } from "../support/model-server.ts";
import {
  isPick,
  none,
  pick,
  planning,
  planningModel,
  reply,
  result,
  type Said,
  tokens,
} from "../support/planning-model.ts";

const size = pick("size", { of: "Oslo" });
const refusal = { error: { message: "response_format is not supported", code: 400 } };

test("a server that refuses a schema is asked without one, and from then on at once", async (t) => {
  const replies = [`I pick ${size}.`, "Big.", none, "Hello."];
  const script: Script = (writer, request) => {
    if (isPick(request)) return writer.status(400, refusal);
    writer
      .text(replies.shift() ?? "?")
      .finish()
      .done();
  };
  const { ask, model } = await planning(t, { script });
  const lines = await ask("How big is Oslo?");
  assert.equal(result(lines)?.text, "the size of Oslo");
  assert.equal(reply(lines), "Big.");
  assert.equal(reply(await ask("Hi")), "Hello.");
  assert.deepEqual(model.chats.map(isPick), [true, false, false, false, false]);
});

const failures: [how: string, fail: (writer: ReplyWriter) => void][] = [
  ["with 500", (writer) => writer.status(500, refusal)],
  ["with 502 and a web page", (writer) => writer.status(502, "<html>Bad gateway")],
  ["in its stream", (writer) => writer.data(refusal).done()],
  ["with 501, which it is not asked again", (writer) => writer.status(501, refusal)],
];
for (const [at, [how, fail]] of failures.entries()) {
  test(`a server that fails at a schema ${how} is asked without one`, async (t) => {
    const replies = [size, "Big.", none, "Hello."];
    const script: Script = (writer, request) => {
      if (isPick(request)) return fail(writer);
      const text = replies.shift() ?? "?";
      writer.text(text).finish().done();
    };
    const { ask, model } = await planning(t, { script });
    assert.equal(result(await ask("How big is Oslo?"))?.text, "the size of Oslo");
    assert.equal(reply(await ask("Hi")), "Hello.");
    const again = at < failures.length - 1 ? [true] : [];
    assert.deepEqual(model.chats.map(isPick), [true, false, false, ...again, false, false]);
  });
}

test("a long answer in the place of a choice leaves room for the answer", async (t) => {
  const { ask, model } = await planning(t, {
    props: { default_generation_settings: { n_ctx: 4096 }, total_slots: 1 },
    script: (writer) => writer.text("word ".repeat(4000)).finish().done(),
  });
  assert.equal(reply(await ask("How big is Oslo?")).length, 20_000);
  assert.deepEqual(model.chats.map(isPick), [true, true, false]);
});

test("a server that refuses everything is an error in its own words", async (t) => {
  const { ask } = await planning(t, { script: (writer) => writer.status(400, refusal) });
  const error = (await ask("How big is Oslo?")).find(({ type }) => type === "error");
  assert.equal(error?.code, "server_error");
  assert.match(String(error?.message), /response_format is not supported/);
  assert.match(String(error?.hint), /no usable chat template/);
});

test("a server that ignores the schema and answers at once is heard after a second try", async (t) => {
  const { ask, model } = await planning(t, {
    script: (writer) => writer.text("It is ", "big.").finish().done(),
  });
  const lines = await ask("How big is Oslo?");
  assert.deepEqual(tokens(lines), ["It is ", "big."]);
  assert.deepEqual(model.chats.map(isPick), [true, true, false]);
});

test("thoughts before a pick are no text, and stay out of the next request", async (t) => {
  const thinking: Script = (writer) =>
    writer.think("Oslo, ", "so size.").text(size).finish().usage(9, 9).done();
  const { ask, model } = await planning(t, { picks: [thinking], answers: ["Big."] });
  const lines = await ask("How big is Oslo?");
  assert.equal(reply(lines), "Big.");
  assert.equal(result(lines)?.text, "the size of Oslo");
  assert.ok(!model.chats[1]?.body.includes("so size"));
});

test("thoughts that a server leaves in its text are thoughts, in a pick, in an answer, and without a plan", async (t) => {
  const said: Said = ["<th", "ink>So ", "big.</thi", "nk>\n\n", "It is ", "big."];
  const { ask, model, say } = await planning(t, {
    picks: [`<think>Size, or {"tool":"age"}?</think>${size}`],
    answers: [said],
  });
  const thoughts = (lines: readonly Line[]) =>
    lines.flatMap(({ type, delta }) => (type === "think" ? [String(delta)] : [])).join("");
  const lines = await ask("How big is Oslo?");
  assert.equal(result(lines)?.text, "the size of Oslo");
  assert.deepEqual(tokens(lines), ["It is ", "big."]);
  assert.match(thoughts(lines), /So big\.$/);
  say([none]);
  await ask("Thanks");
  assert.ok(!model.chats.at(-1)?.body.includes("So big"));
  const native = await planning(t, { mode: "native", answers: [said] });
  const plain = await native.ask("How big is Oslo?");
  assert.equal(reply(plain), "It is big.");
  assert.equal(thoughts(plain), "So big.");
});

test("a server that reads the pick as a call of its own is understood", async (t) => {
  const parsing: Script = (writer) =>
    writer.call("size", { of: "Oslo" }).finish("tool_calls").usage(9, 9).done();
  const { ask, model } = await planning(t, { picks: [parsing], answers: ["Big."] });
  const lines = await ask("How big is Oslo?");
  assert.equal(result(lines)?.text, "the size of Oslo");
  assert.equal(model.chats[1]?.json.messages.at(-2)?.content, size);
});

const props = { default_generation_settings: { n_ctx: 8192 }, total_slots: 1 };
for (const think of [true, false]) {
  test(`a llama-server is told not to think in a pick, and think = ${think} holds in the answer`, async (t) => {
    const { ask, model } = await planning(t, {
      props,
      config: `think = ${think}\n`,
      picks: [pick("broken", { at: "1" }), size, pick("size")],
    });
    await ask("How big is Oslo?");
    await ask("How big?");
    const told = model.chats.map((chat) => [isPick(chat), chat.json.chat_template_kwargs]);
    const no = { enable_thinking: false };
    assert.deepEqual(told, [
      [true, no],
      [true, no],
      [false, { enable_thinking: think }],
      [true, no],
      [false, no],
    ]);
  });
}

test("a talk outgrows the context and goes on as a plan, its newest turns kept", async (t) => {
  const long = "word ".repeat(1200);
  const { ask, model } = await planning(t, {
    props: { default_generation_settings: { n_ctx: 4096 }, total_slots: 1 },
    script: (writer, request, count) =>
      isPick(request)
        ? writer.text(none).finish().done()
        : planningModel([], [long])(writer, request, count),
  });
  for (const text of ["one", "two", "three", "four"]) await ask(text);
  const last = model.chats.at(-1)?.json.messages ?? [];
  assert.ok(!last.some(({ content }) => content === "one"));
  assert.deepEqual(
    last.map(({ role }) => role),
    last.map((_, at) => (at === 0 ? "system" : at % 2 === 1 ? "user" : "assistant")),
  );
});

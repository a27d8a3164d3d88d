// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A server says that a request is too long: the oldest questions leave, it is asked once more, or it is told.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { ChatRequest, Script } from "../support/model-server.ts";
import { isPick, pick, planning, reply, result } from "../support/planning-model.ts";
import { strictModel, tokensOf, withCounts, withoutCounts } from "../support/strict-model.ts";

const long = "word ".repeat(60).trim();
const tools = {
  "list.toml":
    'description = "Lists."\ncommand = ["sh", "-c", "yes word | head -n 120"]\n[params.of]\n',
};
const listed = pick("list", { of: "all" });
const never = 1e9;

/** A talk of so many questions that fit, at a server that tells nothing of its context. */
async function talk(t: TestContext, mode: string, { questions = 6 } = {}) {
  const talking = await planning(t, { mode, tools });
  const { model, ask, client } = talking;
  model.setScript(strictModel(never, { answers: Array.from({ length: questions }, () => long) }));
  for (let n = 0; n < questions; n += 1) await ask(`question ${n}?`);
  const notices = () =>
    client().lines.filter(({ type, code }) => type === "notice" && code === "window_cut");
  const before = model.chats.length;
  return {
    ...talking,
    notices,
    /** Requests since the talk. */
    sent: () => model.chats.slice(before),
    /** Tokens of what was sent last. */
    full: model.chats.map(tokensOf).at(-1) ?? 0,
  };
}

const errorOf = (lines: readonly Line[]) => lines.find(({ type }) => type === "error");
const questionsIn = ({ json }: ChatRequest) =>
  json.messages.filter(({ role, content }) => role === "user" && /question \d/.test(content))
    .length;
/** In a request of a plan tools are called by text. */
const callsTool =
  (mode: string): Script =>
  (writer, request) =>
    mode === "plan"
      ? writer.text(listed).finish().usage(tokensOf(request), 5).done()
      : writer.call("list", { of: "all" }).finish("tool_calls").usage(tokensOf(request), 5).done();

for (const mode of ["native", "plan"]) {
  test(`a refusal with counts: oldest questions go in one cut, and the same is asked once more (${mode})`, async (t) => {
    const { model, ask, sent, full, notices } = await talk(t, mode);
    const limit = full - 100;
    model.setScript(strictModel(limit, { answers: [long, long] }));
    const lines = await ask("and now?");
    assert.equal(reply(lines), long);
    const [refused, again] = sent() as [ChatRequest, ChatRequest];
    assert.ok(tokensOf(refused) > limit && tokensOf(again) <= limit);
    assert.equal(again.json.messages.at(-1)?.content, refused.json.messages.at(-1)?.content);
    assert.deepEqual(again.json.messages[0], refused.json.messages[0]);
    const left = questionsIn(again);
    assert.ok(left > 0 && left <= 3, `${left}`);
    assert.equal(notices().length, 1);
    assert.match(String(notices()[0]?.message), new RegExp(`oldest ${6 - left} questions`));
    // The number is believed from now on: it is what clients are told, and nothing is refused again.
    assert.equal(lines.find(({ type }) => type === "ctx")?.max, limit);
    const count = sent().length;
    for (let n = 0; n < 4; n += 1) assert.ok(!errorOf(await ask(`question ${n}`)));
    assert.ok(
      sent()
        .slice(count)
        .every((request) => tokensOf(request) <= limit),
    );
  });

  test(`a refusal without counts lets half of what was said go (${mode})`, async (t) => {
    const { model, ask, sent, full, notices } = await talk(t, mode);
    model.setScript(strictModel(full - 100, { refuse: withoutCounts, answers: ["Yes."] }));
    assert.equal(reply(await ask("and now?")), "Yes.");
    const [refused, again] = sent() as [ChatRequest, ChatRequest];
    assert.deepEqual([questionsIn(refused), questionsIn(again)], [6, 3]);
    assert.equal(notices().length, 1);
  });

  test(`what is refused twice is one error with both numbers, and the next question works (${mode})`, async (t) => {
    const { model, ask, client, sent, notices } = await talk(t, mode);
    const limit = 20;
    model.setScript(strictModel(limit));
    const lines = await ask("and now?");
    const [, again] = sent() as [ChatRequest, ChatRequest];
    assert.equal(sent().length, 2);
    const error = errorOf(lines);
    assert.equal(error?.code, "context_too_small");
    assert.match(String(error?.message), new RegExp(`${tokensOf(again)} .*reads ${limit}$`));
    assert.match(String(error?.hint), /larger context/);
    assert.deepEqual(
      lines.slice(-2).map(({ type }) => type),
      ["error", "state"],
    );
    assert.equal(notices().length, 1);
    model.setScript(strictModel(never, { answers: ["Yes."] }));
    assert.equal(reply(await ask("and now?")), "Yes.");
    const shown = (await client().ask({ type: "show", id: 1 })).turns as unknown[];
    assert.equal(shown.length, 7);
  });

  test(`in the middle of a turn the older questions go, and the turn stands whole (${mode})`, async (t) => {
    const { model, ask, sent, full, notices } = await talk(t, mode);
    const calling = callsTool(mode);
    const strict = strictModel(full + 200, { picks: [calling], answers: ["A list."] });
    const native: Script = (writer, request, count) =>
      sent().length === 1 ? calling(writer, request, count) : strict(writer, request, count);
    model.setScript(mode === "plan" ? strict : native);
    const lines = await ask("the list?");
    assert.equal(reply(lines), "A list.");
    const words = String(result(lines)?.text);
    assert.ok(words.length > 500);
    const [first, refused, again] = sent() as [ChatRequest, ChatRequest, ChatRequest];
    assert.equal(sent().length, 3);
    assert.deepEqual([questionsIn(first), questionsIn(refused)], [6, 6]);
    assert.ok(questionsIn(again) <= 3);
    const turn = refused.json.messages.slice(first.json.messages.length - 1);
    assert.ok(turn.some(({ content }) => content.includes(words)));
    assert.deepEqual(again.json.messages.slice(-turn.length), turn);
    assert.equal(notices().length, 1);
  });

  test(`with no question left to go it is told at once what is too long (${mode})`, async (t) => {
    const { model, ask, sent, notices } = await talk(t, mode, { questions: 0 });
    model.setScript(strictModel(100));
    const short = errorOf(await ask("Hi"));
    assert.match(
      String(short?.message),
      /system message and tools are too long: .*\d{3} .*reads 100$/,
    );
    assert.match(String(short?.hint), /fewer tools/);
    assert.equal(sent().length, 1);
    model.setScript(strictModel(1000));
    const lengthy = errorOf(await ask("word ".repeat(2000)));
    assert.match(String(lengthy?.message), /^the question is too long: .*\d{4} .*reads 1000$/);
    assert.equal(sent().length, 2);
    model.setScript(strictModel(1000, { refuse: withoutCounts }));
    const silent = errorOf(await ask("word ".repeat(2000)));
    assert.match(
      String(silent?.message),
      /^the question is too long: .* about \d{4} .*reads 1000$/,
    );
    assert.match(String(silent?.hint), /The model server says: .*413/);
    assert.deepEqual(notices(), []);
  });

  test(`an answer that has begun is not written anew: the next question has room for one (${mode})`, async (t) => {
    const { model, ask, sent, notices } = await talk(t, mode);
    const begun: Script = (writer) => {
      writer
        .text("The answer")
        .data({ error: { code: 500, message: "Context size has been exceeded." } });
      writer.response.end();
    };
    const strict = strictModel(never, { answers: [begun, "Yes."] });
    model.setScript(strict);
    const lines = await ask("and now?");
    assert.equal(reply(lines), "The answer");
    assert.equal(errorOf(lines)?.code, "context_too_small");
    assert.match(String(errorOf(lines)?.hint), /^Ask again/);
    const refused = sent().filter((request) => !isPick(request));
    assert.equal(refused.length, 1);
    assert.equal(notices().length, 1);
    assert.equal(reply(await ask("and now?")), "Yes.");
    assert.ok(questionsIn(sent().at(-1) as ChatRequest) <= 3);
  });
}

test("a server whose context is smaller than it tells is believed when it refuses", async (t) => {
  const props = { default_generation_settings: { n_ctx: 8192 }, total_slots: 1 };
  const { model, ask, client } = await planning(t, { mode: "native", tools, props });
  const limit = 900;
  model.setScript(strictModel(limit, { refuse: withCounts, answers: Array(12).fill(long) }));
  for (let n = 0; n < 12; n += 1) assert.ok(!errorOf(await ask(`question ${n}`)));
  const refused = model.chats.filter((request) => tokensOf(request) > limit);
  assert.equal(refused.length, 1);
  const told = client().lines.filter(({ code }) => code === "window_cut");
  assert.ok(told.length > 1);
});

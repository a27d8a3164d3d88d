// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A planning model's turns at the socket: with a tool, without one, stopped at any event, and stored.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { Script } from "../support/model-server.ts";
import {
  events,
  isPick,
  none,
  pick,
  planning,
  planningModel,
  reply,
  result,
  tokens,
} from "../support/planning-model.ts";

const size = pick("size", { of: "Oslo" });

test("a turn with a tool is told as one of native calls is, and the pick is never shown", async (t) => {
  const { ask, model } = await planning(t, { picks: [[...size]], answers: [["It ", "is big."]] });
  const lines = await ask("How big is Oslo?");
  assert.deepEqual(events(lines), [
    "user",
    "state thinking",
    "tool false",
    "state tool",
    "tool true",
    "state thinking",
    "token",
    "token",
    "done",
    "state idle",
  ]);
  assert.deepEqual(tokens(lines), ["It ", "is big."]);
  assert.deepEqual(
    [result(lines)?.name, result(lines)?.ok, result(lines)?.text],
    ["size", true, "the size of Oslo"],
  );
  const shown = lines.find(({ type, done }) => type === "tool" && done === false);
  assert.deepEqual(shown?.arguments, { of: "Oslo" });
  const stats = lines.find(({ type }) => type === "done")?.stats as Record<string, unknown>;
  assert.deepEqual([stats.prompt_tokens, stats.cached_tokens, stats.output_tokens], [200, 100, 10]);
  assert.equal((stats.tools as Line[])[0]?.name, "size");
  assert.ok(Number(stats.first_token_ms) <= Number(stats.total_ms));
  const [first, second] = model.chats;
  assert.ok(first && isPick(first) && second && !isPick(second));
  assert.equal(model.chats.length, 2);
  assert.match(second.json.messages.at(-1)?.content ?? "", /^Result of size: the size of Oslo\n/);
  for (const { json } of model.chats) assert.equal(json.tools, undefined);
});

test("a turn without a tool has no event but its answer, and costs one short pick", async (t) => {
  const { ask, model } = await planning(t, { answers: [["Hello", " you."]] });
  const lines = await ask("Hi");
  assert.deepEqual(events(lines), [
    "user",
    "state thinking",
    "token",
    "token",
    "done",
    "state idle",
  ]);
  assert.deepEqual(
    model.chats.map(({ json }) => json.max_tokens),
    [700, 4000],
  );
  assert.equal(model.chats[0]?.json.messages.at(-1)?.content, "Hi");
});

test("an answer has a bound, a short one from a result; where it is cut off, that is told", async (t) => {
  const long: Script = (reply) => reply.text("On and on").finish("length").usage(90, 600).done();
  const { ask, model } = await planning(t, { picks: [pick("clock")], answers: [long] });
  const lines = await ask("What time is it?");
  assert.equal(reply(lines), "On and on");
  const notice = lines.find(({ type }) => type === "notice");
  assert.deepEqual(
    [notice?.code, notice?.message],
    ["answer_cut", "the answer was cut off after 600 tokens: it was too long for the model"],
  );
  const quiet = await planning(t, { picks: [pick("clock")], config: "think = false\n" });
  await quiet.ask("What time is it?");
  const bounds = [...model.chats, ...quiet.model.chats].map(({ json }) => json.max_tokens);
  assert.deepEqual(bounds, [700, 3100, 700, 600]);
});

/** A turn's lines without what differs from run to run. */
const plainLines = (lines: readonly Line[]) =>
  lines
    .filter(({ type }) => type !== "ctx")
    .map(({ key: _, call: __, latency_ms: ___, stats: ____, ...rest }) => rest);

test("a client of either protocol is told the same by a plan as by native calls", async (t) => {
  const native: Script = (writer, { json }) => {
    const last = json.messages.at(-1);
    if (last?.role === "user" && last.content.endsWith("Oslo?"))
      writer.call("size", { of: "Oslo" }).finish("tool_calls").usage(100, 5, 50).done();
    else writer.text("Fine.").finish().usage(100, 5, 50).done();
  };
  const told = [];
  for (const mode of ["plan", "native"]) {
    const script = mode === "plan" ? planningModel([size]) : native;
    const { ask, connect } = await planning(t, { mode, script });
    const old = await connect();
    const lines = [];
    for (const text of ["How big is Oslo?", "Thanks"]) {
      const seen = old.turn();
      lines.push(plainLines(await ask(text)), plainLines(await seen));
    }
    told.push(lines);
  }
  assert.deepEqual(told[0], told[1]);
  assert.ok((told[0]?.[1]?.length ?? 0) > 5);
});

test("what is stored has the canonical form, with no word of the plan", async (t) => {
  const { ask, home, client } = await planning(t, {
    picks: [size, none],
    answers: ["Big.", "You are welcome."],
  });
  await ask("How big is Oslo?");
  await ask("Thanks");
  const db = new DatabaseSync(join(home.data, "history.db"), { readOnly: true });
  const rows = db.prepare("SELECT messages FROM turns ORDER BY rowid").all();
  db.close();
  const [asked, thanked] = rows.map(({ messages }) => JSON.parse(String(messages)));
  const call = asked[1].tool_calls[0];
  assert.deepEqual(asked, [
    { role: "user", content: "How big is Oslo?" },
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", tool_call_id: call.id, content: "(shown to the user at the time)" },
    { role: "assistant", content: "Big." },
  ]);
  assert.deepEqual(
    [call.type, call.function],
    ["function", { name: "size", arguments: '{"of":"Oslo"}' }],
  );
  assert.deepEqual(thanked, [
    { role: "user", content: "Thanks" },
    { role: "assistant", content: "You are welcome." },
  ]);
  const { turns } = await client().ask({ type: "show", id: 1 });
  assert.deepEqual(
    (turns as Line[]).map((turn) => [turn.reply, turn.tools]),
    [
      ["Big.", ["size"]],
      ["You are welcome.", []],
    ],
  );
});

/** Where a turn may be stopped: a reply of the model that says something and no more, or a tool that runs. */
const hanging: Script = (writer) => {
  writer.text("{");
};
const slow = {
  "slow.toml": 'description = "Waits."\ncommand = ["sleep", "1000"]\ntimeout = 60\n',
};
const places: [where: string, picks: readonly (string | Script)[], answers: readonly Script[]][] = [
  ["in its pick", [hanging], []],
  ["in its tool", [pick("slow")], []],
  ["in its answer", [none], [(writer) => void writer.text("word")]],
];
for (const [where, picks, answers] of places) {
  test(`a turn that is stopped ${where} ends at once, and nothing of it comes later`, async (t) => {
    const { client, model, say } = await planning(t, { tools: slow });
    const reached = Promise.withResolvers<void>();
    const script = planningModel(picks, answers);
    model.setScript(async (writer, request, count) => {
      await script(writer, request, count);
      if (where !== "in its tool") reached.resolve();
    });
    client().send({ type: "ask", text: "go" });
    if (where === "in its tool") await client().next(({ state }) => state === "tool");
    else if (where === "in its answer") await client().next("token");
    else await reached.promise;
    say([], ["Well."]);
    client().send({ type: "stop" });
    const end = await client().next("done");
    assert.equal(end.stopped, true);
    const at = client().lines.indexOf(end);
    client().send({ type: "ask", text: "again" });
    const lines = await client().turn();
    const between = client().lines.slice(at + 1, client().lines.indexOf(lines[0] as Line));
    assert.deepEqual(events(between), ["state idle"]);
    assert.equal(reply(lines), "Well.");
    const { turns } = await client().ask({ type: "show", id: 1 });
    assert.deepEqual(
      (turns as Line[]).map(({ user }) => user),
      ["again"],
    );
    const last = model.chats.at(-1)?.json.messages ?? [];
    assert.ok(!last.some(({ content }) => content === "go"));
  });
}

test("a pick that breaks off is no text for the screen", async (t) => {
  const broken: Script = (writer) => {
    writer.text('{"tool":');
    writer.response.end();
  };
  const { ask } = await planning(t, { picks: [broken] });
  const lines = await ask("go");
  assert.deepEqual(events(lines), ["user", "state thinking", "error", "state idle"]);
});

test("a private turn calls its tool, and nothing of it is stored or logged", async (t) => {
  const { ask, client, daemon, say } = await planning(t, { picks: [size], answers: ["Big."] });
  await client().ask({ type: "new", private: true });
  const lines = await ask("How big is Oslo?");
  assert.equal(result(lines)?.text, "the size of Oslo");
  say([pick("age", { of: "Oslo" })], ["Old."]);
  assert.equal(reply(await ask("How old is Oslo?")), "Old.");
  assert.deepEqual((await client().ask({ type: "list" })).items, []);
  assert.ok(!daemon.log.some((line) => /Oslo|tool size/.test(line)));
});

test("a question that is asked anew takes the place of the earlier one, with its call", async (t) => {
  const { ask, model, say, client } = await planning(t, { picks: [size], answers: ["Big."] });
  const key = (await ask("How big is Oslo?"))[0]?.key;
  say([pick("age", { of: "Oslo" })], ["Old."]);
  const lines = await ask("How old is Oslo?", { replace: key });
  assert.equal(reply(lines), "Old.");
  assert.equal(model.chats.at(-2)?.json.messages.length, 2);
  const { turns } = await client().ask({ type: "show", id: 1 });
  assert.deepEqual(
    (turns as Line[]).map((turn) => [turn.user, turn.tools]),
    [["How old is Oslo?", ["age"]]],
  );
});

test("two sessions at once and a queue keep their talks apart", async (t) => {
  const byQuestion: Script = (writer, request) => {
    const { messages } = request.json;
    const question = messages.findLast(({ content }) => content.startsWith("Size of "));
    const of = question?.content.slice(8) ?? "";
    const told = messages.at(-1)?.content ?? "";
    const said = isPick(request)
      ? pick("size", { of })
      : (/the size of \w+/.exec(told)?.[0] ?? "?");
    writer.text(said).finish().done();
  };
  const { client, connect } = await planning(t, { script: byQuestion });
  const other = await connect();
  await other.ask({ type: "watch", session: "side" });
  other.send({ type: "ask", text: "Size of Rome", session: "side" });
  client().send(
    { type: "ask", text: "Size of Oslo" },
    { type: "ask", text: "Size of Bern", when: "queue" },
  );
  assert.equal(reply(await client().turn()), "the size of Oslo");
  assert.equal(reply(await client().turn()), "the size of Bern");
  await other.next("done");
  assert.equal(reply(other.lines.filter(({ session }) => session === "side")), "the size of Rome");
});

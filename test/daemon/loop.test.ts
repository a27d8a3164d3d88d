// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The conversation loop against a scripted server: what is sent, and what comes of odd replies.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { Script } from "../support/model-server.ts";
import { start } from "../support/started.ts";

const calc =
  'description = "Calculates."\ncommand = ["printf", "%s", "={expression}"]\n[params.expression]\nrequired = true\n';

async function begin(
  script: Script,
  options: { config?: string; props?: Record<string, unknown> } = {},
) {
  const started = await start({ script, tools: { "calc.toml": calc }, ...options });
  const client = await started.daemon.connect();
  client.send({ type: "features", names: ["notice"] });
  await client.next("hello");
  const ask = async (text: string): Promise<Line[]> => {
    client.send({ type: "ask", text });
    return client.turn();
  };
  return { ...started, client, ask };
}
const tokens = (lines: Line[]) =>
  lines.flatMap((line) => (line.type === "token" ? [line.delta] : [])).join("");
const find = (lines: Line[], type: string) => lines.find((line) => line.type === type);

test("consecutive requests begin with the same bytes, up to the newest question", async (t) => {
  const { model, ask, end } = await begin((reply, request) => {
    const last = request.json.messages.at(-1);
    if (last?.role === "user" && last.content.endsWith("tool"))
      reply.call("calc", { expression: "1+1" }).finish("tool_calls").usage(500, 9).done();
    else reply.text("Fine.").finish().usage(500, 2).done();
  });
  t.after(end);
  for (const text of ["one", "two tool", "three", "four"]) await ask(text);
  const bodies = model.chats.map((chat) => chat.body);
  assert.equal(bodies.length, 5);
  const stamped = (body: string) => body.lastIndexOf('{"role":"user","content":"[');
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1];
    if (before === undefined) continue;
    // Within a turn everything before stays; between turns, everything before the newest question.
    const upTo = index === 2 ? before.lastIndexOf("]") : stamped(before);
    const shared = before.slice(
      0,
      Math.min(upTo, before.indexOf('"messages":[') > upTo ? before.length : upTo),
    );
    assert.ok(body.startsWith(shared), `request ${index} changed the bytes before ${upTo}`);
  }
  const last = model.chats.at(-1)?.json.messages ?? [];
  assert.equal(
    last.filter((message) => message.content.startsWith("[")).length,
    1,
    "one stamp, on the newest question",
  );
  assert.deepEqual(
    last.slice(1, 8).map((message) => [message.role, message.content]),
    [
      ["user", "one"],
      ["assistant", "Fine."],
      ["user", "two tool"],
      ["assistant", ""],
      ["tool", "(shown to the user at the time)"],
      ["assistant", "Fine."],
      ["user", "three"],
    ],
  );
});

test("a call that came as text runs and is not shown, and the talk goes on in text (L20)", async (t) => {
  const { model, ask, end } = await begin((reply, _, count) => {
    if (count === 1)
      reply
        .text("```json\n", '{"name": "calc",', ' "arguments": {"expression": "2+2"}}', "\n```")
        .finish()
        .done();
    else reply.text("Four.").finish().done();
  });
  t.after(end);
  const lines = await ask("2+2?");
  assert.equal(tokens(lines), "Four.");
  assert.equal(lines.find((line) => line.type === "tool" && line.done)?.text, "=2+2");
  const [wrote, told] = model.chats[1]?.json.messages.slice(-2) ?? [];
  assert.match(wrote?.content ?? "", /^```json\n\{"name": "calc"/);
  assert.match(told?.content ?? "", /^Result of calc: =2\+2\nAnswer my question in plain text/);
});

test("a call inside a longer sentence is shown and not run (L20)", async (t) => {
  const said = 'I would call {"name": "calc", "arguments": {"expression": "2+2"}} now.';
  const { ask, end } = await begin((reply) =>
    reply
      .text(...said.split(/(?<= )/))
      .finish()
      .done(),
  );
  t.after(end);
  const lines = await ask("2+2?");
  assert.equal(tokens(lines), said);
  assert.equal(find(lines, "tool"), undefined);
});

test("the last round keeps the list and says none; one that disobeys is asked once more without it (L26)", async (t) => {
  const { model, ask, end } = await begin((reply) =>
    reply
      .call("calc", { expression: String(Math.random()) })
      .finish("tool_calls")
      .done(),
  );
  t.after(end);
  const lines = await ask("loop");
  assert.equal(tokens(lines), "I could not finish: limit of 3 rounds");
  assert.deepEqual(
    model.chats.map((chat) => [chat.json.tool_choice, Array.isArray(chat.json.tools)]),
    [
      ["auto", true],
      ["auto", true],
      ["auto", true],
      ["none", true],
      [undefined, false],
    ],
  );
  assert.equal(lines.filter((line) => line.type === "tool" && line.done).length, 3);
  assert.ok(find(lines, "done"));
});

test("an empty last answer is asked for once more, then said plainly (L26)", async (t) => {
  const { model, ask, end } = await begin(
    (reply, _, count) =>
      count === 1
        ? reply.call("calc", { expression: "1" }).finish("tool_calls").done()
        : reply.finish().done(),
    { config: "tool_rounds = 1\n" },
  );
  t.after(end);
  assert.equal(tokens(await ask("q")), "I could not finish: limit of 1 rounds");
  assert.equal(model.chats.length, 3);
});

test("a server that refuses tool_choice none is asked once more without the list (L26)", async (t) => {
  const { ask, end } = await begin(
    (reply, request) => {
      if (request.json.tool_choice === "none")
        reply.status(400, { error: { code: 400, message: "tool_choice not supported" } });
      else if (request.json.tools)
        reply.call("calc", { expression: "1" }).finish("tool_calls").done();
      else reply.text("One.").finish().done();
    },
    { config: "tool_rounds = 1\n" },
  );
  t.after(end);
  assert.equal(tokens(await ask("q")), "One.");
});

test("the third identical call gets the stored result and a note (L27)", async (t) => {
  const { ask, end } = await begin((reply, request) => {
    if (request.json.tools && request.json.tool_choice !== "none")
      reply.call("calc", { expression: "7" }).finish("tool_calls").done();
    else reply.text("Seven.").finish().done();
  });
  t.after(end);
  const results = (await ask("q"))
    .filter((line) => line.type === "tool" && line.done)
    .map((line) => line.text);
  assert.deepEqual(results.slice(0, 2), ["=7", "=7"]);
  assert.match(String(results[2]), /^=7\n\[the same call was made before/);
});

test("a call without a name is not run and not stored, and the model is told once (L7)", async (t) => {
  const { model, ask, client, end } = await begin((reply, _, count) => {
    if (count === 1)
      reply
        .delta({ tool_calls: [{ index: 0, id: "", function: { name: "", arguments: "{}" } }] })
        .finish("tool_calls")
        .done();
    else reply.text("Fine.").finish().done();
  });
  t.after(end);
  const lines = await ask("q");
  assert.equal(find(lines, "tool"), undefined);
  assert.equal(tokens(lines), "Fine.");
  assert.match(model.chats[1]?.json.messages.at(-1)?.content ?? "", /had no name/);
  client.send({ type: "ask", text: "next" });
  await client.turn();
  assert.doesNotMatch(model.chats[2]?.body ?? "", /had no name/);
});

test("a call that was cut off does not run; its result says so and the model may retry (L21)", async (t) => {
  const { model, ask, end } = await begin((reply, _, count) => {
    if (count === 1) reply.call("calc", '{"expression":"1+').finish("length").done();
    else if (count === 2) reply.call("calc", { expression: "1+1" }).finish("tool_calls").done();
    else reply.text("Two.").finish().done();
  });
  t.after(end);
  const lines = await ask("q");
  const results = lines
    .filter((line) => line.type === "tool" && line.done)
    .map((line) => [line.ok, line.text]);
  assert.deepEqual(results, [
    [false, "error: the call was cut off before its end and was not run"],
    [true, "=1+1"],
  ]);
  assert.match(model.chats[1]?.body ?? "", /"arguments":"\{\}"/);
});

const failures: [string, Script, RegExp][] = [
  [
    "an error inside the stream (L9)",
    (reply) =>
      reply
        .data({
          error: {
            code: 400,
            message: "request (900 tokens) exceeds the available context size (512 tokens)",
            type: "exceed_context_size_error",
          },
        })
        .done(),
    /900 tokens.*512/,
  ],
  ["[DONE] alone (L11)", (reply) => reply.done(), /empty answer/],
  [
    "a stream that ends without a finish reason (L23)",
    (reply) => reply.text("The answer").response.end(),
    /./,
  ],
  [
    "HTML instead of an answer",
    (reply) => reply.status(200, "<html>hi</html>", { "content-type": "text/html" }),
    /./,
  ],
];
for (const [name, script, message] of failures) {
  test(`${name} is one error, stores nothing, and the next question works`, async (t) => {
    const { model, ask, client, end } = await begin(script);
    t.after(end);
    const lines = await ask("q");
    assert.match(String(find(lines, "error")?.message), message);
    assert.deepEqual(
      lines.slice(-2).map((line) => line.type),
      ["error", "state"],
    );
    assert.equal(model.chats.length, 1);
    assert.deepEqual((await client.ask({ type: "list" })).items, []);
    model.setScript((reply) => reply.text("Yes.").finish().done());
    assert.equal(tokens(await ask("again")), "Yes.");
  });
}

test("tools that do not fit into the context are named as such, without a request (B7)", async (t) => {
  const { model, home, ask, client, end } = await begin(
    (reply) => reply.text("x").finish().done(),
    {
      props: { default_generation_settings: { n_ctx: 1024 }, total_slots: 1 },
    },
  );
  t.after(end);
  for (let n = 0; n < 20; n += 1)
    home.tool(`tool${n}.toml`, `description = "${"word ".repeat(200)}"\ncommand = ["true"]\n`);
  client.send({ type: "new" });
  const error = find(await ask("q"), "error");
  assert.equal(error?.code, "context_too_small");
  assert.match(String(error?.message), /system message and tools.*1024/);
  assert.equal(model.chats.length, 0);
});

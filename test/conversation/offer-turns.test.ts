// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// More tools than a prompt holds, in a real daemon: requests, calls by name, the notice, the count.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Script } from "../support/model-server.ts";
import { start } from "../support/started.ts";

const subjects = "fox owl hen cat dog cow pig rat bee ant elk eel emu yak ape bat".split(" ");

/** Sixteen tools, too many bytes for one list. */
const tools = Object.fromEntries(
  subjects.map((subject) => [
    `${subject}.toml`,
    `description = "Tells about the ${subject}. ${"It looks at all that is known. ".repeat(16)}"
command = ["printf", "%s", "the ${subject} is {name}"]
[params.name]
required = true
description = "how it is called"
`,
  ]),
);

async function begin(script: Script) {
  const started = await start({ script, tools });
  const client = await started.daemon.connect();
  client.send({ type: "features", names: ["notice", "tool"] });
  await client.next("hello");
  const ask = (text: string) => {
    client.send({ type: "ask", text });
    return client.turn();
  };
  return { ...started, client, ask };
}

test("a tool that is not in the list is found by the question and called by name", async (t) => {
  const { model, client, ask, end } = await begin((reply, request, count) => {
    if (count === 1)
      reply
        .call("call_tool", { name: "yak", arguments: { name: "Bob" } })
        .finish("tool_calls")
        .done();
    else if (request.json.messages.at(-1)?.content.includes("is Bob"))
      reply.text("Bob.").finish().done();
    else reply.text("Fine.").finish().done();
  });
  t.after(end);
  const lines = await ask("Tell me about the yak");
  const [first, second] = model.chats;
  const listed = first?.json.tools?.map((tool) => tool.function.name) ?? [];
  assert.equal(listed.at(-1), "call_tool");
  assert.ok(!listed.includes("yak") && listed.length < subjects.length, listed.join());
  const question = first?.json.messages.at(-1)?.content ?? "";
  assert.match(
    question,
    /^\[[^\]]+\] Tell me about the yak\n\n\[More tools .*\nyak\(name\): Tells about/s,
  );
  const shown = lines.find((line) => line.type === "tool");
  assert.equal(shown?.name, "yak");
  assert.deepEqual(shown?.arguments, { name: "Bob" });
  const result = second?.json.messages.at(-1);
  assert.deepEqual([result?.role, result?.content], ["tool", "the yak is Bob"]);
  assert.ok(
    second?.body.includes(JSON.stringify(question).slice(1, -1)),
    "it stays within the turn",
  );

  await ask("and the rat?");
  const third = model.chats[2];
  assert.equal(JSON.stringify(third?.json.tools), JSON.stringify(first?.json.tools));
  const asked = third?.json.messages.filter((message) => message.role === "user") ?? [];
  assert.equal(asked[0]?.content, "Tell me about the yak", "the shortlist is not stored");
  assert.match(asked[1]?.content ?? "", /and the rat\?\n\n\[More tools .*:\nrat\(name\)/s);
  assert.match(asked[1]?.content ?? "", /\nyak\(/, "the question before counts too");

  const { counts } = await client.ask({ type: "status" });
  assert.ok(typeof counts === "object" && counts !== null && "tools_listed" in counts);
  assert.equal(counts.tools_listed, listed.length - 1);
  client.send({ type: "new" });
  await ask("once more");
  const notices = client.lines.filter((line) => line.type === "notice");
  const told = notices.filter((line) => line.code === "tools_budget");
  assert.equal(told.length, 1, "one notice for two conversations");
  assert.match(String(told[0]?.message), new RegExp(`holds ${listed.length - 1} of \\d+ tools`));
});

test("the list of a conversation stays as it was at its first question", async (t) => {
  const { model, home, client, ask, end } = await begin((reply) =>
    reply.text("Fine.").finish().done(),
  );
  t.after(end);
  await ask("one");
  home.tool("aaa.toml", 'description = "Is new."\ncommand = ["true"]\n');
  await ask("two");
  const [one, two] = model.chats.map((chat) => JSON.stringify(chat.json.tools));
  assert.equal(two, one);
  client.send({ type: "new" });
  await ask("three");
  assert.ok(JSON.stringify(model.chats[2]?.json.tools).includes("Is new."));
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A plan with many tools, and with words of other languages in them, in a real daemon.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatRequest } from "../support/model-server.ts";
import { none, pick, planning, reply, result } from "../support/planning-model.ts";

const subjects = "fox owl hen cat dog cow pig rat bee ant elk eel emu yak ape bat".split(" ");
const adjectives =
  "red old big sad wet hot dry shy icy raw odd fat new low dim far tan shy2 apt".split(" ");

/** So many tools, each with a description of `length` characters. */
function zoo(count: number, length = 60): Record<string, string> {
  const names = adjectives.flatMap((one) => subjects.map((other) => `${one}_${other}`));
  return Object.fromEntries(
    names.slice(0, count).map((name) => [
      `${name}.toml`,
      `description = "Tells about the ${name.replace("_", " ")}. ${"It looks. ".repeat(length / 10)}"
command = ["printf", "%s", "${name} is {name}"]
[params.name]
required = true
description = "how it is called"
`,
    ]),
  );
}

/** The tools that a pick may name, and those that the system message lists. */
function offered({ json }: ChatRequest) {
  const format = json.response_format as
    | { json_schema: { schema: { anyOf: { properties: { tool: { const: string } } }[] } } }
    | undefined;
  const schema = format?.json_schema.schema;
  return {
    choices: schema?.anyOf.map(({ properties }) => properties.tool.const) ?? [],
    listed: [...(json.messages[0]?.content.matchAll(/^- (\w+)[(:]/gm) ?? [])].map(
      ([, name]) => name,
    ),
    question: json.messages.at(-1)?.content ?? "",
  };
}

for (const count of [40, 300]) {
  test(`of ${count} tools one that is not listed is found by the question and picked by its own name`, async (t) => {
    const last = Object.keys(zoo(count, 200)).sort().at(-1)?.replace(".toml", "") ?? "";
    const { ask, model, say } = await planning(t, {
      tools: zoo(count, 200),
      picks: [pick(last, { name: "Bob" })],
      answers: ["Bob."],
    });
    const lines = await ask(`Tell me about the ${last.replace("_", " ")}`);
    assert.equal(result(lines)?.text, `${last} is Bob`);
    assert.equal(reply(lines), "Bob.");
    const first = offered(model.chats[0] as ChatRequest);
    assert.ok(first.listed.length > 5 && first.listed.length < count, String(first.listed.length));
    assert.ok(!first.listed.includes(last));
    assert.ok(first.choices.includes(last), first.choices.join());
    assert.equal(first.choices.at(-1), "none");
    assert.ok(first.question.includes(`\n${last}(name`), first.question);
    assert.ok(Buffer.byteLength(model.chats[0]?.body ?? "") < 40_000);
    assert.ok(!model.chats[0]?.body.includes("call_tool"));
    say([none], ["Hello."]);
    await ask("Thanks");
    const second = offered(model.chats[2] as ChatRequest);
    assert.deepEqual(second.listed, first.listed);
    const sent = model.chats[2]?.json.messages.map(({ content }) => content) ?? [];
    assert.equal(sent[1], `Tell me about the ${last.replace("_", " ")}`);
    assert.equal(sent[2], pick(last, { name: "Bob" }));
  });
}

const others = {
  "wetter.toml":
    'description = "Wie das Wetter in einer Stadt wird: Höchstwerte, Regen"\ncommand = ["printf", "%s", "in {stadt}: {tag}"]\n[params.stadt]\nrequired = true\ndescription = "für welche Stadt"\n[params.tag]\nformat = "date"\ndescription = "an welchem Tag"\n',
  "promemoria.toml":
    'description = "Elenca i promemoria dell\'utente, con l\'ora"\ncommand = ["printf", "%s", "dal dentista a {mese}"]\n[params.mese]\nformat = "month"\n',
  "yotei.toml":
    'description = "カレンダーの予定を調べます"\ncommand = ["printf", "%s", "会議は{kind}"]\n[params.kind]\nrequired = true\nenum = ["仕事", "個人"]\ndescription = "種類"\n',
};
test("tools described in other languages are picked, and their words come through", async (t) => {
  const { ask, model, say } = await planning(t, {
    tools: others,
    picks: [pick("wetter", { stadt: "Köln", tag: "December 24" })],
    answers: ["Weiß."],
  });
  const lines = await ask("Wie wird das Wetter in Köln an Heiligabend?");
  assert.match(String(result(lines)?.text), /^in Köln: 20\d\d-12-24$/);
  const told = model.chats[1]?.json.messages.at(-1)?.content ?? "";
  assert.match(told, /^Result of wetter: in Köln: .*\n.* in German\b/);
  say([pick("yotei", { kind: "仕事" })], ["会議です。"]);
  assert.equal(result(await ask("今日の仕事の予定を教えてください"))?.text, "会議は仕事");
  say([pick("promemoria", { mese: "March 2031" })], ["Sì."]);
  const italian = await ask("Quali promemoria ci sono per marzo 2031?");
  assert.equal(result(italian)?.text, "dal dentista a 2031-03");
  const last = model.chats.at(-1)?.json.messages.map(({ content }) => content) ?? [];
  assert.ok(last.includes(pick("promemoria", { mese: "March 2031" })));
  assert.ok(last.includes(pick("yotei", { kind: "仕事" })));
});

test("a tool called none stands beside the choice of no tool", async (t) => {
  const { ask, model } = await planning(t, {
    tools: { "none.toml": 'description = "Counts nothing."\ncommand = ["printf", "zero"]\n' },
    picks: [pick("none"), pick("no_none")],
    answers: ["Zero.", '{"tool":"none"}', "Hello."],
  });
  assert.equal(result(await ask("How many?"))?.text, "zero");
  const lines = await ask("Hi");
  assert.equal(result(lines), undefined);
  assert.equal(reply(lines), "Hello.");
  assert.deepEqual(offered(model.chats[0] as ChatRequest).choices, ["none", "no_none"]);
});

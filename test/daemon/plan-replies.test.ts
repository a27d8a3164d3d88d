// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Odd replies of a planning model at the socket: read kindly, mended once, then said plainly.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { Script } from "../support/model-server.ts";
import {
  events,
  isPick,
  pick,
  planning,
  reply,
  result,
  type Said,
  tokens,
} from "../support/planning-model.ts";

const size = pick("size", { of: "Oslo" });
const empty: Script = (writer) => writer.finish().done();
const cut =
  (text: string): Script =>
  (writer) =>
    writer.text(text).finish("length").done();
const error = (lines: readonly Line[]) => lines.find(({ type }) => type === "error");

const kindly: [what: string, text: string][] = [
  ["with text around it", `I take this one: ${size}, since you ask about {Oslo}.`],
  ["behind other braces", `For {you} and {"a": 1}: ${size}`],
  ["in a fence", `\`\`\`json\n${size}\n\`\`\``],
  ["with other keys", '{"name": "size", "parameters": {"of": "Oslo"}}'],
  ["with its arguments as a text", '{"tool":"size","arguments":"{\\"of\\":\\"Oslo\\"}"}'],
  ["with its arguments beside the name", '{"tool":"size","of":"Oslo"}'],
  ["in a list", `[${size}]`],
  ["behind its thoughts", `<think>{"tool":"none"} or not?</think>${size}`],
  ["behind thoughts that the prompt has begun", `Is it {"tool":"none"}? No.\n</think>\n${size}`],
  ["behind an object that only has a name", `{"name":"Oslo"} ${size}`],
  ["twice", `${size}\n${pick("age", { of: "Oslo" })}`],
];
for (const [what, text] of kindly) {
  test(`a pick ${what} is read at once`, async (t) => {
    const { ask, model } = await planning(t, { picks: [text], answers: ["Big."] });
    const lines = await ask("How big is Oslo?");
    assert.equal(result(lines)?.text, "the size of Oslo");
    assert.equal(reply(lines), "Big.");
    assert.equal(model.chats.length, 2);
    assert.equal(model.chats[1]?.json.messages.at(-2)?.content, size);
  });
}

const unreadable: [what: string, first: Said][] = [
  ["is prose", "I think that Oslo is big."],
  ["was cut off", cut('{"tool":"size","arguments":{"of":"Os')],
  ["was cut off behind an object inside", cut('{"tool":"x","arguments":{"a":{"name":"age"},"b":')],
  ["was cut off in its thoughts", cut('<think>{"tool":"clock"} or')],
  ["names no tool that there is", pick("weight", { of: "Oslo" })],
  ["is empty", empty],
  ["is only thoughts", (writer) => writer.think("Hm.").finish().done()],
  ["has no tool in it", '{"tool":null,"arguments":{}}'],
];
for (const [what, first] of unreadable) {
  test(`a pick that ${what} is asked for once more`, async (t) => {
    const { ask, model, say } = await planning(t, { picks: [first, size], answers: ["Big."] });
    const lines = await ask("How big is Oslo?");
    assert.equal(result(lines)?.text, "the size of Oslo");
    assert.deepEqual(model.chats.map(isPick), [true, true, false]);
    say([first, first], ["I can't tell."]);
    const again = await ask("And now?");
    const shown = events(again).filter((one) => one !== "think");
    assert.deepEqual(shown.slice(2), ["token", "done", "state idle"]);
    assert.equal(reply(again), "I can't tell.");
    assert.deepEqual(model.chats.slice(3).map(isPick), [true, true, false]);
  });
}

const unwanted: [what: string, said: Said][] = [
  ["a call", size],
  ["the choice of none", '{"tool": "none"}'],
  ["a call in other words", '{"name":"size","arguments":{"of":"Oslo"}}'],
  ["a call in a fence", `\`\`\`json\n${size}\n\`\`\``],
  ["a call in a bare fence", ["``", `\`\n${size}`, "\n```"]],
  ["a call in tags", `<tool_call>\n${size}\n</tool_call>`],
  ["a call that was cut off", cut('{"tool":"size","arguments":{"of":"Os')],
  ["a call twice", `${size}\n${size}`],
  ["a call that was cut off in its name", cut('{"tool":"si')],
  ["other JSON that was cut off", cut('{"size": "b')],
  ["other JSON", '{"size": "big"}'],
  ["a list", '["big"]'],
  ["nothing", empty],
  ["spaces", " \n"],
];
for (const [what, said] of unwanted) {
  test(`an answer that is ${what} is mended once, then the result is shown as it is`, async (t) => {
    const { ask, model, say } = await planning(t, { picks: [size], answers: [said, ["Bi", "g."]] });
    const lines = await ask("How big is Oslo?");
    assert.deepEqual(tokens(lines), ["Bi", "g."]);
    assert.equal(model.chats.length, 3);
    say([size], [said, said]);
    const plain = await ask("How big is it?");
    assert.match(
      reply(plain),
      /^I could not put this into words: .* size returned:\n\n```\nthe size of Oslo\n```$/,
    );
    assert.deepEqual(events(plain).slice(-3), ["token", "done", "state idle"]);
    assert.equal(model.chats.length, 6);
  });

  test(`an answer without a tool that is ${what} twice is one clear error`, async (t) => {
    const { ask, model } = await planning(t, { answers: [said, said] });
    const lines = await ask("How big is Oslo?");
    assert.deepEqual(tokens(lines), []);
    const code = ["nothing", "spaces"].includes(what) ? "empty_answer" : "bad_answer";
    assert.equal(error(lines)?.code, code);
    assert.equal(model.chats.length, 3);
  });
}

test("a model that insists on JSON is made to put its words into it, and they alone are shown", async (t) => {
  const { ask, model } = await planning(t, {
    picks: [size],
    answers: [size, '{"answer": "It is \\"big\\"."}', "Fine."],
  });
  const lines = await ask("How big is Oslo?");
  assert.deepEqual(tokens(lines), ['It is "big".']);
  assert.match(model.chats[2]?.body ?? "", /"schema":\{"type":"object","properties":\{"answer"/);
  await ask("Thanks");
  assert.equal(model.chats.at(-1)?.json.messages.at(-4)?.content, 'It is "big".');
});

const around: [what: string, said: Said, words: string][] = [
  ["in a fence", '```json\n{"answer": "Big."}\n```', "Big."],
  ["with text around it", 'Here: {"answer": "Big."} Well.', "Big."],
  ["cut off", cut('{"answer": "It is ve'), "It is ve"],
  ["as text alone", "It is big.", "It is big."],
];
for (const [what, said, words] of around) {
  test(`words that were asked for in JSON and come ${what} are shown without it`, async (t) => {
    const { ask } = await planning(t, { picks: [size], answers: [size, said] });
    assert.deepEqual(tokens(await ask("How big is Oslo?")), [words]);
  });
}

test("an answer is mended once, whatever is wrong with it the second time", async (t) => {
  const { ask, model } = await planning(t, { picks: [size], answers: [empty, size] });
  assert.match(reply(await ask("How big is Oslo?")), /size returned:/);
  assert.equal(model.chats.length, 3);
});

test("a call in front of an answer is not shown with it", async (t) => {
  const said = ['{"tool":', '"none"}', "\n\nIt is ", "big."];
  const { ask, model } = await planning(t, { answers: [said, `${size} Big.`, "Fine."] });
  assert.equal(reply(await ask("How big is Oslo?")), "It is big.");
  assert.equal(reply(await ask("And Rome?")), "Big.");
  assert.equal(model.chats.length, 4);
  await ask("Thanks");
  assert.ok(!model.chats.at(-1)?.body.includes("\\n\\nIt is"));
});

test("who writes of JSON or in it gets JSON, but never a call", async (t) => {
  const { ask } = await planning(t, {
    answers: [['{"a":', "2}"], '```json\n{"b":1}\n```', "[3]", size, "Well."],
  });
  assert.equal(reply(await ask('{"a":1, "do": "add one"}')), '{"a":2}');
  assert.equal(reply(await ask("Give me b as JSON")), '```json\n{"b":1}\n```');
  assert.equal(reply(await ask("[1, 2, ?]")), "[3]");
  assert.equal(reply(await ask("JSON please")), "Well.");
});

const streamed: [what: string, deltas: string[]][] = [
  ["plain words", ["It ", "is ", "big."]],
  ["words that begin with a brace", ["{", "Oslo} ", "is big."]],
  ["words that begin with a bracket", ["[1", "] says", " so."]],
  ["code", ["```", "py", "thon\n", "print(1)\n", "```"]],
  ["code of a name like JSON", ["```", "js", "x\n", "1\n", "```"]],
  ["JSON that is only the beginning", ["```json\n", '{"a":1}', "\n```\nThis", " is it."]],
  ["words about a tag", ["<", "b>", "big"]],
];
for (const [what, deltas] of streamed) {
  test(`an answer is shown as it comes: ${what}`, async (t) => {
    const held = Promise.withResolvers<void>();
    const script: Script = async (writer) => {
      writer.text(...deltas.slice(0, -1));
      await held.promise;
      writer
        .text(deltas.at(-1) ?? "")
        .finish()
        .done();
    };
    const { client } = await planning(t, { answers: [script] });
    client().send({ type: "ask", text: "How big is Oslo?" });
    let shown = "";
    while (shown !== deltas.slice(0, -1).join("")) {
      const line = await client().next(({ type }) => type === "token" || type === "error");
      assert.equal(line.type, "token");
      shown += line.delta;
    }
    held.resolve();
    await client().next("done");
    assert.deepEqual(tokens(client().lines), deltas);
  });
}

test("a long JSON answer is shown as it comes, and stays the answer", async (t) => {
  const long = `["${"x".repeat(5000)}"]`;
  const { ask, model } = await planning(t, { answers: [long] });
  assert.equal(reply(await ask("How big is Oslo?")), long);
  assert.equal(model.chats.length, 2);
});

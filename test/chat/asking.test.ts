// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Keys that come just when a question for a yes goes, or gives its place to another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Asking } from "../../src/chat/asking.ts";
import { Confirms } from "../../src/chat/confirms.ts";
import { Editor } from "../../src/chat/editor.ts";
import { paint } from "../../src/chat/line.ts";

const question = (call: string) => ({
  type: "confirm" as const,
  key: "k",
  call,
  name: "make",
  why: "it may change something",
  argv: ["touch", call],
  expires: 0,
});

/** Until what was put off to the end of this round of events has run. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** One question, drawn and open for keys; the second one waits behind it. */
async function open() {
  const confirms = new Confirms();
  const answers: [call: string, allow: boolean][] = [];
  const drawn = Promise.withResolvers<void>();
  const asking: Asking = new Asking({
    confirms,
    editor: new Editor(),
    say: () => undefined,
    draw: () => {
      const last = asking.lines(60, 20).at(-1) ?? [];
      if (paint(last, "none") === "Run it? y/n") drawn.resolve();
    },
    answer: ({ call }, allow) => answers.push([call, allow]),
  });
  confirms.receive(question("1"), 60);
  confirms.receive(question("2"), 60);
  asking.lines(60, 20);
  await drawn.promise;
  const settle = () =>
    confirms.receive(
      { type: "confirmed", key: "k", call: "1", allow: false, reason: "answer" },
      60,
    );
  return { asking, answers, settle };
}

test("a y answers the question on the screen, once", async () => {
  const { asking, answers } = await open();
  assert.equal(asking.key("y", { name: "y" }), true);
  await nextTick();
  assert.deepEqual(answers, [["1", true]]);
  asking.end();
});

test("a y for a question that was settled meanwhile does not answer the next one", async () => {
  const { asking, answers, settle } = await open();
  settle();
  assert.equal(asking.key("y", { name: "y" }), false);
  await nextTick();
  assert.deepEqual(answers, []);
  asking.end();
});

test("neither does one whose question is settled before it is taken", async () => {
  const { asking, answers, settle } = await open();
  assert.equal(asking.key("y", { name: "y" }), true);
  settle();
  await nextTick();
  assert.deepEqual(answers, []);
  asking.end();
});

test("two keys in one piece are no answer", async () => {
  const { asking, answers } = await open();
  asking.key("y", { name: "y" });
  asking.key("\r", { name: "return" });
  await nextTick();
  assert.deepEqual(answers, []);
  asking.end();
});

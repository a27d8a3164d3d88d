// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the prompt benchmark computes: tokens that are new, rows of its table, the diff of prompts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Recorded } from "../../bench/pick/proxy.ts";
import { whileBusy } from "../../bench/prompt/busy.ts";
import { diffLines, shortened } from "../../bench/prompt/diff.ts";
import { longRows } from "../../bench/prompt/long.ts";
import { answeredBefore, count, inCommon, type Post } from "../../bench/prompt/rendered.ts";
import {
  atMost,
  missing,
  type Row,
  summary,
  tableLines,
  times,
  told,
} from "../../bench/prompt/report.ts";
import { text } from "../../bench/prompt/words.ts";

type Messages = { role: string; content: string }[];

/** A template with marks around each message; a token is a word or a mark. */
const post: Post = async (path, body) => {
  const { messages, add_generation_prompt, content } = Object(body);
  if (path === "/tokenize")
    return { tokens: [...String(content).matchAll(/<[^>]*>|\w+|\n/g)].map(([word]) => code(word)) };
  const talk: Messages = messages;
  const prompt = talk.map((one) => `<${one.role}> ${one.content} <end>\n`).join("");
  return { prompt: prompt + (add_generation_prompt ? "<assistant> " : "") };
};
const words: string[] = [];
function code(word: string): number {
  if (!words.includes(word)) words.push(word);
  return words.indexOf(word);
}

const system = { role: "system", content: "Be brief" };
const asked = (content: string) => ({ role: "user", content });
const said = (content: string) => ({ role: "assistant", content });

let begun = 0;
function request(messages: Messages, more: Partial<Recorded> = {}): Recorded {
  begun += 1;
  const figures = { prompt: 9, cached: 0, read: 9, output: 1 };
  return {
    begun,
    started: begun,
    ended: begun,
    aborted: false,
    schema: false,
    body: { messages },
    sent: "",
    wrote: "",
    progress: null,
    ...figures,
    ...more,
  };
}

test("new is what follows the last prompt that was answered whole, its own is the question's message", async () => {
  const first = request([system, asked("noon One two")]);
  // The first question stands there without its stamp, and its answer is new to a prompt.
  const then = [system, asked("One two"), said("Three"), asked("noon And four")];
  const second = request(then);
  const requests = [first, second];
  // <user> noon And four <end> \n <assistant>
  const own = 7;
  assert.deepEqual(await count(post, requests, second), { read: 9, own, fresh: 4 + 4 + own });
  assert.deepEqual(await count(post, requests, first), { read: 9, own: 7, fresh: null });
  // What was read ahead had the mark in front of the question too, which is its own all the same.
  const ahead = request([...then.slice(0, 3), asked("")], {
    body: { messages: [...then.slice(0, 3), asked("")] },
  });
  const after = request(then);
  assert.deepEqual(await count(post, [first, ahead, after], after), {
    read: 9,
    own,
    fresh: own,
  });
});

test("a request that was broken off, runs or failed is not what comes before", () => {
  const whole = request([system]);
  const others = [
    request([system], { aborted: true }),
    request([system], { ended: null }),
    request([system], { prompt: null }),
  ];
  const last = request([system]);
  assert.equal(answeredBefore([whole, ...others, last], last), whole);
  assert.equal(answeredBefore([...others, last], last), null);
});

test("two prompts have in common what they begin with", () => {
  assert.equal(inCommon([1, 2, 3], [1, 2, 4]), 2);
  assert.equal(inCommon([1, 2], [1, 2, 3]), 2);
  assert.equal(inCommon([], [1]), 0);
});

test("a row is judged by its worst value, and what is not known is said", () => {
  assert.deepEqual(atMost("read", [3, 16, 5], 16), {
    what: "read",
    measured: "median 5, most 16",
    target: "at most 16",
    good: true,
  });
  assert.equal(atMost("read", [3, 17, 5], 16).good, false);
  assert.equal(
    atMost("read", [3, null], 16, { unit: " ms" }).measured,
    "median 3, most 3 ms (1 of 2 not measured)",
  );
  assert.deepEqual(atMost("read", [null], 16), {
    what: "read",
    measured: "nothing measured",
    target: "at most 16",
    good: null,
  });
  assert.equal(told("read", [3]).good, null);
});

test("a ratio is one of medians, and none without both", () => {
  const good = times("ratio", [100, 200, 300], [9, 10, 11], 20);
  assert.deepEqual([good.measured, good.good], ["20.0 times", true]);
  assert.equal(times("ratio", [199], [10], 20).good, false);
  assert.equal(times("ratio", [], [10], 20).good, null);
});

test("the table has columns and the end says what was reached", () => {
  const rows: Row[] = [
    atMost("a", [1], 2),
    atMost("the longer one", [300], 2, { unit: " ms" }),
    told("b", [1]),
    missing("c", "no warm-up seen", "at most 5 ms"),
  ];
  assert.deepEqual(tableLines(rows), [
    "what           | measured                | target",
    "---------------|-------------------------|-------------",
    "a              | median 1, most 1        | at most 2",
    "the longer one | median 300, most 300 ms | at most 2 ms | MISSED",
    "b              | median 1, most 1",
    "c              | no warm-up seen         | at most 5 ms",
  ]);
  assert.equal(summary(rows), "1 of 2 targets reached, 1 not measured");
  assert.equal(summary([]), "0 of 0 targets reached");
});

test("of a long conversation the slow questions count, not what was read ahead", () => {
  const turn = { error: "", read: 90, ahead: 40, cut: false };
  const cut = { ...turn, ahead: 3000, cut: true };
  const slow = { ...turn, read: 1001 };
  const quick = Array.from({ length: 25 }, () => turn);
  const [good, told] = longRows([...quick, turn, cut, cut, slow, slow]);
  assert.deepEqual([good?.measured, good?.good, told?.measured], ["2", true, "2, 2"]);
  assert.equal(longRows([slow, slow, slow])[0]?.good, false);
  assert.equal(longRows([turn, slow])[0]?.good, null);
});

test("prompts are shown by what they change, in bytes and whole characters", () => {
  const lines = diffLines([
    { title: "one", text: "Über\nA" },
    { title: "two", text: "Über\nAB" },
    { title: "three", text: "Über\nC" },
    { title: "four", text: "Über\nC" },
    { title: "five", text: "Über\n\u{1f600}" },
    { title: "six", text: "Über\n\u{1f601}" },
  ]);
  assert.deepEqual(lines, [
    "one: 7 bytes",
    "  + Über\\nA",
    "two: 7 of 8 bytes as before",
    "  + B",
    "three: 6 of 7 bytes as before",
    "  - AB",
    "  + C",
    "four: 7 of 7 bytes as before",
    "five: 6 of 10 bytes as before",
    "  - C",
    "  + \u{1f600}",
    "six: 6 of 10 bytes as before",
    "  - \u{1f600}",
    "  + \u{1f601}",
  ]);
  assert.equal(shortened(`${"a".repeat(2000)}b`, 9), "aaaaaa [1,992 bytes] aab");
});

test("a long text is made of so many words, and another one begins otherwise", () => {
  const texts = Array.from({ length: 250 }, (_, seed) => text(40, seed));
  assert.ok(texts.every((one) => one.split(" ").length === 40));
  assert.equal(new Set(texts.map((one) => one.split(" ").slice(0, 4).join())).size, texts.length);
});

test("cores are kept busy by a process that is there as long as it is wanted", async () => {
  const children = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
  const before = children();
  const meanwhile = await whileBusy(async () => children());
  assert.equal(meanwhile.length, before.length + 1);
  assert.deepEqual(children(), before);
  await assert.rejects(
    whileBusy(() => Promise.reject(new Error("no"))),
    /no/,
  );
  assert.deepEqual(children(), before);
});

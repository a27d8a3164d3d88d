// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The odds of tokens beside the text of a reply.
import assert from "node:assert/strict";
import { test } from "node:test";
import { data, delta, done, finish, read, text } from "./reading.ts";

const told = (change: Record<string, unknown>, ...content: unknown[]) =>
  data({ choices: [{ index: 0, delta: change, logprobs: { content } }] });
const token = (text: string, logprob: unknown, ...top: unknown[]) => ({
  token: text,
  id: 1,
  bytes: [1],
  logprob,
  top_logprobs: top,
});

test("odds come in the order of the text, and those of a thought are left out", () => {
  const { reply } = read(
    told({ reasoning_content: "Hm" }, token("Hm", -1)) +
      told({ content: "a" }, token("a", -0.25, token("a", -0.25), token("b", -2))) +
      told({ content: "bc" }, token("b", -1), token("c", 0)) +
      finish() +
      done,
  );
  assert.deepEqual(reply?.odds, [
    {
      text: "a",
      logprob: -0.25,
      top: [
        { text: "a", logprob: -0.25 },
        { text: "b", logprob: -2 },
      ],
    },
    { text: "b", logprob: -1, top: [] },
    { text: "c", logprob: 0, top: [] },
  ]);
});

test("malformed odds are dropped without a fault, and a reply without any has no such field", () => {
  const { reply } = read(
    told({ content: "a" }, null, 7, {}, token("x", null), { token: 3, logprob: 1 }) +
      told({ content: "b" }, { token: "b", logprob: -1, top_logprobs: [null, { token: "c" }] }) +
      data({ choices: [{ delta: { content: "c" }, logprobs: [] }] }) +
      data({ choices: [{ delta: { content: "d" }, logprobs: { content: "x" } }] }) +
      finish() +
      done,
  );
  assert.equal(reply?.text, "abcd");
  assert.deepEqual(reply?.odds, [{ text: "b", logprob: -1, top: [] }]);
  const none = read(told({ content: "a" }, {}) + text("b") + finish() + done).reply;
  assert.equal(none && "odds" in none, false);
});

test("a whole completion has its odds too, and an endless list is refused", () => {
  const message = { content: "a" };
  const logprobs = { content: [token("a", -1)] };
  const body = JSON.stringify({ choices: [{ message, logprobs, finish_reason: "stop" }] });
  assert.equal(read(body).reply?.odds?.length, 1);
  const many = Array.from({ length: 1000 }, () => token("x".repeat(1000), -1));
  const chunk = told({ content: "a" }, ...many);
  assert.equal(read(...Array.from({ length: 20 }, () => chunk), delta({})).code, "reply_too_large");
});

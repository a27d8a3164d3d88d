// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stored messages that a model server would refuse come back as ones that it takes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { repairMessages, unpaired } from "../../src/history/repair.ts";
import type { Message } from "../../src/message.ts";

const row = { user: "Q", reply: "A" };
const call = (id: unknown, name: unknown, args: unknown = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const repair = (...stored: unknown[]) => repairMessages(stored, row);
/** The repaired list in short: roles, text, call ids and names. */
const short = (messages: Message[]) =>
  messages.map((message) => {
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    const shown = calls.map((item) => `${item.id}=${item.function.name}`).join(",");
    const id = message.role === "tool" ? `${message.tool_call_id}:` : "";
    return `${message.role[0]}:${id}${message.content}${shown && `[${shown}]`}`;
  });

test("a sound list is not changed", () => {
  const sound: Message[] = [
    { role: "user", content: "[Monday 30 November 2026, 10:45] Q \u00a0" },
    {
      role: "assistant",
      content: "x",
      tool_calls: [{ id: "1", type: "function", function: { name: "a", arguments: '{ "b":1}' } }],
    },
    { role: "tool", tool_call_id: "1", content: "r" },
    { role: "assistant", content: "A" },
  ];
  assert.deepEqual(repairMessages(sound, row), sound);
  assert.deepEqual(repairMessages(JSON.parse(JSON.stringify(sound)), row), sound);
});

test("what is no list becomes question and answer", () => {
  for (const stored of [
    null,
    undefined,
    5,
    "text",
    {},
    [],
    [null, 7, []],
    [{ role: "system", content: "s" }],
  ]) {
    assert.deepEqual(short(repairMessages(stored, row)), ["u:Q", "a:A"]);
  }
});

test("every call has one result, in the order of the calls", () => {
  const calls = {
    role: "assistant",
    content: "",
    tool_calls: [call("1", "a"), call("2", "b"), call("3", "c")],
  };
  const mended = repair(
    { role: "user", content: "Q" },
    calls,
    { role: "tool", tool_call_id: "3", content: "three" },
    { role: "tool", tool_call_id: "1", content: "one" },
    { role: "tool", tool_call_id: "9", content: "nobody's" },
    { role: "assistant", content: "A" },
  );
  assert.deepEqual(short(mended), [
    "u:Q",
    "a:[1=a,2=b,3=c]",
    "t:1:one",
    "t:2:(no result was stored)",
    "t:3:three",
    "a:A",
  ]);
  assert.equal(unpaired(mended), null);
});

test("calls without a name are gone, calls without an id get one", () => {
  const mended = repair(
    { role: "user", content: "Q" },
    {
      role: "assistant",
      content: null,
      tool_calls: [call("", ""), call("", "a"), call(null, "b"), 5],
    },
    { role: "tool", tool_call_id: "", content: "one" },
    { role: "tool", content: "two" },
    { role: "assistant", content: "A" },
  );
  assert.deepEqual(short(mended), [
    "u:Q",
    "a:[call_1_0=a,call_1_1=b]",
    "t:call_1_0:one",
    "t:call_1_1:two",
    "a:A",
  ]);
  const emptied = repair(
    { role: "user", content: "Q" },
    { role: "assistant", tool_calls: [call("", "")] },
  );
  assert.deepEqual(short(emptied), ["u:Q", "a:A"]);
});

test("arguments are JSON of an object", () => {
  const args = ['{"a":', "[1]", "", 7, { b: 1 }, '{"c":2}'];
  const mended = repair(
    { role: "user", content: "Q" },
    { role: "assistant", tool_calls: args.map((given, index) => call(`${index}`, "x", given)) },
  );
  const calls = mended[1]?.role === "assistant" ? (mended[1].tool_calls ?? []) : [];
  assert.deepEqual(
    calls.map((item) => item.function.arguments),
    ["{}", "{}", "{}", "{}", '{"b":1}', '{"c":2}'],
  );
});

test("roles take turns and an answer stands at the end", () => {
  assert.deepEqual(
    short(
      repair(
        { role: "user", content: "stopped" },
        { role: "user", content: "Q" },
        { role: "assistant", content: "one" },
        { role: "assistant", content: "two" },
      ),
    ),
    ["u:Q", "a:one\n\ntwo"],
  );
  assert.deepEqual(
    short(
      repair(
        {
          role: "user",
          content: [
            { type: "text", text: "in " },
            { type: "text", text: "parts" },
          ],
        },
        { role: "assistant", content: "", tool_calls: [call("1", "a")] },
        { role: "tool", tool_call_id: "1", content: "r" },
      ),
    ),
    ["u:in parts", "a:[1=a]", "t:1:r", "a:A"],
  );
});

test("a lonely call or result is named", () => {
  const asked: Message = {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "1", type: "function", function: { name: "a", arguments: "{}" } }],
  };
  const answered: Message = { role: "tool", tool_call_id: "1", content: "r" };
  const said: Message = { role: "assistant", content: "A" };
  assert.equal(unpaired([asked, answered, said]), null);
  assert.equal(unpaired([asked, said, answered]), "1");
  assert.equal(unpaired([asked]), "1");
  assert.equal(unpaired([answered]), "1");
  assert.equal(unpaired([asked, answered, answered]), "1");
});

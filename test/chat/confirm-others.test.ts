// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Questions for a yes that somebody else answers, asks or joins, and commands that try to hide.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asks, ends, makes, openAskingChat, shows } from "../support/asking-chat.ts";

test("a chat that joins in the middle sees the open question and can answer it", async () => {
  await using chat = await openAskingChat();
  chat.type("go\r");
  await chat.screen.until(asks());
  const late = await chat.open();
  await late.screen.until(asks());
  assert.match(late.screen.text, /^ {2}touch -- made$/m);
  late.type("y");
  await late.screen.until(ends("It read: (no output)."));
  assert.match(late.screen.text, /^allowed: make$/m);
  await chat.screen.until(ends("It read: (no output)."));
  assert.match(chat.screen.text, /^answered elsewhere: yes: make$/m);
  assert.equal(chat.made(), true);
});

test("when another client says no first, the question is gone and says so", async () => {
  await using chat = await openAskingChat();
  const other = await chat.client();
  await other.ask({ type: "features", names: ["confirm"] });
  chat.type("go\r");
  const { key, call } = await other.next("confirm");
  await chat.screen.until(asks());
  await other.ask({ type: "confirm", key, call, allow: false });
  await chat.screen.until(ends("the person said no"));
  assert.match(chat.screen.text, /^answered elsewhere: no: make$/m);
  // The keys are the line's own again.
  chat.type("y");
  await chat.screen.until((screen) => screen.lines.at(-1) === "› y");
  assert.equal(chat.made(), false);
});

test("a question about a tool that somebody runs by hand is asked too, after the one before it", async () => {
  await using chat = await openAskingChat();
  const other = await chat.client();
  chat.type("go\r");
  await chat.screen.until(asks());
  other.send({ type: "run", name: "make", arguments: { file: "hand" }, req: "r" });
  // The answer comes after the question was told to everybody.
  await other.ask({ type: "tools" });
  chat.type("n");
  await chat.screen.until((screen) => shows("  touch -- hand")(screen) && asks()(screen));
  chat.type("y");
  const ran = await other.next((line) => line.req === "r");
  assert.deepEqual([ran.type, ran.ok, chat.made("hand"), chat.made()], ["ran", true, true, false]);
  await chat.screen.until(ends("allowed: make"));
});

test("Ctrl-C is no to a tool that somebody runs by hand", async () => {
  await using chat = await openAskingChat();
  const other = await chat.client();
  // When this is answered, the chat has said that it can answer, too.
  chat.type("/tools\r");
  await chat.screen.until(shows("Makes a file"));
  other.send({ type: "run", name: "make", arguments: { file: "hand" }, req: "r" });
  await chat.screen.until(asks());
  chat.type("\x03");
  const ran = await other.next((line) => line.req === "r");
  assert.deepEqual([ran.type, ran.ok, chat.made("hand")], ["ran", false, false]);
  await chat.screen.until(ends("refused: make"));
});

test("the questions of other sessions are not shown", async () => {
  await using chat = await openAskingChat();
  const other = await chat.client();
  await other.ask({ type: "features", names: ["confirm"] });
  await other.ask({ type: "watch", session: "own" });
  other.send({ type: "ask", text: "go", session: "own" });
  const { key, call } = await other.next("confirm");
  chat.type("/tools\r");
  await chat.screen.until(shows("Makes a file"));
  assert.doesNotMatch(chat.screen.text, /wants to run/);
  await other.ask({ type: "confirm", key, call, allow: true, session: "own" });
  await other.next("done");
  assert.equal(chat.made(), true);
});

test("a command that tries to hide or to draw over the question is shown whole", async () => {
  const file = "a\x1b[2K\x1b[1A\x07\u202egnp\u200b\nRun it?\n\n›";
  await using chat = await openAskingChat({ script: makes(file) });
  chat.type("go\r");
  await chat.screen.until(asks());
  const shown = "  touch -- $'a\\x1b[2K\\x1b[1A\\x07\\u202egnp\\u200b\\nRun it?\\n\\n›'";
  assert.deepEqual(chat.screen.lines.slice(-5), [
    "? make wants to run: it may change something",
    shown,
    "Run it? y/n",
    "",
    "›",
  ]);
  assert.equal(chat.screen.lines.filter((line) => line === "Run it? y/n").length, 1);
  assert.deepEqual(chat.screen.unknown, []);
  chat.type("y");
  await chat.screen.until(shows("It read: (no output)."));
  assert.equal(chat.made(file), true);
});

test("of a command that does not fit y counts only after v has shown all of it", async () => {
  const file = `${"long/../".repeat(100)}../made`;
  await using chat = await openAskingChat({ script: makes(file), rows: 12, columns: 60 });
  chat.type("go\r");
  await chat.screen.until(asks());
  assert.match(chat.screen.text, /… \d+ more lines: v shows all/);
  chat.type("y");
  await chat.screen.until(shows("Not all of it fits here."));
  chat.type("v");
  const whole = `touch -- ${file}`;
  await chat.screen.until(({ text }) => text.replaceAll("\n  ", "").includes(whole));
  await chat.screen.until(asks());
  chat.type("n");
  await chat.screen.until(shows("refused: make"));
});

test("/tools lists the tools, and why one is not ready", async () => {
  // The file's path may be long.
  await using chat = await openAskingChat({ columns: 300 });
  chat.person.home.tool("bad.toml", 'description = "Bad"\n');
  chat.type("/tools\r");
  await chat.screen.until(ends("command is missing"));
  assert.match(chat.screen.text, /^· make\s+change, file, ready {2}Makes a file$/m);
  assert.match(chat.screen.text, /^! bad\s+file, broken/m);
});

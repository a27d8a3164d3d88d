// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A call that changes something runs only after the person's y in the chat: real daemon, real terminal.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asks, ends, makes, openAskingChat, shows } from "../support/asking-chat.ts";

test("the question shows the exact command, and after y it runs", async () => {
  await using chat = await openAskingChat();
  chat.type("go\r");
  await chat.screen.until(asks());
  assert.deepEqual(chat.screen.lines.slice(2), [
    "› go",
    "",
    "· make file=made …",
    "",
    "? make wants to run: it may change something",
    "  touch -- made",
    "Run it? y/n",
    "",
    "›",
  ]);
  assert.equal(chat.made(), false);
  chat.type("y");
  await chat.screen.until(ends("It read: (no output)."));
  assert.equal(chat.made(), true);
  assert.match(chat.screen.text, /^allowed: make\n· make file=made /m);
  assert.deepEqual(chat.screen.unknown, []);
});

test("after n it does not run, and the model reads that the person said no", async () => {
  await using chat = await openAskingChat();
  chat.type("go\r");
  await chat.screen.until(asks());
  chat.type("n");
  await chat.screen.until(ends("It read: error: make was not run: the person said no."));
  assert.match(chat.screen.text, /^refused: make$/m);
  assert.equal(chat.made(), false);
});

test("Enter and other keys do nothing, which is said once", async () => {
  await using chat = await openAskingChat();
  chat.type("go\r");
  await chat.screen.until(asks());
  chat.type("\r");
  await chat.screen.until(shows("Only y (run it) and n (do not run it) answer"));
  for (const key of ["\r", " ", "x", "\x1b[A"]) chat.type(key);
  // Ctrl-T is answered after all of them.
  chat.type("\x14");
  await chat.screen.until(shows("Thinking will be shown whole."));
  await chat.screen.until(asks());
  assert.equal(chat.screen.text.split("Only y").length, 2);
  assert.equal(chat.made(), false);
  assert.match(chat.screen.text, /Run it\? y\/n/);
});

test("a y that was typed ahead stays in the line and answers nothing", async () => {
  await using chat = await openAskingChat();
  chat.type("go\ry");
  await chat.screen.until(
    (screen) => shows("Run it? Tab sets your line aside")(screen) && screen.lines.at(-1) === "› y",
  );
  assert.equal(chat.made(), false);
  chat.type("\x7f");
  await chat.screen.until(asks());
  assert.equal(chat.made(), false);
  chat.type("n");
  await chat.screen.until(ends("the person said no"));
});

test("what is being typed is set aside by Tab, and is there again after the answer", async () => {
  const gate = Promise.withResolvers<void>();
  const script = makes("made");
  await using chat = await openAskingChat({
    script: async (...asked) => {
      if (asked[2] === 1) await gate.promise;
      await script(...asked);
    },
  });
  chat.type("go\r");
  await chat.screen.until(shows("…"));
  chat.type("by the wa");
  await chat.screen.until((screen) => screen.lines.at(-1) === "› by the wa");
  gate.resolve();
  await chat.screen.until(shows("Run it? Tab sets your line aside, then y or n."));
  chat.type("y");
  await chat.screen.until((screen) => screen.lines.at(-1) === "› by the way");
  assert.equal(chat.made(), false);
  chat.type("\t");
  await chat.screen.until(asks("by the way"));
  chat.type("y");
  await chat.screen.until(shows("It read: (no output)."));
  assert.equal(chat.made(), true);
  await chat.screen.until((screen) => screen.lines.at(-1) === "› by the way");
});

test("text that is pasted in one piece is no answer, with paste marks or without", async () => {
  await using chat = await openAskingChat();
  chat.type("go\r");
  await chat.screen.until(asks());
  chat.type("yum install x");
  await chat.screen.until(shows("Only y (run it)"));
  chat.type("\x1b[200~y\x1b[201~");
  await chat.screen.until(
    (screen) => shows("Run it? Tab")(screen) && screen.lines.at(-1) === "› y",
  );
  assert.equal(chat.made(), false);
});

test("Ctrl-C stops the turn, and the call does not run", async () => {
  await using chat = await openAskingChat();
  chat.type("go\r");
  await chat.screen.until(asks());
  chat.type("\x03");
  await chat.screen.until(ends("(stopped)"));
  assert.equal(chat.made(), false);
});

test("two calls are asked one after another, and one y answers one", async () => {
  await using chat = await openAskingChat({ script: makes("one", "two") });
  chat.type("go\r");
  await chat.screen.until(asks());
  chat.type("y");
  await chat.screen.until((screen) => shows("  touch -- two")(screen) && asks()(screen));
  assert.deepEqual([chat.made("one"), chat.made("two")], [true, false]);
  chat.type("n");
  await chat.screen.until(ends("the person said no"));
  assert.equal(chat.made("two"), false);
});

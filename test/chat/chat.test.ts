// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The terminal chat in a real pseudo-terminal, before a stand-in for the daemon.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Emulator } from "../support/emulator.ts";
import { openPty } from "../support/pty.ts";
import { answerWith, startQuestionDaemon } from "../support/question-daemon.ts";

type Options = Parameters<typeof startQuestionDaemon>[0];
const program = fileURLToPath(new URL("../../bin/desktop-assistant", import.meta.url));

/** A chat that has greeted. It is ended with the test. */
async function open(options: Options & { columns?: number; rows?: number }) {
  const daemon = await startQuestionDaemon(options);
  const { columns = 60, rows = 20 } = options;
  const pty = openPty([program, "chat"], {
    env: { ...process.env, XDG_RUNTIME_DIR: daemon.folder },
    columns,
    rows,
  });
  const { screen } = pty;
  await screen.until(atPrompt("leave."));
  return {
    ...pty,
    heard: daemon.heard,
    hears: daemon.hears,
    async [Symbol.asyncDispose]() {
      pty.kill();
      await pty.ended;
      await daemon[Symbol.asyncDispose]();
    },
  };
}

/** The text is there, and below it the empty line to type in. */
const atPrompt = (text: string) => (screen: Emulator) =>
  screen.text.includes(text) && screen.lines.at(-1) === "›";
const shows = (text: string) => (screen: Emulator) => screen.text.includes(text);

test("a question is answered with its thinking folded, its tool, and its Markdown drawn", async () => {
  await using chat = await open({
    turn: (text, tell) => {
      tell({ type: "think", delta: `about ${text}` });
      const call = { type: "tool", name: "calc", call: "1" };
      tell({ ...call, done: false, arguments: { expression: "2+2" } });
      tell({ ...call, done: true, ok: true, latency_ms: 120, text: "4" });
      answerWith("# Sum\n\nIt is ", "**4**.\n\n|a|b|\n|-|-|\n|1|2|\n")("", tell);
    },
  });
  chat.type("2+2?\r");
  await chat.screen.until(atPrompt("1 │ 2"));
  assert.deepEqual(chat.screen.lines, [
    "Type a question, /help for the commands, Ctrl-D to leave.",
    "",
    "› 2+2?",
    "",
    "Thought: 10 characters (Ctrl-T shows them)",
    "",
    "· calc expression=2+2  0.1 s",
    "  4",
    "",
    "Sum",
    "",
    "It is 4.",
    "",
    "a │ b",
    "──┼──",
    "1 │ 2",
    "",
    "›",
  ]);
  chat.type("\x14");
  await chat.screen.until(atPrompt("│ about 2+2?"));
  assert.deepEqual(chat.screen.unknown, []);
});

test("an answer longer than the screen scrolls by and nothing of it is lost or twice there", async () => {
  const items = Array.from({ length: 60 }, (_, at) => `- item ${at} of a long list of things`);
  await using chat = await open({
    rows: 10,
    turn: (_text, tell) => {
      for (const item of items) tell({ type: "token", delta: `${item}\n` });
      answerWith("\nEnd.")("", tell);
    },
  });
  chat.type("list\r");
  await chat.screen.until(atPrompt("End."));
  const wanted = items.map((item) => item.replace("-", "•"));
  assert.equal(
    chat.screen.text.split("\n").slice(2).join("\n"),
    ["› list", "", ...wanted, "", "End.", "", "›"].join("\n"),
  );
});

test("what is typed while an answer streams stays in the line and is asked after it", async () => {
  await using chat = await open({
    turn: (text, tell) => {
      tell({ type: "token", delta: `to ${text}` });
    },
  });
  chat.type("one\r");
  await chat.screen.until(shows("to one"));
  chat.type("tw");
  await chat.screen.until((screen) => screen.lines.at(-1) === "› tw");
  chat.type("o\r");
  await chat.hears("ask", "ask");
  assert.deepEqual(
    chat.heard.filter(({ type }) => type === "ask").map(({ text, when }) => [text, when]),
    [
      ["one", "queue"],
      ["two", "queue"],
    ],
  );
});

test("Ctrl-C stops the answer, and twice leaves", async () => {
  await using chat = await open({
    turn: (_text, tell) => tell({ type: "token", delta: "Once upon" }),
  });
  chat.type("tell\r");
  await chat.screen.until(shows("Once upon"));
  chat.type("\x03");
  await chat.screen.until(atPrompt("(stopped)"));
  assert.equal(chat.heard.at(-1)?.type, "stop");
  chat.type("x\x7f\x03");
  await chat.screen.until(atPrompt("once more"));
  chat.type("\x03");
  assert.equal(await chat.ended, 0);
  assert.equal(chat.screen.lines.at(-1), "Ctrl-C once more, or Ctrl-D, leaves.");
});

test("Ctrl-D leaves, and an orphaned chat ends with 1", async () => {
  await using left = await open({ turn: answerWith("x") });
  left.type("\x04");
  assert.equal(await left.ended, 0);
  await using orphan = await open({ turn: (_text, _tell, socket) => socket.destroy() });
  orphan.type("x\r");
  assert.equal(await orphan.ended, 1);
  assert.match(orphan.screen.text, /The assistant has ended\./);
});

test("after the terminal was made narrower everything new fits it", async () => {
  await using chat = await open({
    turn: answerWith("word ".repeat(30)),
  });
  await chat.resize(24, 20);
  chat.type("x\r");
  await chat.screen.until(
    (screen) => screen.text.split("word").length > 30 && atPrompt("word")(screen),
  );
  const from = chat.screen.lines.indexOf("› x");
  assert.deepEqual(chat.screen.lines.slice(from + 2, from + 10), [
    ...Array.from({ length: 7 }, () => "word word word word"),
    "word word",
  ]);
});

test("commands of the chat are no questions", async () => {
  await using chat = await open({ turn: answerWith("x") });
  chat.type("/hel\r");
  await chat.screen.until(atPrompt("Do you mean /help?"));
  chat.type("/help\r");
  await chat.screen.until(atPrompt("Alt-Enter"));
  chat.type("/private\r/quit\r");
  assert.equal(await chat.ended, 0);
  assert.deepEqual(
    chat.heard.slice(2).map(({ type, private: hidden }) => [type, hidden]),
    [["new", true]],
  );
});

test("with no model anywhere it says what is fetched before it has it fetched, and shows how far it is", async () => {
  await using chat = await open({ turn: answerWith("x"), backend: "absent", columns: 100 });
  await chat.screen.until(atPrompt("the model small (1.1 GB; short answers)"));
  await chat.hears("fetch");
  chat.type("hi\r");
  await chat.screen.until(atPrompt("Fetching small: done"));
  assert.ok(chat.screen.text.indexOf("No model server answers") < chat.screen.text.indexOf("› hi"));
});

test("Ctrl-C cancels the fetch that was announced, with the question that waits for it", async () => {
  await using chat = await open({ turn: () => undefined, backend: "absent", fetching: true });
  await chat.hears("fetch");
  chat.type("hi\r");
  await chat.screen.until(shows("51 %"));
  chat.type("\x03");
  await chat.hears("stop", "cancel");
  await chat.screen.until(atPrompt("(stopped)"));
});

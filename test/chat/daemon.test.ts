// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The terminal chat in a pseudo-terminal with a real daemon and a scripted model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { program } from "../support/command.ts";
import type { Emulator } from "../support/emulator.ts";
import type { ReplyWriter, Script } from "../support/model-server.ts";
import { startPerson } from "../support/person.ts";
import { openPty } from "../support/pty.ts";

const atPrompt = (text: string) => (screen: Emulator) =>
  screen.text.includes(text) && screen.lines.at(-1) === "›";
const shows = (text: string) => (screen: Emulator) => screen.text.includes(text);

async function open(options: Parameters<typeof startPerson>[0] = {}) {
  const person = await startPerson(options);
  const pty = openPty([program, "chat"], { env: person.env, columns: 70, rows: 30 });
  await pty.screen.until(atPrompt("leave."));
  return {
    ...pty,
    person,
    async [Symbol.asyncDispose]() {
      pty.kill();
      await pty.ended;
      await person[Symbol.asyncDispose]();
    },
  };
}

test("a conversation is begun, left, listed and opened again, its questions by arrow keys", async () => {
  await using chat = await open();
  chat.type("first question\r");
  await chat.screen.until(atPrompt("Hello there."));
  chat.type("/new\r");
  await chat.screen.until(atPrompt("── New conversation"));
  chat.type("/list\r");
  await chat.screen.until((screen) => /^1 {2}today .* first question$/m.test(screen.text));
  chat.type("/open 1\r");
  await chat.screen.until(atPrompt("── Conversation 1: first question"));
  chat.type("\x1b[A");
  await chat.screen.until((screen) => screen.lines.at(-1) === "› first question");
  chat.type("\x15/delete 1\r");
  await chat.screen.until(atPrompt("Conversation 1 is deleted."));
  chat.type("/open 1\r");
  await chat.screen.until(atPrompt("no such conversation"));
  chat.type("/model\r");
  await chat.screen.until((screen) => /^\* scripted/m.test(screen.text));
  assert.deepEqual(chat.screen.unknown, []);
});

test("a question typed meanwhile waits its turn and is answered", async () => {
  const replies: ReplyWriter[] = [];
  const script: Script = (reply, _request, count) => {
    if (count > 1) reply.text("Second answer.").finish().done();
    else replies.push(reply.text("First"));
  };
  await using chat = await open({ script });
  chat.type("one\r");
  await chat.screen.until(shows("First"));
  chat.type("two\r");
  await chat.screen.until(shows("next: two"));
  replies[0]?.text(" answer.").finish().done();
  await chat.screen.until(atPrompt("Second answer."));
  assert.doesNotMatch(chat.screen.text, /next: two/);
});

test("Ctrl-C ends the request at the model server", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using chat = await open({
    script: async (reply) => {
      reply.text("Once upon");
      await reply.closed;
      resolve();
    },
  });
  chat.type("tell\r");
  await chat.screen.until(shows("Once upon"));
  chat.type("\x03");
  await promise;
  await chat.screen.until(atPrompt("(stopped)"));
});

test("thinking and prompt reading are shown while they last", async () => {
  const replies: ReplyWriter[] = [];
  await using chat = await open({
    script: (reply) => void replies.push(reply.think("Let me see.")),
  });
  chat.type("x\r");
  await chat.screen.until(shows("│ Let me see."));
  replies[0]?.text("Yes.").finish().done();
  await chat.screen.until(atPrompt("Yes."));
  assert.match(chat.screen.text, /Thought: 11 characters/);
});

test("in a private conversation nothing is listed, and the line says so", async () => {
  await using chat = await open();
  chat.type("/private\r");
  await chat.screen.until((screen) => screen.lines.at(-1) === "private ›");
  chat.type("secret\r");
  await chat.screen.until(shows("Hello there."));
  chat.type("/list\r");
  await chat.screen.until(shows("There are no conversations yet."));
});

test("a second chat shows the same conversation while it is written", async () => {
  const replies: ReplyWriter[] = [];
  await using chat = await open({ script: (reply) => void replies.push(reply.text("Half of")) });
  chat.type("shared question\r");
  await chat.screen.until(shows("Half of"));
  const other = openPty([program, "chat"], { env: chat.person.env, columns: 50, rows: 20 });
  await other.screen.until(shows("Half of"));
  assert.match(other.screen.text, /› shared question/);
  replies[0]?.text(" it.").finish().done();
  await other.screen.until(atPrompt("Half of it."));
  other.type("\x04");
  assert.equal(await other.ended, 0);
});

test("a tool is shown with its arguments, its time and the beginning of its result", async () => {
  await using chat = await open({
    script: (reply, _request, count) => {
      if (count === 1) reply.call("echo", { word: "Ciao" }).finish("tool_calls").usage(9, 3).done();
      else reply.text("It says Ciao.").finish().usage(20, 4).done();
    },
    tools: {
      "echo.toml": `description = "Says a word"
command = ["echo", "{word}\\u001b]0;x\\u0007"]
params.word.description = "the word"
`,
    },
  });
  chat.type("say it\r");
  await chat.screen.until(atPrompt("It says Ciao."));
  const lines = chat.screen.lines.slice(2).map((line) => line.replace(/\d+\.\d s$/, "N s"));
  assert.deepEqual(lines, [
    "› say it",
    "",
    "· echo word=Ciao  N s",
    "  Ciao]0;x",
    "",
    "It says Ciao.",
    "",
    "›",
  ]);
  assert.deepEqual(chat.screen.unknown, []);
});

test("Ctrl-C drops the questions that wait, and says which", async () => {
  await using chat = await open({ script: (reply) => void reply.text("Once upon") });
  chat.type("tell\r");
  await chat.screen.until(shows("Once upon"));
  chat.type("another one\r");
  await chat.screen.until(shows("next: another one"));
  chat.type("\x03");
  await chat.screen.until(atPrompt("not asked: another one"));
  assert.match(chat.screen.text, /Once upon\n\n\(stopped\)/);
  assert.doesNotMatch(chat.screen.text, /next:/);
});

test("when the daemon is killed, what came of the answer stays, and what waited is said", async () => {
  await using chat = await open({ script: (reply) => void reply.text("Once upon") });
  chat.type("tell\r");
  await chat.screen.until(shows("Once upon"));
  chat.type("another one\r");
  await chat.screen.until(shows("next: another one"));
  process.kill(chat.person.pid(), "SIGKILL");
  assert.equal(await chat.ended, 1);
  const [, , ...lines] = chat.screen.lines;
  assert.deepEqual(lines, [
    "› tell",
    "",
    "Once upon",
    "not asked: another one",
    "",
    "The assistant has ended.",
    "Type: desktop-assistant chat",
  ]);
});

test("Ctrl-Z gives the terminal back to the shell, and fg goes on", async () => {
  await using person = await startPerson();
  // With -m the shell has job control, as the one that a person types in.
  const line = `set -m; '${program}' chat; stty -a | grep -o ' -\\?icanon'; fg; echo left`;
  const chat = openPty(["bash", "--norc", "-c", line], { env: person.env });
  await chat.screen.until(atPrompt("leave."));
  chat.type("half a question\x1a");
  await chat.screen.until(shows(" icanon"));
  await chat.screen.until((screen) => screen.lines.at(-1) === "› half a question");
  chat.type("\r");
  await chat.screen.until(atPrompt("Hello there."));
  chat.type("\x04");
  await chat.screen.until(shows("left"));
  assert.equal(await chat.ended, 0);
  assert.deepEqual(chat.screen.unknown, []);
});

test("where no shell could bring it back, Ctrl-Z changes nothing", async () => {
  await using chat = await open();
  chat.type("hel\x1alo\r");
  await chat.screen.until(atPrompt("Hello there."));
  assert.match(chat.screen.text, /› hello/);
});

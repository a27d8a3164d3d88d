// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// `ask` as a command: what it prints, and what its exit status says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, program, run } from "../support/command.ts";
import { answerWith, startQuestionDaemon } from "../support/question-daemon.ts";

const idle = { type: "state", state: "idle" };
type Turn = Parameters<typeof startQuestionDaemon>[0]["turn"];

async function open(turn: Turn) {
  const daemon = await startQuestionDaemon({ turn });
  const env = { ...process.env, XDG_RUNTIME_DIR: daemon.folder };
  return { daemon, env, [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose]() };
}

test("the answer comes as it is, in a session of its own, and the status is 0", async () => {
  await using at = await open(answerWith("**Ciao**", "\n- a"));
  const ran = await run(["ask", "Say", "hello"], { env: at.env });
  assert.deepEqual(ran, { status: 0, output: "**Ciao**\n- a\n", errors: "" });
  const asked = at.daemon.heard.find(({ type }) => type === "ask");
  assert.equal(asked?.text, "Say hello");
  assert.match(String(asked?.session), /^[0-9a-f-]{36}$/);
  const before = at.daemon.heard.slice(0, 3).map(({ type, session }) => [type, session]);
  assert.deepEqual(before, [
    ["features", undefined],
    ["unwatch", "main"],
    ["watch", asked?.session],
  ]);
});

test("what is piped in is added to the question, or is the question", async () => {
  await using at = await open((text, tell) => answerWith(text)(text, tell));
  const both = await run(["ask", "What is this?"], { env: at.env, input: "a log\n" });
  assert.equal(both.output, "What is this?\n\na log\n");
  const piped = await run(["ask"], { env: at.env, input: "only this" });
  assert.equal(piped.output, "only this\n");
});

test("no question at all is a usage fault", async () => {
  await using at = await open(answerWith("x"));
  for (const input of [undefined, " \n"]) {
    const ran = await run(["ask"], { env: at.env, ...(input === undefined ? {} : { input }) });
    assert.equal(ran.status, 2);
    assert.match(ran.errors, /there is no question/);
  }
});

test("a question that fits no line of the protocol is refused here", async () => {
  await using at = await open(answerWith("x"));
  const ran = await run(["ask"], { env: at.env, input: "\x01".repeat(50_000) });
  assert.equal(ran.status, 1);
  assert.match(ran.errors, /longer than 256 KiB/);
});

test("an error is told on standard error with its hint, and the status is 1", async () => {
  await using at = await open((_text, tell) =>
    tell({ type: "error", message: "no server", hint: "Start one." }, idle),
  );
  const ran = await run(["ask", "x"], { env: at.env });
  assert.deepEqual(ran, { status: 1, output: "", errors: "error: no server\nStart one.\n" });
});

test("--json prints the events as lines, safe for a terminal, without the answers to requests", async () => {
  await using at = await open(answerWith("a\x9b", "b"));
  const ran = await run(["ask", "--json", "x"], { env: at.env });
  assert.equal(ran.status, 0);
  assert.match(ran.output, /"a\\u009b"/);
  const events = ran.output.trimEnd().split("\n");
  assert.deepEqual(
    events.map((line) => JSON.parse(line).type),
    ["user", "state", "token", "token", "done", "state"],
  );
});

test("Ctrl-C stops the turn, keeps what came, and the status is 130", async () => {
  await using at = await open((_text, tell) => tell({ type: "token", delta: "Once upon" }));
  const running = begin(["ask", "tell"], { env: at.env });
  await running.printed("Once upon");
  running.child.kill("SIGINT");
  const ran = await running.ended;
  assert.deepEqual(ran, { status: 130, output: "Once upon\n", errors: "(stopped)\n" });
  assert.equal(at.daemon.heard.at(-1)?.type, "stop");
});

test("a reader that closes the pipe early is no fault", async () => {
  await using at = await open((_text, tell) => {
    for (let line = 0; line < 20_000; line++) tell({ type: "token", delta: `line ${line}\n` });
    tell({ type: "done", id: 1 }, idle);
  });
  const ran = await run(["-c", '"$0" ask x | head -1', program], { env: at.env, argv: ["bash"] });
  assert.deepEqual(ran, { status: 0, output: "line 0\n", errors: "" });
});

test("a daemon that goes away in the middle is told", async () => {
  await using at = await open((_text, tell, socket) => {
    tell({ type: "token", delta: "half" });
    socket.end();
  });
  const ran = await run(["ask", "x"], { env: at.env });
  assert.equal(ran.status, 1);
  assert.match(ran.output, /^half/);
  assert.match(ran.errors, /the assistant ended before the answer was complete/);
});

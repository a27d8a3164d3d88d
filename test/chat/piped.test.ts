// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Questions from a pipe: each line one, in order, the answers as they are.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { pipedChat } from "../../src/chat/piped.ts";
import { Client } from "../../src/client/client.ts";
import { answerWith, startQuestionDaemon } from "../support/question-daemon.ts";

const idle = { type: "state", state: "idle" };
type Turn = Parameters<typeof startQuestionDaemon>[0]["turn"];

async function pipe(
  input: string[],
  turn: Turn,
  options: {
    backend?: string;
    fetching?: boolean;
    onErrors?: (text: string) => void;
    signal?: AbortSignal;
  } = {},
) {
  await using server = await startQuestionDaemon({ turn, ...options });
  await using client = await Client.connect(server.path);
  let output = "";
  let errors = "";
  const status = await pipedChat(client, {
    input: Readable.from(input),
    output: { write: (text) => (output += text) },
    errors: {
      write: (text) => {
        errors += text;
        options.onErrors?.(text);
      },
    },
    env: {},
    signal: options.signal ?? new AbortController().signal,
  });
  return { status, output, errors, heard: server.heard };
}

test("each line is a question, answered in order, Markdown as it is", async () => {
  const { status, output, errors, heard } = await pipe(["one\n\ntwo", "\nthree"], (text, tell) =>
    answerWith(`**${text}**`, " done")(text, tell),
  );
  assert.equal(output, "**one** done\n\n**two** done\n\n**three** done\n");
  assert.equal(errors, "");
  assert.equal(status, 0);
  const asked = heard.filter(({ type }) => type === "ask");
  assert.deepEqual(
    asked.map(({ text }) => text),
    ["one", "two", "three"],
  );
  assert.notEqual(asked[0]?.session, "main");
});

test("a failed question is told on the error stream, the next one goes on, the status is 1", async () => {
  const { status, output, errors } = await pipe(["bad", "\ngood"], (text, tell) => {
    if (text === "good") answerWith("fine")(text, tell);
    else tell({ type: "error", message: "no \x1b[31mserver", hint: "Start one." }, idle);
  });
  assert.equal(status, 1);
  assert.equal(output, "\nfine\n");
  assert.equal(errors, "error: no [31mserver\nStart one.\n");
});

test("control bytes do not get through, thinking and tools are left out", async () => {
  const { output } = await pipe(["x"], (_text, tell) => {
    tell({ type: "think", delta: "hm" }, { type: "token", delta: "a\x1b[2J" });
    tell({ type: "tool", name: "calc", done: false, call: "1", arguments: {} });
    tell({ type: "tool", name: "calc", done: true, call: "1", ok: true, text: "4" });
    answerWith("b\x07\ud83d", "\ude80")("", tell);
  });
  assert.equal(output, "a[2J\nb🚀\n");
});

test("with no model anywhere it says what is fetched, and tells the progress sparsely", async () => {
  const { status, output, errors, heard } = await pipe(["x"], answerWith("hi"), {
    backend: "absent",
  });
  assert.equal(status, 0);
  assert.equal(output, "hi\n");
  assert.match(errors, /the model small \(1\.1 GB; short answers\)/);
  assert.deepEqual(errors.match(/^Fetching.*/gm), [
    `Fetching small ${"░".repeat(24)} 0 %`,
    `Fetching small ${"█".repeat(12)}${"░".repeat(12)} 50 %`,
    "Fetching small: done",
  ]);
  assert.equal(heard.at(-1)?.type, "ask");
});

test("when it is to stop, the turn is stopped at the daemon", async () => {
  const abort = new AbortController();
  const { status, output, heard } = await pipe(
    ["x\ny"],
    (_text, tell) => {
      tell({ type: "token", delta: "Once upon" });
      abort.abort();
    },
    { signal: abort.signal },
  );
  assert.equal(status, 130);
  assert.equal(output, "Once upon\n");
  assert.equal(heard.filter(({ type }) => type === "ask").length, 1);
  assert.equal(heard.at(-1)?.type, "stop");
});

test("when it is to stop while the first fetch runs, that is cancelled too", async () => {
  const abort = new AbortController();
  const { status, heard } = await pipe(["x"], () => undefined, {
    backend: "absent",
    fetching: true,
    signal: abort.signal,
    onErrors: (text) => text.includes("50 %") && abort.abort(),
  });
  assert.equal(status, 130);
  assert.deepEqual(
    heard.slice(-2).map(({ type, job }) => [type, job]),
    [
      ["cancel", "j1"],
      ["stop", undefined],
    ],
  );
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asking, and the stored conversations, with a real daemon and a scripted model.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Script } from "../support/model-server.ts";
import { startPerson } from "../support/person.ts";

/** Answers with the newest question in bold. */
const echo: Script = (reply, { json }) => {
  const text = json.messages.at(-1)?.content.replace(/^\[.*?\] /, "") ?? "";
  reply.text("You said: ", `**${text}**`).finish().usage(12, 2).done();
};

test("ask starts the daemon, and the answer can be listed, opened, searched and deleted", async () => {
  await using me = await startPerson({ script: echo });
  assert.deepEqual(await me.run(["ask", "first", "question"]), {
    status: 0,
    output: "You said: **first question**\n",
    errors: "",
  });
  await me.run(["ask", "a second one"]);
  const listed = await me.run(["list"]);
  assert.match(listed.output, /^2 {2}today .* a second one\n1 {2}today .* first question\n$/);
  assert.equal((await me.run(["list", "-n", "1"])).output.split("\n").length, 2);
  assert.deepEqual(await me.run(["open", "1"]), {
    status: 0,
    output: "> first question\n\nYou said: **first question**\n",
    errors: "",
  });
  const found = await me.run(["search", "second"]);
  assert.equal(found.status, 0);
  assert.match(found.output, /^2 {2}a second one\n/);
  const none = await me.run(["search", "zebra"]);
  assert.deepEqual([none.status, none.output], [1, ""]);
  const deleted = await me.run(["delete", "2"]);
  assert.deepEqual([deleted.status, deleted.output], [0, "Conversation 2 is deleted.\n"]);
  const gone = await me.run(["delete", "2"]);
  assert.equal(gone.status, 1);
  assert.match(gone.errors, /no such conversation/);
  assert.equal((await me.run(["open", "two"])).status, 1);
});

test("--continue goes on with the newest conversation, without it a new one begins", async () => {
  await using me = await startPerson({ script: echo });
  assert.equal((await me.run(["ask", "-c", "x"])).status, 1);
  await me.run(["ask", "one"]);
  await me.run(["ask", "--continue", "two"]);
  await me.run(["ask", "three"]);
  const questions = me.model.chats.map(
    ({ json }) => json.messages.filter(({ role }) => role === "user").length,
  );
  assert.deepEqual(questions, [1, 2, 1]);
  assert.equal((await me.run(["list"])).output.trim().split("\n").length, 2);
});

test("lines piped into chat are one conversation, and its end is the end", async () => {
  await using me = await startPerson({ script: echo });
  const ran = await me.run(["chat"], "one\ntwo\n");
  assert.deepEqual(ran, {
    status: 0,
    output: "You said: **one**\n\nYou said: **two**\n",
    errors: "",
  });
  assert.equal(
    me.model.chats.at(-1)?.json.messages.filter(({ role }) => role === "user").length,
    2,
  );
});

test("an answer that fails has the status 1 and its reason on standard error", async () => {
  await using me = await startPerson({
    script: (reply) => reply.status(500, { error: { message: "out of memory" } }),
  });
  const ran = await me.run(["ask", "x"]);
  assert.deepEqual([ran.status, ran.output], [1, ""]);
  assert.match(ran.errors, /^error: .*out of memory/);
});

test("Ctrl-C in ask stops the request at the model server, and nothing is stored", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using me = await startPerson({
    script: async (reply) => {
      reply.text("Once upon");
      await reply.closed;
      resolve();
    },
  });
  const running = me.begin(["ask", "tell"]);
  await running.printed("Once upon");
  running.child.kill("SIGINT");
  assert.equal((await running.ended).status, 130);
  await promise;
  assert.match((await me.run(["list"])).errors, /no conversations yet/);
});

test("model list shows the server's model, and an unknown one is refused", async () => {
  await using me = await startPerson();
  await me.run(["ask", "x"]);
  const { output } = await me.run(["model", "list"]);
  assert.match(output, /^\* scripted .*calls tools itself/m);
  assert.match(output, /^ {2}smollm2-135m .*picks tools by plan/m);
  const refused = await me.run(["model", "use", "nosuch"]);
  assert.equal(refused.status, 1);
  assert.match(refused.errors, /nosuch/);
});

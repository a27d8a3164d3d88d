// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Calls that need a yes where nobody sits: refused, unless the person said yes before.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makes, makeTool } from "../support/asking-chat.ts";
import { program, run } from "../support/command.ts";
import { startPerson } from "../support/person.ts";
import { openPty } from "../support/pty.ts";
import { startQuestionDaemon } from "../support/question-daemon.ts";

async function open(file = "made") {
  const person = await startPerson({ script: makes(file), tools: { "make.toml": makeTool } });
  return { ...person, made: () => existsSync(join(person.home.tools, file)) };
}
const nobody =
  "It read: error: make was not run: the person must confirm it, and nobody could be asked here.";

test("ask refuses a call that needs a yes, says so beside the answer, and goes on", async () => {
  await using me = await open();
  const ran = await me.run(["ask", "go"]);
  const errors =
    "error: make was not run: the person must confirm it, and nobody could be asked here\n";
  assert.deepEqual(ran, { status: 0, output: `${nobody}\n`, errors });
  assert.equal(me.made(), false);
});

test("ask is not answered by a chat that watches another session", async () => {
  await using me = await open();
  await me.run(["start"]);
  const { TestClient } = await import("../support/daemon.ts");
  const other = new TestClient(me.home.socket);
  await other.ask({ type: "features", names: ["confirm"] });
  const ran = await me.run(["ask", "go"]);
  await other.end();
  assert.equal(ran.output, `${nobody}\n`);
  assert.equal(me.made(), false);
});

test("ask --yes allows the call, and tells exactly what ran on standard error", async () => {
  await using me = await open("a\x1b[2J file");
  const ran = await me.run(["ask", "--yes", "go"]);
  assert.deepEqual(ran, {
    status: 0,
    output: "It read: (no output).\n",
    errors: "allowed: make\n  touch -- $'a\\x1b[2J file'\n",
  });
  assert.equal(me.made(), true);
});

test("ask --yes --json prints the question and its answer among the events", async () => {
  await using me = await open();
  const ran = await me.run(["ask", "--json", "-y", "go"]);
  const events = ran.output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const asked = events.find(({ type }) => type === "confirm");
  assert.deepEqual(asked.argv, ["touch", "--", "made"]);
  assert.equal(events.find(({ type }) => type === "confirmed").allow, true);
  assert.equal(ran.errors, "allowed: make\n  touch -- made\n");
  assert.equal(me.made(), true);
});

test("a piped chat refuses a call that needs a yes", async () => {
  await using me = await open();
  const ran = await me.run(["chat"], "go\n");
  assert.equal(ran.output, `${nobody}\n`);
  assert.equal(me.made(), false);
});

test("ask says when an answer claims what no tool did", async () => {
  await using daemon = await startQuestionDaemon({
    turn: (_text, tell) => {
      tell({ type: "token", delta: "I saved it." }, { type: "done", id: 1, unbacked: true });
      tell({ type: "state", state: "idle" });
    },
  });
  const env = { ...process.env, XDG_RUNTIME_DIR: daemon.folder };
  const ran = await run(["ask", "save it"], { env });
  assert.equal(ran.output, "I saved it.\n");
  assert.equal(ran.errors, "No tool did what this answer says: nothing was changed.\n");
});

test("on a terminal ask --yes shows what it allowed above the tool's result", async () => {
  await using me = await open();
  const pty = openPty([program, "ask", "--yes", "go"], { env: me.env });
  assert.equal(await pty.ended, 0);
  const lines = pty.screen.lines.map((line) => line.replace(/\d+\.\d s$/, "N s"));
  assert.deepEqual(lines, [
    "allowed: make",
    "  touch -- made",
    "· make file=made  N s",
    "  (no output)",
    "",
    "It read: (no output).",
  ]);
  assert.equal(me.made(), true);
});

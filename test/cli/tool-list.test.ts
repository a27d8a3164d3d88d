// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// `tools list`, `check` and `accept`, and what `status` says of tools.
import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { paint } from "../../src/chat/line.ts";
import { faultCounts, faultsOf, toolListLines } from "../../src/chat/tool-lines.ts";
import type { ServerItem, ToolItem } from "../../src/message.ts";
import { makeTool } from "../support/asking-chat.ts";
import { run } from "../support/command.ts";
import { startLineServer } from "../support/line-server.ts";
import { startPerson } from "../support/person.ts";

test("the list names each tool, and of one that stayed out why and what to do", async () => {
  await using me = await startPerson({
    tools: { "make.toml": makeTool, "bad.toml": 'description = "x"\n' },
  });
  const list = await me.run(["tools"]);
  assert.equal(list.status, 0);
  assert.match(list.output, /^· make\s+change, file, ready {2}Makes a file$/m);
  assert.match(list.output, /^! bad\s+file, broken/m);
  assert.match(list.output, /^ {4}.*command is missing/m);
  assert.match(list.output, /^ {4}Write: command = /m);
  assert.equal((await me.run(["tools", "list"])).output, list.output);
  const status = await me.run(["status"]);
  assert.match(status.output, /^faults {3}tools: .*1 broken/m);
});

test("check prints the faults only and ends with 1, until all is well", async () => {
  await using me = await startPerson({
    tools: { "make.toml": makeTool, "bad.toml": 'description = "x"\n' },
  });
  const faulty = await me.run(["tools", "check"]);
  assert.equal(faulty.status, 1);
  assert.match(faulty.output, /^! bad/);
  assert.doesNotMatch(faulty.output, /make/);
  me.home.tool("bad.toml", 'description = "x"\ncommand = ["true"]\n');
  const well = await me.run(["tools", "check"]);
  assert.equal(well.status, 0);
  assert.match(well.output, /^All is well\. Tools: \d+, MCP servers: 0\.\n$/);
  assert.doesNotMatch((await me.run(["status"])).output, /^faults/m);
});

test("check tells of a program that is missing, of one that may not be run, and of a key that is ignored", async () => {
  const lost = 'description = "x"\ncommand = ["no-such-program-here"]\n';
  const home = 'description = "x"\ncommand = ["~/bin/it"]\n';
  const typo = 'description = "x"\ncommand = ["true"]\n[params.a]\ntyp = "integer"\n';
  await using me = await startPerson({
    tools: { "lost.toml": lost, "home.toml": home, "typo.toml": typo, beside: "#!/bin/sh\n" },
  });
  me.home.tool("beside.toml", 'description = "x"\ncommand = ["beside"]\n');
  const { status, output } = await me.run(["tools", "check"]);
  assert.equal(status, 1);
  assert.match(
    output,
    /^! lost .*\n {4}.*lost\.toml:2: cannot run no-such-program-here: no such program\n {4}Install it/m,
  );
  assert.match(output, /^! home .*\n {4}.*\n {4}There is no shell that knows ~/m);
  assert.match(output, /^! beside .*\n {4}.*is not executable\n {4}Type: chmod \+x .*\/beside$/m);
  assert.match(
    output,
    /^· typo .*ready.*\n {4}.*typo\.toml:4: unknown key typ is ignored\n {4}Did you mean type\?$/m,
  );
  const ran = await me.run(["tools", "run", "lost"]);
  assert.match(ran.output, /^error: cannot run no-such-program-here/);
  me.home.tool("no-such-program-here", "#!/bin/sh\necho found\n");
  chmodSync(join(me.home.tools, "no-such-program-here"), 0o755);
  assert.doesNotMatch((await me.run(["tools", "list"])).output, /^! lost/m);
  assert.match((await me.run(["tools", "run", "lost"])).output, /^found/);
});

test("accepting what does not wait for it is a fault", async () => {
  await using me = await startPerson();
  const ran = await me.run(["tools", "accept", "no\x1b[1msuch"]);
  assert.equal(ran.status, 1);
  assert.match(ran.errors, /no tool of an MCP server waits to be accepted as no\[1msuch/);
});

test("status of a daemon that knows no tools command is told all the same", async () => {
  await using daemon = await startLineServer({
    onLine: ({ type, req }, say) => {
      const unknown = {
        type: "error",
        code: "unknown_command",
        message: `unknown command ${type}`,
      };
      say(type === "status" ? { type, req, backend: { state: "ready" } } : { ...unknown, req });
    },
  });
  const ran = await run(["status"], { env: { ...process.env, XDG_RUNTIME_DIR: daemon.folder } });
  assert.equal(ran.status, 0);
  assert.match(ran.output, /^desktop-assistant is running\n/);
});

const item: ToolItem = {
  name: "fs__write",
  description: "Writes",
  source: "mcp",
  from: "fs",
  state: "ready",
  error: "",
  hint: "",
  effect: "change",
  confirm: "auto",
  untrusted: true,
  personal: false,
  announce: {},
  usual_ms: null,
  remarks: [],
};
const server: ServerItem = { server: "fs", state: "ready", error: "", hint: "", tools: 1 };
const texts = (...args: Parameters<typeof toolListLines>) =>
  toolListLines(...args).map((line) => paint(line, "none"));

test("servers stand below the tools with their state and their last words", () => {
  const failed = { ...server, server: "web", state: "failed", error: "died\x1b[1m", hint: "Mend." };
  const changed = {
    ...item,
    name: "fs__read",
    state: "changed",
    error: "it changed",
    effect: null,
  };
  const listed = {
    items: [item, { ...changed, state: "changed" as const }],
    servers: [server, { ...failed, state: "failed" as const }],
  };
  assert.deepEqual(texts(listed, 80), [
    "· fs__write  change, mcp fs, ready  Writes",
    "! fs__read   mcp fs, changed  Writes",
    "    it changed",
    "· mcp server fs: ready, 1 tool",
    "! mcp server web: failed, 1 tool",
    "    died[1m",
    "    Mend.",
  ]);
  assert.equal(faultCounts(listed), "tools: 1 ready, 1 changed; servers: 1 ready, 1 failed");
  assert.equal(faultsOf(listed).items.length + faultsOf(listed).servers.length, 2);
});

test("what the person left out, and a call that failed, are no faults", () => {
  const items = [
    { ...item, state: "off" as const, effect: null },
    { ...item, error: "timed out" },
  ];
  assert.equal(faultCounts({ items, servers: [server] }), null);
  assert.deepEqual(faultsOf({ items, servers: [server] }), { items: [], servers: [] });
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// MCP servers of a real daemon: the first question beside hanging ones, calls, memory, and kill -9.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countWith, heirs, holder } from "../process/heirs.ts";
import { startDaemon } from "../support/daemon.ts";
import { scripted } from "../support/mcp/opened.ts";
import type { Script as ServerScript } from "../support/mcp/server.ts";
import type { Script } from "../support/model-server.ts";
import { start } from "../support/started.ts";

const table = (name: string, script: ServerScript, rest = "") =>
  `[mcp.${name}]\ncommand = ${JSON.stringify(scripted(script))}\n${rest}\n`;

test("the first question is answered while 5 of 20 servers hang", async (t) => {
  const hangs = (at: number) => at % 4 === 0;
  const tables = Array.from({ length: 20 }, (_, at) =>
    table(`s${at}`, hangs(at) ? { deaf: ["initialize"] } : {}),
  );
  const begun = performance.now();
  const { daemon, end } = await start({ config: tables.join("") });
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "Are you there?" });
  const turn = await client.turn();
  t.diagnostic(`answered ${Math.round(performance.now() - begun)} ms after the daemon's start`);
  assert.ok(turn.some((line) => line.type === "done"));
  // They still hang: nothing of this was waited for.
  const { servers } = await client.ask({ type: "tools" });
  assert.ok(Array.isArray(servers));
  const waiting = servers.filter(({ state }) => state === "starting");
  const names = waiting.map(({ server }) => server);
  for (const at of [0, 4, 8, 12, 16]) assert.ok(names.includes(`s${at}`));
});

const calls =
  (name: string, args: unknown): Script =>
  (reply, request) => {
    const last = request.json.messages.at(-1);
    if (last?.role === "user") reply.call(name, args).finish("tool_calls").usage(9, 9).done();
    else
      reply
        .text(last?.content ?? "")
        .finish()
        .usage(9, 9)
        .done();
  };

test("the model calls a reading tool, and no other without the person's yes", async (t) => {
  const config = table("a", {}, 'read = ["echo"]');
  const { model, daemon, end } = await start({ config, script: calls("a__echo", { words: "hi" }) });
  t.after(end);
  await daemon.logged("mcp: a: ready");
  const client = await daemon.connect();
  client.send({ type: "ask", text: "echo" });
  const turn = await client.turn();
  assert.ok(turn.some(({ type, name }) => type === "tool" && name === "a__echo"));
  assert.equal(model.chats.at(-1)?.json.messages.at(-1)?.content, "hi");
  const { items } = await client.ask({ type: "tools" });
  assert.ok(Array.isArray(items));
  const pid = items.find(({ name }) => name === "a__pid");
  assert.deepEqual([pid.effect, pid.source, pid.from], ["change", "mcp", "a"]);
  const ran = await client.ask({ type: "run", name: "a__pid", arguments: {} });
  assert.equal(ran.ok, false);
});

test("the next daemon offers the same tools before their server has said a word", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "da-mcp-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const lock = join(folder, "lock");
  const config = table("a", { crash: "gone", crashWhile: lock });
  const { model, home, daemon, end } = await start({ config });
  t.after(end);
  await daemon.logged("mcp: a: ready");
  const client = await daemon.connect();
  client.send({ type: "ask", text: "one" });
  await client.turn();
  await daemon.stop();
  writeFileSync(lock, "");
  const second = await startDaemon(home);
  t.after(second.stop);
  await second.logged("mcp: a: it ended with status 1: gone");
  const again = await second.connect();
  again.send({ type: "ask", text: "one" });
  await again.turn();
  const offered = model.chats
    .filter(({ json }) => json.messages.at(-1)?.content.endsWith("one"))
    .map(({ json }) => JSON.stringify(json.tools));
  assert.equal(offered.length, 2);
  assert.ok(offered[0]?.includes("a__echo"));
  assert.equal(offered[1], offered[0]);
});

test("kill -9 of the daemon leaves no server, nor what they started", async (t) => {
  using pipe = heirs();
  const child = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & setsid ${holder(pipe.tag)} & wait`;
  const config = ["a", "b", "c"].map((name) => table(name, { child, stubborn: true })).join("");
  const { daemon, end } = await start({ config });
  t.after(end);
  for (const name of ["a", "b", "c"]) await daemon.logged(`mcp: ${name}: ready`);
  await pipe.up(6);
  const before = countWith(pipe.tag);
  daemon.child.kill("SIGKILL");
  await once(daemon.child, "exit");
  await pipe.ended;
  t.diagnostic(`holders before: ${before}, after: ${countWith(pipe.tag)}`);
  assert.ok(before >= 6);
  assert.equal(countWith(pipe.tag), 0);
});

test("without a server the client library is not loaded", async (t) => {
  const { daemon, end } = await start({ config: table("a", {}, "enabled = false") });
  t.after(end);
  const client = await daemon.connect();
  const { servers } = await client.ask({ type: "tools" });
  assert.deepEqual(servers, [{ server: "a", state: "off", error: "", hint: "", tools: 0 }]);
});

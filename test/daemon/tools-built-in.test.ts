// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The built-in tools in a running daemon: with its history, its data folder, and its sudden end.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { obeyingModel } from "../support/obeying-model.ts";
import { start } from "../support/started.ts";
import { answering } from "../support/yes-and-no.ts";

const names = (body: { tools?: { function: { name: string } }[] } | undefined) =>
  body?.tools?.map((tool) => tool.function.name);

test("a conversation is offered them first, and none at all without rounds", async (t) => {
  const tools = { "now.toml": 'description = "Time."\ncommand = ["date"]\n' };
  const { daemon, model, home, end } = await start({ tools });
  t.after(end);
  const client = await daemon.connect();
  client.send({ type: "ask", text: "q" });
  await client.turn();
  assert.deepEqual(names(model.chats[0]?.json), ["history_search", "notes", "note", "now"]);
  await daemon.stop();
  home.config(`llm = "${model.url}"\ntool_rounds = 0\n`);
  await using again = await startDaemon(home);
  const later = await again.connect();
  later.send({ type: "ask", text: "q" });
  await later.turn();
  assert.equal(names(model.chats[1]?.json), undefined);
});

test("what was said is found with its day, and never what was said in private", async (t) => {
  const { daemon, end } = await start({ script: obeyingModel() });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "new", private: true });
  client.send({ type: "ask", text: "a secret zebra" });
  await client.turn();
  await client.ask({ type: "new" });
  client.send({ type: "ask", text: "my zebra has stripes" });
  await client.turn();
  const { text, data } = await client.ask({
    type: "run",
    name: "history_search",
    arguments: { query: "zebra" },
  });
  const day = new Date().toLocaleDateString("sv");
  assert.equal(text, `${day} my zebra has stripes: my **zebra** has stripes`);
  assert.equal(Array.isArray(data) && data.length, 1);
});

test("a note asks first, is read again, and asks no more when the person's file waives it", async (t) => {
  const { daemon, home, model, end } = await start({ script: obeyingModel() });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["confirm"] });
  const lines = await answering(client, 'use note {"text":"milk"}', true);
  const asked = lines.find(({ type }) => type === "confirm");
  assert.deepEqual([asked?.name, asked?.arguments], ["note", { text: "milk" }]);
  const read = await client.ask({ type: "run", name: "notes" });
  assert.match(String(read.text), /^- \d{4}-\d\d-\d\d milk$/);
  await daemon.stop();
  home.config(`llm = "${model.url}"\n[plugins.note]\nconfirm = "never"\n`);
  await using again = await startDaemon(home);
  const later = await again.connect();
  await later.ask({ type: "features", names: ["confirm"] });
  const free = await answering(later, 'use note {"text":"bread"}', false);
  assert.ok(!free.some(({ type }) => type === "confirm"));
  assert.match(readFileSync(join(home.data, "notes.md"), "utf8"), / milk\n- .* bread\n$/);
});

test("a setting that cannot be understood is among the notices of a new client", async (t) => {
  const { daemon, end } = await start({ config: "[plugins.note]\nenabled = 1\n" });
  t.after(end);
  const client = await daemon.connect();
  const { notices } = await client.ask({ type: "features", names: ["notice"] });
  assert.match(JSON.stringify(notices), /plugins\.note\.enabled must be true or false, and is 1/);
});

test("settings below a mistyped name are told, those of a tool that is gone are not", async (t) => {
  const { daemon, end } = await start({
    config: "[plugins.notte]\nenabled = false\n[plugins.note]\n[plugins.weather]\ncity = 1\n",
  });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "check" });
  const { notices } = await client.ask({ type: "features", names: ["notice"] });
  const told = JSON.stringify(notices);
  assert.match(told, /plugins\.notte belongs to no tool.*Did you mean plugins\.note/);
  assert.doesNotMatch(told, /weather/);
});

test("a notice that was told twice is among those of a new client once", async (t) => {
  const { daemon, home, end } = await start();
  t.after(end);
  home.tool("it.ts", "export default {};\n");
  const client = await daemon.connect();
  for (let time = 0; time < 3; time += 1) await client.ask({ type: "check" });
  const { notices } = await client.ask({ type: "features", names: ["notice"] });
  assert.equal(JSON.stringify(notices).split("it.ts: its name must be").length, 2);
});

test("whatever was noted is there after kill -9, in whole lines", async (t) => {
  const { daemon, home, model, end } = await start();
  t.after(end);
  home.config(`llm = "${model.url}"\n[plugins.note]\nconfirm = "never"\n`);
  await daemon.stop();
  const answered: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    await using killed = await startDaemon(home);
    const client = await killed.connect();
    for (let at = 0; at < 20; at += 1) {
      const text = `${round}.${at} ${"x".repeat(500)}`;
      client.send({ type: "run", name: "note", arguments: { text }, req: text });
    }
    // Some are answered, some on their way, some not begun.
    for (let at = 0; at <= round * 3; at += 1)
      answered.push(String((await client.next("ran")).req));
    killed.child.kill("SIGKILL");
    await killed.exited;
  }
  const lines = readFileSync(join(home.data, "notes.md"), "utf8").split("\n");
  assert.equal(lines.pop(), "");
  const whole = /^- \d{4}-\d\d-\d\d (\d\.\d+ x{500})$/;
  const kept = lines.map((line) => whole.exec(line)?.[1]);
  assert.ok(kept.every((text) => text !== undefined));
  for (const text of answered) assert.ok(kept.includes(text), text.slice(0, 5));
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a plugin starts ends with its plugin and with the daemon, also when that is killed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { countWith, heirs, holder } from "../../process/heirs.ts";
import { start } from "../../support/started.ts";
import { opened, plugin, tool } from "./plugins.ts";

/**
 * Holds the pipe itself, and starts four that do: as they come, detached, without the environment, and
 * both.
 */
function starting(pipe: ReturnType<typeof heirs>, then: string): string {
  const script = `exec 3>'${pipe.path}'; ${holder(pipe.tag)}`;
  const body = `openSync("${pipe.path}", "w"); for (const detached of [false, true]) for (const env of [process.env, { PATH: process.env.PATH }])
      spawn("sh", ["-c", ${JSON.stringify(script)}], { detached, env, stdio: "ignore" }).unref();`;
  return plugin(tool("starts", `${body} ${then}`, "timeout: 86400,"));
}
const answers = "return { ok: true, text: 'started' };";

test("nothing that a plugin has started outlives a daemon that is killed", async (t) => {
  using pipe = heirs();
  const { daemon, end } = await start({ tools: { "it.js": starting(pipe, answers) } });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "check" });
  const { text } = await client.ask({ type: "run", name: "starts" });
  assert.equal(text, "started");
  await pipe.up(4);
  assert.ok(countWith(pipe.tag) >= 4);
  daemon.child.kill("SIGKILL");
  await daemon.exited;
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("nothing that a plugin has started outlives a daemon that is killed while the plugin loops", async (t) => {
  using pipe = heirs();
  const { daemon, end } = await start({ tools: { "it.js": starting(pipe, "for (;;);") } });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "check" });
  client.send({ type: "run", name: "starts" });
  await pipe.up(4);
  daemon.child.kill("SIGKILL");
  await daemon.exited;
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("a daemon that is stopped ends what its plugins have started", async (t) => {
  using pipe = heirs();
  const { daemon, end } = await start({ tools: { "it.js": starting(pipe, answers) } });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "check" });
  await client.ask({ type: "run", name: "starts" });
  await pipe.up(4);
  await daemon.stop();
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("a call that does not stop is ended with all that it has started", async () => {
  using pipe = heirs();
  await using here = await opened({ "it.js": starting(pipe, "for (;;);") });
  const stop = new AbortController();
  const going = here.call("starts", {}, stop.signal);
  await pipe.up(4);
  const reason = new Error("stopped");
  stop.abort(reason);
  await assert.rejects(going, reason);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("a plugin that ends itself takes with it what still can be told to be its own", async () => {
  using pipe = heirs();
  const script = `exec 3>'${pipe.path}'; ${holder(pipe.tag)}`;
  const spawns = `spawn("sh", ["-c", ${JSON.stringify(script)}], { detached: true, stdio: "ignore" }).unref();`;
  const files = {
    "it.js": plugin(tool("starts", `${spawns} ${answers}`), tool("ends", "process.exit(0);")),
  };
  await using here = await opened(files);
  await here.call("starts");
  await pipe.up(1);
  await here.call("ends");
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Plugins that do not behave: they loop, exit, throw aside, fill the memory, ignore their end.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { heirs } from "../../process/heirs.ts";
import { opened, plugin, tool } from "./plugins.ts";

const pid = tool("pid", "return { ok: true, data: process.pid };");
const hangs = tool("hangs", "await new Promise(() => {});");

/** Calls `bad` while `hangs` runs, then `pid`: a new process answers. */
async function broken(body: string, { rest = "" } = {}) {
  await using here = await opened({ "it.js": plugin(tool("bad", body, rest), pid, hangs) });
  const before = (await here.call("pid")).data;
  const beside = here.call("hangs");
  const { ok, text, latencyMs } = await here.call("bad");
  assert.equal(ok, false);
  const after = (await here.call("pid")).data;
  assert.ok(typeof after === "number" && after !== before);
  assert.deepEqual(here.told(), []);
  return { text, beside: (await beside).text, latencyMs, logged: here.logged };
}

test("an endless loop is timed out, costs the calls beside it, and the next call has a new process", async () => {
  const { text, beside, latencyMs } = await broken("for (;;);", { rest: "timeout: 0.2," });
  assert.equal(text, "error: timed out");
  assert.equal(beside, "error: it.js: was ended, since bad did not stop");
  assert.ok(latencyMs < 700, `${latencyMs}`);
});

test("a call that ignores its end is timed out, and its process is ended", async () => {
  const { text, beside, latencyMs } = await broken("await new Promise(() => {});", {
    rest: "timeout: 0.2,",
  });
  assert.deepEqual(
    [text, beside],
    ["error: timed out", "error: it.js: was ended, since bad did not stop"],
  );
  assert.ok(latencyMs < 700, `${latencyMs}`);
});

test("a call that waits for a program without end is ended with it", async () => {
  const { text } = await broken('execFileSync("sleep", ["86400"]);', { rest: "timeout: 0.2," });
  assert.equal(text, "error: timed out");
});

test("a plugin that ends itself in a call says so", async () => {
  const { text, beside, logged } = await broken("process.exit(3);");
  assert.equal(text, "error: it.js: ended itself (exit status 3)");
  assert.equal(beside, text);
  assert.deepEqual(logged, ["plugin it.js: ended itself (exit status 3)"]);
});

test("an error in a timer is told with its line", async () => {
  const late =
    "setTimeout(() => { throw new TypeError('late'); }, 1); await new Promise(() => {});";
  const { text } = await broken(late);
  assert.equal(text, "error: it.js:2: late");
});

test("a rejection that nobody caught is told with its line", async () => {
  const { text } = await broken(
    "Promise.reject(new Error('afloat')); await new Promise(() => {});",
  );
  assert.equal(text, "error: it.js:2: afloat");
});

test("a plugin that aborts, or is killed, says by what", async () => {
  const killed = await broken("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});");
  assert.equal(killed.text, "error: it.js: was ended by SIGKILL");
});

const bombs: [title: string, body: string][] = [
  ["a list that grows", "const all = []; for (;;) all.push(new Array(1000).fill({}));"],
  ["a table that grows", "const all = new Map(); for (let at = 0; ; at += 1) all.set(at, at);"],
  ["one text made a list", 'return { ok: true, data: [..."x".repeat(2 ** 29 - 30)] };'],
];

for (const [title, body] of bombs) {
  test(`a memory bomb ends its plugin only: ${title}`, async () => {
    const { text } = await broken(body, { rest: "timeout: 100," });
    assert.equal(text, "error: it.js: ran out of memory (256 MB) and was ended");
  });
}

test("a stop settles the call at once with its reason, and a call that heeds it keeps the process", async () => {
  using pipe = heirs();
  const begun = `writeFileSync("${pipe.path}", "up\\n");`;
  const heeds = tool(
    "heeds",
    `${begun} await new Promise((resolve) => signal.addEventListener("abort", resolve)); count += 1; return { ok: true };`,
  );
  const seen = tool("seen", "return { ok: true, data: [count, process.pid] };");
  await using here = await opened({ "it.js": plugin(heeds, seen) });
  const [, before] = Object((await here.call("seen")).data);
  const stop = new AbortController();
  const going = here.call("heeds", {}, stop.signal);
  await pipe.up(1);
  const reason = new Error("stopped by the person");
  stop.abort(reason);
  await assert.rejects(going, reason);
  assert.deepEqual((await here.call("seen")).data, [1, before]);
  await assert.rejects(here.call("seen", {}, AbortSignal.abort(reason)), reason);
});

test("a call made while another is past its end waits until that is settled", async () => {
  const slow = tool("slow", "for (;;);", "timeout: 0.1,");
  await using here = await opened({ "it.js": plugin(slow, pid) });
  const [late, next] = [here.call("slow"), here.call("slow").then(() => here.call("pid"))];
  assert.equal((await late).text, "error: timed out");
  assert.equal((await next).ok, true);
});

test("a call that is stopped while its process starts anew does not begin", async () => {
  const ends = tool("ends", "process.exit(1);");
  const writes = tool("writes", 'writeFileSync("mark", ""); return { ok: true };');
  await using here = await opened({ "it.js": plugin(ends, writes, pid) });
  await here.call("ends");
  const stop = new AbortController();
  const going = here.call("writes", {}, stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(going, /stopped/);
  assert.equal((await here.call("pid")).ok, true);
  assert.equal(existsSync(join(here.folder, "mark")), false);
});

test("one plugin's end costs another nothing", async () => {
  const files = { "a.js": plugin(tool("bad", "process.exit(1);")), "b.js": plugin(pid) };
  await using here = await opened(files);
  const before = (await here.call("pid")).data;
  assert.equal((await here.call("bad")).ok, false);
  assert.equal((await here.call("pid")).data, before);
});

test("a plugin that cannot be loaded any more says so at each call, and is tried again", async () => {
  const first =
    'const mark = process.cwd() + "/mark"; const { existsSync } = await import("node:fs"); if (existsSync(mark)) throw new Error("not twice");';
  const once = tool("once", 'writeFileSync(mark, ""); process.exit(1);');
  const text = `${first}\n${plugin(once, pid)}`;
  await using here = await opened({ "it.js": text });
  assert.equal((await here.call("once")).ok, false);
  for (let at = 0; at < 2; at += 1)
    assert.equal((await here.call("pid")).text, "error: it.js:1: not twice");
});

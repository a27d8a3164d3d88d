// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Servers that crash, hang, talk nonsense, or will not go: who is told what, and who is left afterwards.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { countWith, heirs, holder } from "../../process/heirs.ts";
import { open } from "../../support/mcp/opened.ts";

const { signal: never } = new AbortController();
const quick = { pausesMs: [1, 1, 1, 1] };
const failed = (mcp: ReturnType<typeof open>, server: string) => () =>
  mcp.logged.includes(`mcp: ${server}: left off`);

test("X1: a server that ends at its start fails with its last words, and the others work", async () => {
  await using mcp = open(
    { a: { script: { crash: "no key\nset KEY\n" } }, b: {} },
    { limits: quick },
  );
  await mcp.until(failed(mcp, "a"));
  const { state, error, hint } = mcp.item("a");
  assert.equal(state, "failed");
  assert.equal(error, "it ended with status 1: no key / set KEY");
  assert.match(hint, /^Mend it, then type: desktop-assistant tools check/);
  assert.equal(mcp.logged.filter((line) => line.startsWith("mcp: a: it ended")).length, 5);
  assert.deepEqual(
    mcp.notices.map(({ code, message }) => [code, message]),
    [["mcp_server", `The server a is left off: ${error}`]],
  );
  await mcp.until(() => mcp.state("b") === "ready");
  assert.equal((await mcp.call("b__echo", { words: "here" })).text, "here");
});

test("a program that is not there is named", async () => {
  await using mcp = open({ a: { command: ["no-such-program"] } }, { limits: quick });
  await mcp.until(failed(mcp, "a"));
  assert.equal(mcp.item("a").error, "cannot run no-such-program: no such program");
});

test("X3: a server that never answers the greeting fails after its time, the others are there", async () => {
  const a = { script: { deaf: ["initialize"] } };
  await using mcp = open({ a, b: {} }, { limits: { startMs: 3000, pausesMs: [] } });
  await mcp.until(() => mcp.state("b") === "ready");
  assert.equal(mcp.state("a"), "starting");
  assert.equal((await mcp.call("b__echo", { words: "here" })).text, "here");
  await mcp.until(() => mcp.state("a") === "failed");
  assert.equal(mcp.item("a").error, "it did not answer within 3 s");
});

test("a server that refuses the greeting, or the list, is told in its own words", async () => {
  const [a, b] = ["initialize", "tools/list"].map((method) => ({ script: { refuse: [method] } }));
  assert.ok(a && b);
  await using mcp = open({ a, b }, { limits: { pausesMs: [] } });
  await mcp.until(() => mcp.state("a") === "failed" && mcp.state("b") === "failed");
  assert.deepEqual(
    [mcp.item("a").error, mcp.item("b").error],
    ["not initialize", "not tools/list"],
  );
});

test("a server that never lists its tools fails after its time", async () => {
  const a = { script: { deaf: ["tools/list"] } };
  await using mcp = open({ a }, { limits: { startMs: 1000, pausesMs: [] } });
  await mcp.until(() => mcp.state("a") === "failed");
  assert.equal(mcp.item("a").error, "it did not answer within 1 s");
});

test("a banner and bad JSON on the output are passed over", async () => {
  const banner = 'Welcome!\n{"not": "rpc"}\n{broken\n[]\n\n';
  await using mcp = open({ a: { script: { banner } } });
  await mcp.ready();
  const words = `${banner}\n{"jsonrpc":"2.0"}\n`;
  assert.equal((await mcp.call("a__raw", { words })).text, "after");
});

test("a program that only chatters is no server", async () => {
  await using mcp = open({ a: { command: ["yes"] } }, { limits: { pausesMs: [] } });
  await mcp.until(() => mcp.state("a") === "failed");
  assert.equal(mcp.item("a").error, "what it writes is no MCP");
});

test("a line of 50 MB ends the server, and the call at once", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const before = process.memoryUsage().arrayBuffers;
  const { ok, text } = await mcp.call("a__long", { bytes: 50_000_000 });
  assert.equal(ok, false);
  assert.equal(text, "error: the server a: it sent a message of more than 16777216 bytes");
  assert.ok(process.memoryUsage().arrayBuffers - before < 24_000_000);
  await mcp.until(() => mcp.state("a") === "failed");
});

test("a server that crashes during a call fails it at once, and comes back", async () => {
  await using mcp = open({ a: {} }, { limits: { pausesMs: [1] } });
  await mcp.ready();
  for (const _ of [1, 2, 3]) {
    const pid = (await mcp.call("a__pid")).text;
    const { ok, text } = await mcp.call("a__crash");
    assert.equal(ok, false);
    assert.equal(text, "error: the server a: it ended with status 3: first word / last word");
    await mcp.ready();
    assert.notEqual((await mcp.call("a__pid")).text, pid);
  }
  // A call that worked begins the count anew: with one pause only, a row of two would be left off.
  assert.ok(!mcp.logged.includes("mcp: a: left off"));
});

test("a crash at the second call is told to that call", async () => {
  await using mcp = open({ a: {} }, { limits: { pausesMs: [] } });
  await mcp.ready();
  assert.equal((await mcp.call("a__second")).text, "once");
  assert.match((await mcp.call("a__second")).text, /^error: the server a: it ended with status 4/);
});

test("a call to a server that is gone fails at once with who and why", async () => {
  await using mcp = open({ a: {} }, { limits: { pausesMs: [86_400_000] } });
  await mcp.ready();
  await mcp.call("a__crash");
  await mcp.until(() => mcp.state("a") === "failed");
  const begun = performance.now();
  const { text } = await mcp.call("a__echo", { words: "?" });
  assert.ok(performance.now() - begun < 1000);
  assert.match(text, /^error: the server a is not running: it ended with status 3: first word/);
  assert.equal(mcp.known("a__echo").state, "broken");
});

test("a server that leaves while idle comes back by itself", async () => {
  await using mcp = open({ a: {} }, { limits: { pausesMs: [1] } });
  await mcp.ready();
  assert.equal((await mcp.call("a__leave")).text, "bye");
  await mcp.until(() => mcp.logged.some((line) => line.includes("ended with status 0")));
  await mcp.ready();
  assert.equal((await mcp.call("a__echo", { words: "again" })).text, "again");
});

test("a check starts what was left off, and reads every list anew", async () => {
  const folder = mkdtempSync(join(tmpdir(), "da-mcp-"));
  try {
    const list = join(folder, "list.json");
    const lock = join(folder, "lock");
    const named = (...names: string[]) => JSON.stringify(names.map((name) => ({ name })));
    writeFileSync(list, named("echo"));
    writeFileSync(lock, "");
    const a = { script: { crash: "locked", crashWhile: lock } };
    await using mcp = open({ a, b: { script: { tools: list } } }, { limits: { pausesMs: [] } });
    await mcp.until(failed(mcp, "a"));
    await mcp.until(() => mcp.state("b") === "ready");
    await mcp.tools.check(never);
    assert.equal(mcp.item("a").error, "it ended with status 1: locked");
    rmSync(lock);
    writeFileSync(list, named("echo", "later"));
    await mcp.tools.check(never);
    assert.deepEqual([mcp.state("a"), mcp.item("b").tools], ["ready", 2]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a check waits no longer than it is let", async () => {
  await using mcp = open({ a: { script: { deaf: ["initialize"] } } });
  const reason = new Error("enough");
  await assert.rejects(mcp.tools.check(AbortSignal.abort(reason)), reason);
});

test("answers with wrong ids reach nobody", async () => {
  await using mcp = open({ a: { timeout: 1 } });
  await mcp.ready();
  assert.equal((await mcp.call("a__stray")).text, "for you");
  assert.equal((await mcp.call("a__lost")).text, "error: the server a did not answer within 1 s");
});

for (const [what, args, why] of [
  [
    "messages",
    { words: '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}' },
    "it sends messages without end",
  ],
  ["words of error", { words: "e".repeat(100), error: true }, "its error output has no end"],
] as const)
  test(`a server that sends ${what} without end is ended, whatever it does meanwhile`, async () => {
    await using mcp = open(
      { a: { script: {} } },
      { limits: { pausesMs: [], unasked: 5000, words: 1_000_000 } },
    );
    await mcp.ready();
    const { text } = await mcp.call("a__flood", args);
    assert.equal(text, `error: the server a: ${why}`);
    await mcp.until(() => mcp.state("a") === "failed");
  });

test("a storm of notifications is lived through", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  assert.equal((await mcp.call("a__storm", { count: 20_000 })).text, "calm");
  assert.equal((await mcp.call("a__echo", { words: "still here" })).text, "still here");
});

test("a server that ignores its close is ended, with all it started and what left its group", async () => {
  using pipe = heirs();
  const child = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & setsid ${holder(pipe.tag)} & wait`;
  {
    await using mcp = open({ a: { script: { stubborn: true, child } } });
    await mcp.ready();
    await pipe.up(2);
    assert.ok(countWith(pipe.tag) > 0);
  }
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("what a server left behind goes when the server has crashed", async () => {
  using pipe = heirs();
  const child = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & wait`;
  await using mcp = open({ a: { script: { child } } }, { limits: { pausesMs: [] } });
  await mcp.ready();
  await pipe.up(1);
  // Its child holds its output open: the end is told all the same.
  assert.match((await mcp.call("a__crash")).text, /ended with status 3/);
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

test("a close while a server starts leaves nobody", async () => {
  using pipe = heirs();
  const child = `exec 3>'${pipe.path}'; ${holder(pipe.tag)} & wait`;
  {
    await using mcp = open({ a: { script: { child, deaf: ["initialize"], stubborn: true } } });
    await pipe.up(1);
    assert.equal(mcp.state("a"), "starting");
  }
  await pipe.ended;
  assert.equal(countWith(pipe.tag), 0);
});

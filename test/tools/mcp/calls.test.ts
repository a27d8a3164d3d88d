// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Calls to a server that works, and what of its answers a model reads.
import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { open } from "../../support/mcp/opened.ts";

test("a call reaches the tool, and its text is what the model reads", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const { ok, text, data } = await mcp.call("a__echo", { words: "hello" });
  assert.deepEqual([ok, text, data], [true, "hello", null]);
  assert.ok(mcp.logged.some((line) => line.startsWith("mcp: a: ready, tools: ")));
});

const answers: [title: string, result: unknown, text: string | RegExp][] = [
  [
    "several texts",
    {
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
    },
    "one\ntwo",
  ],
  [
    "an image",
    { content: [{ type: "image", data: "A".repeat(16_000), mimeType: "image/png" }] },
    "[image, 12 kB]",
  ],
  ["a sound", { content: [{ type: "audio", data: "AAAA", mimeType: "a/b" }] }, "[audio, 3 bytes]"],
  [
    "a link",
    { content: [{ type: "resource_link", uri: "file:///a", name: "A file" }] },
    "A file: file:///a",
  ],
  [
    "a file with text",
    { content: [{ type: "resource", resource: { uri: "x://a", text: "inside" } }] },
    "x://a:\ninside",
  ],
  [
    "a file with bytes",
    { content: [{ type: "resource", resource: { uri: "x://a", blob: "AAAA" } }] },
    "[file x://a, 3 bytes]",
  ],
  ["a kind of its own", { content: [{ type: "hologram" }, 7, null] }, /^\[hologram\]\n\[something/],
  ["no content", {}, "(no output)"],
  ["content that is none", { content: "words" }, "(no output)"],
  ["data without text", { content: [], structuredContent: { n: 1 } }, '{"n":1}'],
];
test("every kind of answer becomes text", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  for (const [title, result, expected] of answers) {
    const { ok, text } = await mcp.call("a__answer", { result });
    assert.equal(ok, true, title);
    if (typeof expected === "string") assert.equal(text, expected, title);
    else assert.match(text, expected, title);
  }
});

test("structured content is the result's data", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const result = { content: [{ type: "text", text: "one" }], structuredContent: { n: 1 } };
  const { text, data } = await mcp.call("a__answer", { result });
  assert.deepEqual([text, data], ["one", { n: 1 }]);
});

test("an answer that breaks the tool's own output schema is still an answer", async () => {
  const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const tools = [{ name: "answer", inputSchema: { type: "object" }, outputSchema }];
  await using mcp = open({ a: { script: { tools } } });
  await mcp.ready();
  const result = { content: [{ type: "text", text: "words" }] };
  assert.equal((await mcp.call("a__answer", { result })).text, "words");
});

test("a tool's own failure is no success, and its words are read", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const content = [{ type: "text", text: "no such file" }];
  const { ok, text, error } = await mcp.call("a__answer", { result: { content, isError: true } });
  assert.deepEqual([ok, text, error], [false, "error: no such file", "no such file"]);
  const silent = await mcp.call("a__answer", { result: { isError: true } });
  assert.match(silent.text, /^error: the server a says that it failed/);
});

test("an error of the protocol names the server", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const { ok, text } = await mcp.call("a__refuse");
  assert.equal(ok, false);
  assert.equal(text, "error: the server a: not today");
});

test("X8: a result of 5 MB is cut where every tool's is", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const { ok, text } = await mcp.call("a__echo", { words: "y".repeat(5_000_000) });
  assert.equal(ok, true);
  assert.equal(text, `${"y".repeat(2000)}\n[cut: 4998000 more characters]`);
});

test("a server gets a short environment, its own variables, and the home folder", async () => {
  process.env.DA_TEST_SECRET = "not for servers";
  try {
    await using mcp = open({ a: { env: { KEY: "value" } } });
    await mcp.ready();
    const { env, cwd } = JSON.parse((await mcp.call("a__place")).text);
    assert.equal(cwd, homedir());
    assert.equal(env.KEY, "value");
    assert.equal(env.PATH, process.env.PATH);
    const own = [
      "HOME",
      "LOGNAME",
      "PATH",
      "SHELL",
      "TERM",
      "USER",
      "KEY",
      "DESKTOP_ASSISTANT_CHILD",
    ];
    const shells = ["PWD", "SHLVL", "_", "OLDPWD"];
    assert.deepEqual(
      Object.keys(env).filter((name) => ![...own, ...shells].includes(name)),
      [],
    );
  } finally {
    delete process.env.DA_TEST_SECRET;
  }
});

test("a stop rejects at once, and the server is told", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const stop = new AbortController();
  const going = mcp.call("a__hang", {}, stop.signal);
  const reason = new Error("stopped by the person");
  stop.abort(reason);
  await assert.rejects(going, reason);
  // The stop came before anything was sent, so nothing had to be taken back.
  const later = new AbortController();
  const sent = mcp.call("a__hang", {}, later.signal);
  assert.equal((await mcp.call("a__echo", { words: "in order" })).text, "in order");
  later.abort(reason);
  await assert.rejects(sent, reason);
  assert.notEqual((await mcp.call("a__cancelled")).text, "0");
});

test("a call that takes too long is given up, and the server goes on", async () => {
  await using mcp = open({ a: { timeout: 1 } });
  await mcp.ready();
  const { ok, text } = await mcp.call("a__hang");
  assert.deepEqual([ok, text], [false, "error: the server a did not answer within 1 s"]);
  assert.equal((await mcp.call("a__cancelled")).text, "1");
});

test("a call to a server that starts for the first time waits for it", async () => {
  const remembered = await (async () => {
    await using first = open({ a: {} });
    await first.ready();
    return first.remembered;
  })();
  await using mcp = open({ a: {} }, { remembered });
  assert.equal(mcp.state("a"), "starting");
  assert.equal((await mcp.call("a__echo", { words: "worth the wait" })).text, "worth the wait");
});

/** Bytes in use after everything unused is thrown away. */
function heap(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}

test("many calls leave no memory taken", async () => {
  await using mcp = open({ a: {} });
  await mcp.ready();
  const calls = async (count: number) => {
    for (let done = 0; done < count; done += 1) await mcp.call("a__echo", { words: "again" });
  };
  await calls(300);
  const before = heap();
  await calls(3000);
  assert.ok(heap() - before < 1_000_000, `${heap() - before} bytes more`);
});

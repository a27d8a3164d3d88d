// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Calls of a plugin's tools: what goes in, what comes out, and what is made of a result of any shape.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opened, plugin, tool } from "./plugins.ts";

async function result(body: string) {
  await using here = await opened({ "it.js": plugin(tool("it", body)) });
  assert.deepEqual(here.told(), []);
  return await here.call("it", { x: "given" });
}

test("a call gets its arguments, and its result arrives whole, with the card", async () => {
  const { latencyMs, ...rest } = await result(
    'return { ok: true, data: [args.x, { n: 1 }], text: "said", meta: { hits: 2 }, card: { kind: "list", items: ["a"] } };',
  );
  assert.deepEqual(rest, {
    ok: true,
    data: ["given", { n: 1 }],
    text: "said",
    error: "",
    meta: { hits: 2 },
    card: { kind: "list", items: ["a"] },
  });
  assert.ok(latencyMs > 0);
});

test("a fault is told as the tool says it, and what it throws is a fault too", async () => {
  const told = async (body: string) => {
    const { ok, data, text, error } = await result(body);
    assert.deepEqual([ok, data], [false, null]);
    return [text, error];
  };
  assert.deepEqual(await told('return { ok: false, error: "no net" };'), [
    "error: no net",
    "no net",
  ]);
  assert.deepEqual(await told('throw new Error("fell");'), ["error: fell", "fell"]);
  assert.deepEqual(await told('throw "words";'), ["error: words", "words"]);
  assert.deepEqual(await told("throw undefined;"), ["error: undefined", "undefined"]);
  assert.deepEqual(await told("throw { code: 1n };"), ["error: { code: 1n }", "{ code: 1n }"]);
});

test("a tool keeps its state between calls and may use this", async () => {
  const text = `class Count { name = "it"; description = "d"; parameters = {}; #n = 0;
    async call() { this.#n += 1; return { ok: true, data: this.#n }; } }
    export default new Count();`;
  await using here = await opened({ "it.js": text });
  assert.deepEqual(
    [(await here.call("it")).data, (await here.call("it")).data, (await here.call("it")).data],
    [1, 2, 3],
  );
});

test("calls of one plugin run beside each other", async () => {
  const body = `count += 1; if (count === 2) globalThis.go(); else await new Promise((go) => { globalThis.go = go; });
    return { ok: true, data: count };`;
  await using here = await opened({ "it.js": plugin(tool("it", body)) });
  const both = await Promise.all([here.call("it"), here.call("it")]);
  assert.deepEqual(
    both.map(({ data }) => data),
    [2, 2],
  );
});

const bad = "error: it of it.js returned no result with ok true or false";
const shapes: [title: string, body: string, text: string][] = [
  ["nothing", "", bad],
  ["a text", 'return "fine";', bad],
  ["a list", "return [{ ok: true }];", bad],
  ["an ok that is no boolean", 'return { ok: "yes" };', bad],
  ["a function", "return () => 1;", bad],
  [
    "a circle",
    "const a = { ok: true }; a.data = a; return a;",
    "error: it of it.js returned what cannot be written as JSON: ",
  ],
  [
    "a value that fails to be written",
    "return { ok: true, data: { toJSON() { throw new Error('no'); } } };",
    "error: it of it.js returned what cannot be written as JSON: no",
  ],
  ["a text that is none", "return { ok: true, text: { a: 1 } };", '{"a":1}'],
  ["an error that is none", "return { ok: false, error: 404 };", "error: 404"],
  ["an integer beyond 2^53", "return { ok: true, data: 2n ** 64n };", "18446744073709551616"],
  [
    "functions and classes within",
    "return { ok: true, data: { f() {}, d: new Date(0), n: NaN } };",
    '{"d":"1970-01-01T00:00:00.000Z","n":null}',
  ],
];

for (const [title, body, text] of shapes) {
  test(`a result that is ${title} is read or refused`, async () => {
    const got = await result(body);
    assert.ok(got.text.startsWith(text), got.text);
    assert.equal(got.ok, !text.startsWith("error: "));
  });
}

test("what is no card and no table of facts is dropped", async () => {
  for (const [card, meta] of [
    ["7", "7"],
    ["{ items: [] }", "[1]"],
    ['{ kind: "" }', "null"],
    ['[{ kind: "list" }]', '"words"'],
    ["{ kind: 7 }", "() => 1"],
  ]) {
    const got = await result(`return { ok: true, text: "t", card: ${card}, meta: ${meta} };`);
    assert.deepEqual([got.text, got.card, got.meta], ["t", null, {}]);
  }
});

test("10 MB come through, cut for the model, and 20 MB are refused", async () => {
  const many = await result('return { ok: true, data: "x".repeat(10_000_000) };');
  assert.equal(String(many.data).length, 10_000_000);
  assert.match(many.text, /^x{2000}\n\[cut: 9998000 more characters\]$/);
  const most = await result('return { ok: true, data: "x".repeat(20_000_000) };');
  assert.equal(most.text, "error: it of it.js returned more than 16 MB");
});

test("messages that a plugin sends by itself change nothing", async () => {
  const body = `for (const odd of [null, 7, {}, { is: "done" }, { is: "done", id: 99, json: "{" }, { is: "loaded", tools: [] }, { is: "failed", id: 99 },
      { is: "ask", id: 1, tool: "it", what: "secrets", args: [] }, { is: "ask", id: 2, tool: "no", what: "model", args: [] }])
      process.send(odd);
    return { ok: true, text: "fine" };`;
  assert.equal((await result(body)).text, "fine");
});

test("a plugin has the environment of tools, no key, and the tools folder to work in", async (t) => {
  process.env.DESKTOP_ASSISTANT_API_KEY = "secret";
  t.after(() => delete process.env.DESKTOP_ASSISTANT_API_KEY);
  const body = "return { ok: true, data: { env: process.env, cwd: process.cwd() } };";
  await using here = await opened({ "it.js": plugin(tool("it", body)) }, { env: { CITY: "Ulm" } });
  const { data } = await here.call("it");
  const { env, cwd } = Object(data);
  assert.deepEqual([env.CITY, env.PATH, cwd], ["Ulm", process.env.PATH, here.folder]);
  assert.equal(JSON.stringify(env).includes("secret"), false);
  assert.equal(env.NODE_COMPILE_CACHE, undefined);
});

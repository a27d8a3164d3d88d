// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a plugin's tool is handed of the program: plain data that nobody can change, and three requests.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadableError } from "../../../src/errors.ts";
import type { SharedContext } from "../../../src/tools/context.ts";
import { opened, plugin, tool } from "./plugins.ts";

const binds =
  "bindContext(context) { this.context = context; this.binds = (this.binds ?? 0) + 1; },";
const bound = (body: string, rest = "") =>
  tool("it", `const { context } = this; ${body}`, rest + binds);

type Model = SharedContext["model"];

function shared(more: Partial<SharedContext> = {}): SharedContext {
  return {
    pluginsConfig: { it: { city: "Ulm", deep: { list: [1] } }, other: { a: 1 } },
    env: { PLACE: "home" },
    model: async (prompt, { system, maxTokens, schema }) =>
      JSON.stringify({ prompt, system, maxTokens, schema }),
    history: { search: async (words, options) => [hit(`${words} ${options?.limit}`)] },
    archivePath: "/data/notes.md",
    person: { name: "Ada", address: null },
    assistantName: "Aid",
    monitor: async () => ({ memory: { rss: 1, free: 2 }, load: [0.5], queue: 3 }),
    extras: { more: [true] },
    ...more,
  };
}
const hit = (title: string) => ({ id: 7, title, snippet: "s", at: 1 });

test("the plain data is all there, the tool's own table beside all of them", async () => {
  await using here = await opened({
    "it.js": plugin(bound("return { ok: true, data: context };")),
  });
  here.tools.bindContext(shared());
  const { pluginsConfig, env, archivePath, person, assistantName, extras } = shared();
  const plain = { pluginsConfig, env, archivePath, person, assistantName, extras };
  const { data } = await here.call("it");
  assert.deepEqual(data, { ...plain, config: pluginsConfig.it, history: {} });
});

test("nothing of it can be changed", async () => {
  const body = `const tries = [() => { context.config = 1; }, () => { context.config.city = 1; }, () => { context.config.deep.list.push(2); },
      () => { context.history.search = 1; }, () => { context.person.name = "x"; }, () => { delete context.model; }];
    return { ok: true, data: tries.map((one) => { try { one(); return "changed"; } catch (fault) { return fault.name; } }) };`;
  await using here = await opened({ "it.mjs": plugin(bound(body)) });
  here.tools.bindContext(shared());
  assert.deepEqual((await here.call("it")).data, Array(6).fill("TypeError"));
});

test("a completion, a search and a look at the load come from the daemon", async () => {
  const body = `return { ok: true, data: [
    await context.model("p", { signal, system: "s", maxTokens: 9, schema: { type: "object" } }),
    await context.model("q", { signal }),
    await context.history.search("w", { limit: 2 }), await context.history.search("v"), await context.monitor() ] };`;
  await using here = await opened({ "it.js": plugin(bound(body)) });
  here.tools.bindContext(shared());
  const { data } = await here.call("it");
  assert.deepEqual(data, [
    '{"prompt":"p","system":"s","maxTokens":9,"schema":{"type":"object"}}',
    '{"prompt":"q"}',
    [hit("w 2")],
    [hit("v undefined")],
    { memory: { rss: 1, free: 2 }, load: [0.5], queue: 3 },
  ]);
});

test("a fault of the daemon arrives with its code and words", async () => {
  const body =
    'try { await context.model("p", { signal }); } catch ({ code, message }) { return { ok: true, data: [code, message] }; }';
  await using here = await opened({ "it.js": plugin(bound(body)) });
  const model: Model = () => Promise.reject(new ReadableError("no_model", "no model answers"));
  here.tools.bindContext(shared({ model }));
  assert.deepEqual((await here.call("it")).data, ["no_model", "no model answers"]);
});

/** A model that never answers, and the signals that it was given. */
function silent() {
  const asked = Promise.withResolvers<AbortSignal>();
  const model: Model = (_, { signal }) => {
    asked.resolve(signal);
    return new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    );
  };
  return { model, asked: asked.promise };
}

test("a stop of the call ends its completion, which has the call's own signal", async () => {
  const body = 'return { ok: true, data: await context.model("p", { signal }) };';
  await using here = await opened({ "it.js": plugin(bound(body)) });
  const { model, asked } = silent();
  here.tools.bindContext(shared({ model }));
  const stop = new AbortController();
  const reason = new Error("stopped");
  const going = here.call("it", {}, stop.signal);
  const signal = await asked;
  stop.abort(reason);
  await assert.rejects(going, reason);
  assert.deepEqual([signal.aborted, signal.reason], [true, reason]);
});

test("a completion that the tool gives up by itself is ended, and the tool goes on", async () => {
  const body = `const own = new AbortController(); const asking = context.model("p", { signal: own.signal });
    await context.monitor(); own.abort(new Error("enough"));
    return { ok: true, data: await asking.catch((fault) => fault.message) };`;
  await using here = await opened({ "it.js": plugin(bound(body)) });
  const { model, asked } = silent();
  here.tools.bindContext(shared({ model }));
  const { data } = await here.call("it");
  assert.equal(data, "enough");
  const signal = await asked;
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
});

test("the end of the process ends its completions", async () => {
  const body =
    'setTimeout(() => process.exit(1), 1); await context.model("p", { signal: new AbortController().signal });';
  await using here = await opened({ "it.js": plugin(bound(body)) });
  const { model, asked } = silent();
  here.tools.bindContext(shared({ model }));
  assert.equal((await here.call("it")).ok, false);
  assert.equal((await asked).aborted, true);
});

test("the context is bound once a tool and process, also to a plugin that comes later", async () => {
  const body =
    'if (args.x === "die") process.exit(1); return { ok: true, data: [this.binds, context.assistantName] };';
  await using here = await opened();
  here.tools.bindContext(shared());
  here.write("it.js", plugin(bound(body)));
  await here.settled();
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual((await here.call("it")).data, [1, "Aid"]);
    assert.deepEqual((await here.call("it")).data, [1, "Aid"]);
    assert.equal((await here.call("it", { x: "die" })).ok, false);
  }
});

test("a call waits for a bindContext that takes its time, and runs after one that fails", async () => {
  const slow = "async bindContext(context) { await context.monitor(); this.ready = true; },";
  const fails = "bindContext() { throw new Error('unbound'); },";
  const files = {
    "a.js": plugin(tool("slow", "return { ok: true, data: this.ready };", slow)),
    "b.js": plugin(tool("fails", "return { ok: true, text: 'runs' };", fails)),
  };
  await using here = await opened(files);
  here.tools.bindContext(shared());
  assert.equal((await here.call("slow")).data, true);
  assert.equal((await here.call("fails")).text, "runs");
});

test("where a call or a start of its own failed is in the log, a call's words are not", async () => {
  const text = `export default {
    name: "it", description: "x", parameters: {},
    bindContext(context) { context.konfig.goal; },
    async call() {
      throw new TypeError("the person's words");
    },
  };`;
  await using here = await opened({ "it.js": text });
  here.tools.bindContext(shared());
  assert.equal((await here.call("it")).text, "error: the person's words");
  await here.tools.close();
  const logged = here.logged.join("\n");
  assert.match(
    logged,
    /^plugin it\.js: bindContext of it failed: Cannot read properties of undefined/m,
  );
  assert.match(logged, /^plugin it\.js: TypeError at line 3$/m);
  assert.match(logged, /^plugin it\.js: TypeError at line 5$/m);
  assert.doesNotMatch(logged, /words/);
});

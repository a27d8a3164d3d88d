// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the real engine has read is not read again: not after a restart, and not when two threads take turns.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Backend } from "../src/model/backend.ts";
import { Engine } from "../src/model/engine/engine.ts";
import { askJson } from "../src/model/http.ts";
import { listAt } from "../src/model/json.ts";
import type { Completion } from "../src/model/model.ts";
import { cacheFolder, fill } from "./home.ts";

const model = "smollm2-135m";
const signal = AbortSignal.timeout(850_000);
/** Tokens around a question: the marks of its message and of the one before. */
const around = 40;

const rules = Array.from(
  { length: 80 },
  (_, at) => `Rule ${at}: speak plainly of topic ${at * 7}.`,
);
const system = JSON.stringify({ role: "system", content: rules.join(" ") });
const user = (content: string) => JSON.stringify({ role: "user", content });
const assistant = (content: string) => JSON.stringify({ role: "assistant", content });

let cache: string;
before(async () => {
  await fill(model);
  cache = mkdtempSync(join(tmpdir(), "da-cache-"));
});
after(() => rmSync(cache, { recursive: true, force: true }));

/** The product's own engine behind its own way to a model, from start to end. */
function open() {
  const lines: string[] = [];
  const none = () => undefined;
  const engine = new Engine({
    config: { command: null, threads: null, context: 4096, gpuLayers: null, batch: null },
    folder: cacheFolder,
    cache,
    env: process.env,
    wanted: model,
    onJob: none,
    onNotice: none,
    log: (line) => lines.push(line),
    onBug: (thrown) => lines.push(String(thrown)),
  });
  const backend = new Backend({
    config: { llm: null, model, loadIfNone: true, temperature: 0, stall: 120, toolsMode: "native" },
    apiKey: null,
    candidates: [],
    engine,
    remembered: { model: null, set: none },
    // Nothing else is to be asked meanwhile.
    questionRuns: () => true,
    onNotice: none,
    onJob: none,
  });
  return {
    lines,
    async complete(completion: Completion) {
      const served = await backend.ready(signal);
      const kind = completion.beginning ? "warm-up" : "answer";
      const { text, usage } = await served.complete(completion, { kind, signal, emit: none });
      assert.ok(usage && usage.cached !== null);
      return { text, prompt: usage.prompt, read: usage.prompt - usage.cached };
    },
    async count(content: string): Promise<number> {
      const { url, apiKey } = await engine.ready(signal);
      const body = JSON.stringify({ content });
      const call = { url: new URL("/tokenize", url).href, body, apiKey, signal, stall: 60_000 };
      return listAt(await askJson(call), "tokens").length;
    },
    [Symbol.asyncDispose]: () => backend.close(),
  };
}

const beginning: Completion = {
  messages: [system, user("")],
  think: false,
  maxTokens: 1,
  beginning: true,
};

test("after a restart the first question reads little more than itself", async (t) => {
  {
    await using first = open();
    const { read, prompt } = await first.complete(beginning);
    assert.ok(prompt > 1000 && read === prompt, `${read} of ${prompt}`);
    assert.deepEqual(first.lines, []);
  }
  const modes = ["beginning.kv", "beginning.json", "."].map(
    (name) => statSync(join(cache, name)).mode & 0o777,
  );
  assert.deepEqual(modes, [0o600, 0o600, 0o700]);
  t.diagnostic(`${statSync(join(cache, "beginning.kv")).size} bytes`);
  await using second = open();
  const question = "What is the capital of Italy?";
  const messages = [system, user(question)];
  const { read } = await second.complete({ messages, think: false, maxTokens: 8, thread: "a" });
  const own = await second.count(question);
  t.diagnostic(`${read} read for a question of ${own}`);
  assert.ok(read <= own + around, `${read} read, ${own} own`);
  assert.deepEqual(second.lines, []);
});

test("two threads in turns read little more than their questions", async (t) => {
  await using engine = open();
  await engine.complete(beginning);
  const threads = { rivers: [system], mountains: [system] };
  let most = 0;
  for (let round = 0; round < 4; round += 1) {
    for (const thread of ["rivers", "mountains"] as const) {
      const question = `Tell me one more thing about ${thread}, please, the ${round}th.`;
      const messages = [...threads[thread], user(question)];
      const { text, read } = await engine.complete({
        messages,
        think: false,
        maxTokens: 60,
        thread,
      });
      threads[thread] = [...messages, assistant(text)];
      const more = read - (await engine.count(question));
      most = Math.max(most, more);
      assert.ok(more <= around, `${thread}, round ${round}: ${more} more than the question read`);
    }
  }
  t.diagnostic(`at most ${most} more than the question`);
  assert.deepEqual(engine.lines, []);
});

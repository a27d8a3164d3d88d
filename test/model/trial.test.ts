// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A model is asked two canned questions while nobody waits, and what shows is remembered.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  calling,
  type ReplyWriter,
  type Script,
  startModelServer,
} from "../support/model-server.ts";
import { EngineDouble } from "./engine-double.ts";
import { ask, codeOf, makeBackend, signal } from "./made-backend.ts";
import { startOllama } from "./servers.ts";

/** What is remembered, and a promise for the next time. */
function memory() {
  let value: unknown;
  let next = Promise.withResolvers<unknown>();
  return {
    get: () => value,
    set: (now: unknown) => {
      value = now;
      next.resolve(now);
      next = Promise.withResolvers();
    },
    next: () => next.promise,
  };
}

/** Resolves when, after an answer, the server has been looked at and whatever follows has begun. */
async function lookedAt(
  server: Awaited<ReturnType<typeof startModelServer>>,
  made: ReturnType<typeof makeBackend>,
  path = "GET /props",
) {
  const looks = () => server.paths.filter((one) => one === path).length;
  const before = looks();
  await server.until(() => looks() > before);
  await made.backend.models();
  await made.backend.models();
}

const trying = (tried: ReturnType<typeof memory>, rest: Parameters<typeof makeBackend>[0]) =>
  makeBackend({ tried, toolsMode: "auto", ...rest });

/** Text for the question that needs a tool, and then for the one that needs none. */
const says =
  (...texts: string[]): Script =>
  (reply, _request, count) =>
    reply
      .text(texts[count - 1] ?? "")
      .finish()
      .done();
const written = '{"name": "weather", "arguments": {"city": "Lisbon"}}';
const second =
  (then: Script): Script =>
  (reply, request, count) =>
    count === 1 ? calling(reply, request, count) : then(reply, request, count);
const calls =
  (...made: [string, unknown][]): Script =>
  (reply) => {
    for (const [index, [name, args]] of made.entries()) reply.call(name, args, { index });
    reply.finish("tool_calls").done();
  };
const refusesTools: Script = (reply, { json }) =>
  json.tools
    ? reply.status(400, { error: { message: "no tools here" } })
    : reply.text("I").finish("length").done();

test("a model that calls as it should is native, and a question after that has the same bytes as ever", async () => {
  await using server = await startModelServer();
  const tried = memory();
  await using made = trying(tried, { llm: server.url });
  await made.backend.probe();
  assert.deepEqual(made.backend.toolsMode(), { strategy: "native", why: "it was not tried yet" });
  assert.deepEqual(await tried.next(), { [`${server.url} scripted`]: "proper" });
  const mode = { strategy: "native", why: "it called tools properly when tried" };
  assert.deepEqual(made.backend.toolsMode(), mode);
  const served = await made.backend.ready(signal);
  assert.deepEqual(served.toolsMode, mode);
  await ask(served);
  await using plain = makeBackend({ llm: server.url });
  await ask(await plain.backend.ready(signal));
  const [after, before] = server.chats;
  assert.equal(after?.body, before?.body);
  assert.equal(server.chats.length, 2);
  assert.deepEqual(
    server.trials.map(({ json }) => [json.tools?.length, json.max_tokens, json.temperature]),
    [
      [3, 128, undefined],
      [3, 128, undefined],
    ],
  );
});

const outcomes: [title: string, trial: Script, word: string, why: RegExp][] = [
  ["writes a call as text", says(written), "text", /wrote a call as text/],
  ["writes a fenced call", says(`\`\`\`json\n${written}\n\`\`\``), "text", /as text/],
  ["writes its call in tags", says(`Sure. <tool_call>${written}</tool_call>`), "text", /as text/],
  ["answers without a tool", says("It is sunny there."), "none", /called no tool/],
  ["calls another tool", calls(["note", { text: "Lisbon" }]), "wrong", /wrongly/],
  ["calls without the city", calls(["weather", {}]), "wrong", /wrongly/],
  ["calls twice", calls(["weather", { city: "Lisbon" }], ["timer", {}]), "wrong", /wrongly/],
  [
    "calls without need",
    second(calls(["note", { text: "Thank you" }])),
    "needless",
    /without need when tried/,
  ],
  ["thanks with a call as text", second(says("", written)), "text", /as text/],
  ["says nothing", second((reply) => reply.finish().done()), "silent", /said nothing/],
  ["is refused tools by its server", refusesTools, "refused", /refuses tools/],
];
for (const [title, trial, word, why] of outcomes) {
  test(`a model that ${title} gets a plan`, async () => {
    await using server = await startModelServer({ trial });
    const tried = memory();
    await using made = trying(tried, { llm: server.url });
    await made.backend.probe();
    assert.deepEqual(await tried.next(), { [`${server.url} scripted`]: word });
    assert.equal(made.backend.toolsMode()?.strategy, "plan");
    assert.match(made.backend.toolsMode()?.why ?? "", why);
    assert.equal(made.backend.status().state, "ready");
  });
}

test("a model that is cut off while it still thinks stays native", async () => {
  const trial: Script = (reply) => reply.think("Hm,").finish("length").done();
  await using server = await startModelServer({ trial });
  const tried = memory();
  await using made = trying(tried, { llm: server.url });
  await made.backend.probe();
  assert.deepEqual(await tried.next(), { [`${server.url} scripted`]: "thought" });
  assert.equal(made.backend.toolsMode()?.strategy, "native");
});

test("a question during the trial is answered at once, and the trial is made again later", async () => {
  const hanging = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({
    trial: (reply, request, count) =>
      count === 1 ? hanging.resolve(reply) : calling(reply, request, count),
  });
  const tried = memory();
  await using made = trying(tried, { llm: server.url });
  const served = await made.backend.ready(signal);
  const reply = await hanging.promise;
  assert.equal((await ask(served)).text, "Hello there.");
  await reply.closed;
  assert.equal(tried.get(), undefined);
  assert.equal(made.backend.status().state, "ready");
  assert.deepEqual(await tried.next(), { [`${server.url} scripted`]: "proper" });
  assert.equal(server.trials.length, 3);
});

test("a fault that says nothing of the model is not remembered, and not asked for in a loop", async () => {
  const faults: Script[] = [
    (reply) => reply.status(500, { error: { message: "broken" } }),
    (reply) => reply.status(429, { error: { message: "too much" } }),
    // Refused with tools and without: it is not the tools.
    (reply) => reply.status(400, { error: { message: "no" } }),
    (reply) => reply.status(400, { error: { message: "no" } }),
    // Without the tools it may be short enough: that says nothing of them.
    (reply) => reply.status(400, { error: { code: "context_length_exceeded" } }),
  ];
  let over = 0;
  await using server = await startModelServer({
    trial: (reply, request, count) => {
      void reply.closed.then(() => {
        over += 1;
      });
      (faults[count - 1] ?? calling)(reply, request, count);
    },
  });
  const tried = memory();
  await using made = trying(tried, { llm: server.url });
  const served = await made.backend.ready(signal);
  for (const trials of [1, 2, 4, 5]) {
    await server.until(() => server.trials.length === trials);
    // Nothing more comes of it, however often the server is looked at.
    while (over < trials) await made.backend.models();
    await made.backend.models();
    assert.deepEqual([server.trials.length, tried.get()], [trials, undefined]);
    await ask(served);
  }
  assert.deepEqual(await tried.next(), { [`${server.url} scripted`]: "proper" });
  assert.equal(server.trials.length, 7);
});

test("a server elsewhere, a set tools_mode and a model that was tried before are not asked", async () => {
  await using server = await startModelServer();
  const elsewhere = server.url.replace("127.0.0.1", "0.0.0.0");
  const before = memory();
  before.set({ [`${server.url} scripted`]: "text" });
  for (const [tried, options, strategy] of [
    [memory(), { llm: elsewhere }, "native"],
    [memory(), { llm: server.url, toolsMode: "plan" }, "plan"],
    [before, { llm: server.url }, "plan"],
  ] as const) {
    await using made = trying(tried, options);
    await ask(await made.backend.ready(signal));
    assert.equal(made.backend.toolsMode()?.strategy, strategy);
    if (made.backend.status().local) await lookedAt(server, made);
    assert.equal(server.trials.length, 0);
  }
});

test("a file of the person's own in the engine is tried, under a name that outlives its address", async () => {
  await using server = await startModelServer();
  const tried = memory();
  await using made = trying(tried, { engine: new EngineDouble(server.url) });
  await made.backend.probe();
  assert.deepEqual(await tried.next(), { "engine scripted": "proper" });
  const rows = await made.backend.models();
  assert.deepEqual(
    rows.map(({ model, strategy, strategy_why }) => [model, strategy, strategy_why]),
    [
      ["scripted", "native", "it called tools properly when tried"],
      ["other", undefined, undefined],
    ],
  );
});

test("a server that does not say what is loaded is tried after its first answer", async () => {
  await using server = await startModelServer({ props: null });
  const tried = memory();
  await using made = trying(tried, { llm: server.url });
  const served = await made.backend.ready(signal);
  await ask(served);
  assert.equal(server.trials.length, 0);
  await tried.next();
  assert.equal(server.trials.length, 2);
});

test("a trial loads no model", async () => {
  await using ollama = await startOllama(["a"], ["a"]);
  const tried = memory();
  await using made = trying(tried, { llm: ollama.server.url });
  await ask(await made.backend.ready(signal));
  ollama.loaded.length = 0;
  await lookedAt(ollama.server, made, "GET /api/ps");
  assert.deepEqual([ollama.server.trials.length, ollama.explicit], [0, []]);
});

test("nothing is tried while a question runs that needs the model only later", async () => {
  await using server = await startModelServer();
  const tried = memory();
  let running = true;
  await using made = trying(tried, { llm: server.url, questionRuns: () => running });
  const served = await made.backend.ready(signal);
  await ask(served);
  await lookedAt(server, made);
  assert.equal(server.trials.length, 0);
  running = false;
  await ask(served);
  await tried.next();
  assert.equal(server.trials.length, 2);
});

test("closing ends a trial", async () => {
  const hanging = Promise.withResolvers<ReplyWriter>();
  await using server = await startModelServer({ trial: (reply) => hanging.resolve(reply) });
  const made = trying(memory(), { llm: server.url });
  await made.backend.probe();
  const reply = await hanging.promise;
  await made.backend.close();
  await reply.closed;
  assert.equal(await codeOf(made.backend.ready(signal)), "");
});

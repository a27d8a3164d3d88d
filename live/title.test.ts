// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Titles by the real engine with the smallest useful model: in the conversation's language, and the cache stays.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Conversation } from "../src/conversation/conversation.ts";
import { languageOf } from "../src/conversation/language.ts";
import type { TurnEvent } from "../src/conversation/turn.ts";
import { Engine } from "../src/model/engine/engine.ts";
import type { Served } from "../src/model/model.ts";
import { config, makeBackend, signal } from "../test/model/made-backend.ts";
import { openRooms } from "../test/support/talk.ts";
import { cacheFolder, fill } from "./home.ts";

const model = "qwen2.5-coder-1.5b";
let engine: Engine;
let backend: ReturnType<typeof makeBackend>["backend"];

before(async () => {
  await fill(model);
  engine = new Engine({
    config: { command: null, threads: null, context: null, gpuLayers: null, batch: null },
    folder: cacheFolder,
    env: process.env,
    wanted: model,
    onJob: () => undefined,
    onNotice: (notice) => console.error(notice.message),
  });
  const settings = { ...config, toolsMode: "auto" as const, temperature: 0 };
  ({ backend } = makeBackend({ engine, config: settings, questionRuns: () => true }));
});

after(async () => {
  await backend?.close();
  await engine?.close();
});

/** Tokens that a turn had to read, and those that came from the cache. */
function cost(events: readonly TurnEvent[]): { read: number; cached: number } {
  const done = events.find((event) => event.type === "done");
  assert.equal(done?.type, "done", JSON.stringify(events.at(-2)));
  const { prompt_tokens: prompt, cached_tokens: cached } = done.stats;
  assert.ok(cached !== null, "the engine tells what it has cached");
  return { read: prompt - cached, cached };
}

/** The served model, and what it has read for titles. */
function watched(served: Served) {
  const titles: { read: number; cached: number }[] = [];
  const complete: Served["complete"] = async (completion, options) => {
    const reply = await served.complete(completion, options);
    const { prompt = 0, cached } = reply.usage ?? {};
    titles.push({ read: prompt - (cached ?? 0), cached: cached ?? 0 });
    return reply;
  };
  return { titles, served: { ...served, complete } satisfies Served };
}

const words = (title: string) => title.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

test("after a title the next question reads no more than without one", async (t) => {
  const talk = await openRooms(t, backend);
  const { titles, served } = watched(talk.served);
  const [first, second, last] = [
    "What is the capital of Italy? One word.",
    "And of France?",
    "Thanks!",
  ];
  const asked = async (conversation: Conversation) => {
    for (const text of [first, second]) await talk.ask(conversation, text);
    return conversation;
  };
  const plain = cost(await talk.ask(await asked(talk.fresh()), last));
  const entitled = await asked(talk.fresh());
  const stored = await entitled.entitle(served, signal);
  assert.ok(stored, talk.log.join("\n"));
  const after = cost(await talk.ask(entitled, last));
  const [title] = titles;
  t.diagnostic(`"${stored.title}": ${title?.read} tokens read, ${title?.cached} cached`);
  t.diagnostic(`next question: ${after.read} read, ${after.cached} cached`);
  t.diagnostic(`without a title: ${plain.read} read, ${plain.cached} cached`);
  assert.ok((title?.cached ?? 0) > 100, "the conversation comes from the cache");
  assert.ok((title?.read ?? 1000) < 100, "no more than the wish and the last answer's tail");
  assert.ok(after.read <= plain.read + 4, `${after.read}, without a title ${plain.read}`);
});

const talks: [language: string, question: string][] = [
  ["en", "Why do leaves turn red in autumn? One sentence."],
  ["it", "Perché le foglie diventano rosse in autunno? Una frase."],
];
for (const [language, question] of talks) {
  test(`the title of a conversation in "${language}" is in it, and has one to six words`, async (t) => {
    const talk = await openRooms(t, backend);
    const conversation = talk.fresh();
    await talk.ask(conversation, question);
    const stored = await conversation.entitle(talk.served, signal);
    assert.ok(stored, talk.log.join("\n"));
    t.diagnostic(stored.title);
    const count = words(stored.title).length;
    assert.ok(count >= 1 && count <= 6, stored.title);
    // Words with capitals may be names, and few words may not tell: but they must not speak against it.
    const told = await languageOf(stored.title.toLowerCase(), [question]);
    assert.equal(told, language, stored.title);
    assert.notEqual(stored.title, question.split(" ").slice(0, 6).join(" "));
  });
}

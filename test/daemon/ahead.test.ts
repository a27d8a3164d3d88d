// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Reading ahead: when it is done, what it reads, when it is given up, and what a person is told of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CachingModel } from "../support/caching-model.ts";
import type { Line, TestClient } from "../support/daemon.ts";
import { type ModelServerOptions, type ReplyWriter, warm } from "../support/model-server.ts";
import { start, withoutBuiltIn } from "../support/started.ts";

type Counts = Record<"requests" | "tokens" | "used" | "dropped" | "lost", number>;
type Status = Counts & { state: string; why: string };

async function statusOf(client: TestClient): Promise<Status> {
  const { ahead } = await client.ask({ type: "status" });
  return ahead as Status;
}

/** A daemon with a model that has a cache and calls tools by itself. */
async function caching(
  t: { after(end: () => Promise<void>): void },
  options: ModelServerOptions & { config?: string; tools?: Record<string, string> } = {},
) {
  const cache = new CachingModel();
  const { config = "titles = false\n", ...rest } = options;
  const started = await start({
    script: cache.script,
    warmUp: cache.warmUp,
    ...rest,
    config: `tools_mode = "native"\n${config}${withoutBuiltIn}`,
  });
  t.after(started.end);
  const client = await started.daemon.connect();
  await client.ask({ type: "features", names: ["notice"] });
  const ask = async (text: string): Promise<Line[]> => {
    client.send({ type: "ask", text });
    return await client.turn();
  };
  /** Resolves when so many requests have read ahead and the daemon has heard of the last one's end. */
  const ahead = async (count: number): Promise<Status> => {
    await started.model.until(() => started.model.warmUps.length >= count);
    for (;;) {
      const status = await statusOf(client);
      if (status.requests + status.dropped >= count || status.state === "off") return status;
    }
  };
  return { ...started, cache, client, ask, ahead };
}

test("the title is asked for first, at the end of the conversation, and every client hears of it", async (t) => {
  const cache = new CachingModel();
  const { client, ask, ahead, model } = await caching(t, {
    config: "titles = true\n",
    script: cache.script,
    warmUp: cache.warmUp,
    title: (reply, request) => cache.end(reply.text("The sea"), request),
  });
  await client.ask({ type: "features", names: ["changed"] });
  await ahead(1);
  await ask("Tell me about the sea.");
  const named = await client.next(({ type, title }) => type === "changed" && title === "The sea");
  assert.equal(typeof named.id, "number");
  await ahead(2);
  const wished = model.titles[0]?.json.messages ?? [];
  assert.deepEqual(model.warmUps[1]?.json.messages.slice(0, -1), wished.slice(0, -1));
  await ask("And about lakes?");
  const counted = cache.counted.at(-1);
  assert.ok(counted && counted.prompt - counted.cached < 25, JSON.stringify(counted));
  await ahead(3);
  assert.equal(model.titles.length, 1);
});

const codes = (lines: readonly Line[]) =>
  lines.flatMap(({ type, code }) => (type === "notice" ? [code] : []));

test("the beginning is read at the start, the stored turn after each answer, and the next question finds it", async (t) => {
  const { model, cache, ask, ahead } = await caching(t);
  const first = await ahead(1);
  assert.deepEqual([first.state, first.why, first.requests, first.used], ["on", "", 1, 0]);
  assert.equal(first.tokens, cache.counted[0]?.prompt);
  await ask("Tell me about the sea.");
  const [beginning] = model.warmUps;
  const [question] = model.chats;
  assert.deepEqual(beginning?.json.messages[0], question?.json.messages[0]);
  const stamp = beginning?.json.messages[1]?.content ?? "";
  assert.match(stamp, /^\[\w+ \d+ \w+ \d{4}, \d\d:$/);
  assert.deepEqual(
    [beginning?.json.max_tokens, beginning?.json.tools, beginning?.json.stream],
    [1, question?.json.tools, true],
  );
  const second = await ahead(2);
  assert.deepEqual([second.requests, second.used, second.dropped, second.lost], [2, 1, 0, 0]);
  const stored = model.warmUps[1]?.json.messages ?? [];
  assert.deepEqual(
    stored.slice(1, 3).map(({ role, content }) => [role, content]),
    [
      ["user", "Tell me about the sea."],
      ["assistant", "Fine."],
    ],
  );
  await ask("And about lakes?");
  const counted = cache.counted.at(-1);
  assert.ok(counted && counted.prompt - counted.cached < 25, JSON.stringify(counted));
  assert.equal((await ahead(3)).used, 2);
});

test("another conversation is read ahead too, and finds the beginning that is there", async (t) => {
  const { client, ask, ahead, cache } = await caching(t);
  await ahead(1);
  await ask("Tell me about the sea.");
  const { id } = await client.ask({ type: "list" }).then(({ items }) => Object(items)[0]);
  const { tokens } = await ahead(2);
  await client.ask({ type: "new" });
  const fresh = await ahead(3);
  assert.ok(fresh.tokens - tokens < 25, `${fresh.tokens - tokens} tokens`);
  await client.ask({ type: "open", id });
  await ahead(4);
  await ask("And about lakes?");
  const counted = cache.counted.at(-1);
  assert.ok(counted && counted.prompt - counted.cached < 25, JSON.stringify(counted));
});

test("a question stops what is being read ahead at once, and waits for nothing else", async (t) => {
  const hanging = Promise.withResolvers<ReplyWriter>();
  const { client, ask, cache, model } = await caching(t, {
    warmUp: (reply, request, count) =>
      count === 1 ? hanging.resolve(reply) : warm(reply, request, count),
  });
  const reply = await hanging.promise;
  const lines = await ask("Now?");
  await reply.closed;
  assert.equal(lines.at(-1)?.type, "state");
  assert.equal(cache.counted.length, 1);
  await model.until(() => model.warmUps.length === 2);
  assert.equal((await statusOf(client)).dropped, 1);
});

test("with warm = false nothing is read ahead, and status says so", async (t) => {
  const { ask, client, model } = await caching(t, { config: "titles = false\nwarm = false\n" });
  await ask("Hello?");
  await model.until(() => model.paths.filter((path) => path.includes("/models")).length > 1); // a look
  await ask("Again?");
  const { state, why, requests } = await statusOf(client);
  assert.deepEqual([state, why, requests], ["off", "warm = false in config.toml", 0]);
  assert.equal(model.warmUps.length, 0);
});

test("a server that is no llama-server is read ahead once it has told of a cache", async (t) => {
  const { ask, ahead, model, cache } = await caching(t, { props: null });
  cache.silent = true;
  await ask("Hello?");
  await model.until(() => model.paths.filter((path) => path.includes("/models")).length > 1);
  cache.silent = false;
  await ask("Again?");
  assert.equal((await ahead(1)).requests, 1);
  const said = model.warmUps[0]?.json.messages.map(({ content }) => content) ?? [];
  assert.deepEqual(said.slice(1, -1), ["Hello?", "Fine.", "Again?", "Fine."]);
});

test("a llama-server that tells nothing of a cache is read ahead once, and no more", async (t) => {
  const { ask, ahead, cache, model } = await caching(t);
  await ahead(1);
  cache.silent = true;
  await ask("Hello?");
  const status = await ahead(2);
  assert.deepEqual(
    [status.state, status.why],
    ["off", "the model server does not tell what it has cached"],
  );
  await ask("Again?");
  assert.equal(model.warmUps.length, 2);
});

test("a model that keeps nothing is recognised, told of once, and asked as before", async (t) => {
  const { client, ask, ahead, cache, model } = await caching(t, {
    config: `titles = false\nsystem = "${"A long talk about the weather of the sea. ".repeat(20)}"\n`,
  });
  cache.forgets = true;
  await ahead(1);
  const first = await ask("One?");
  await ahead(2);
  const second = await ask("Two?");
  const status = await statusOf(client);
  assert.equal(status.state, "off");
  assert.match(status.why, /keeps nothing of what was read ahead/);
  assert.deepEqual([status.used, status.lost], [0, 2]);
  const third = await ask("Three?");
  assert.deepEqual(
    [codes(first), codes(second), codes(third)],
    [["cache_lost"], ["read_ahead_off"], []],
  );
  assert.equal(model.warmUps.length, 2);
});

test("a cache that is lost once is told, and reading ahead goes on", async (t) => {
  const { ask, ahead, cache } = await caching(t, {
    config: `titles = false\nsystem = "${"A long talk about the weather of the sea. ".repeat(20)}"\n`,
  });
  await ahead(1);
  await ask("One?");
  await ahead(2);
  cache.forget();
  const lines = await ask("Two?");
  assert.deepEqual(codes(lines), ["cache_lost"]);
  const notice = lines.find(({ type }) => type === "notice");
  assert.match(
    String(notice?.message),
    /^about \d+ tokens of the conversation had to be read again/,
  );
  await ahead(3);
  assert.deepEqual(codes(await ask("Three?")), []);
  const status = await ahead(4);
  assert.deepEqual([status.state, status.used, status.lost], ["on", 2, 1]);
});

test("a server that refuses to be read ahead is not asked again", async (t) => {
  const { ask, ahead, model } = await caching(t, {
    warmUp: (reply) => reply.status(400, { error: { message: "not so" } }),
  });
  const status = await ahead(1);
  assert.deepEqual([status.state, status.why], ["off", "the model server refuses it: not so"]);
  assert.equal((await ask("Hello?")).at(-1)?.type, "state");
  assert.equal(model.warmUps.length, 1);
});

test("a server that dies while it reads ahead costs no question", async (t) => {
  const { ask, model } = await caching(t, {
    warmUp: (reply, request, count) => {
      if (count > 1) return warm(reply, request, count);
      reply.response.destroy();
    },
  });
  await model.until(() => model.warmUps.length === 1);
  const lines = await ask("Hello?");
  assert.deepEqual(
    lines.flatMap(({ type, delta }) => (type === "token" ? [delta] : [])),
    ["Fine."],
  );
});

test("a tool that comes before the first question is in the prompt, and what was read is read anew", async (t) => {
  const { home, ask, ahead, model } = await caching(t);
  await ahead(1);
  home.tool("moon.toml", 'description = "Tells the moon."\ncommand = ["true"]\n');
  await ask("Hello?");
  const names = model.chats[0]?.json.tools?.map((tool) => tool.function.name);
  assert.deepEqual(names, ["moon"]);
});

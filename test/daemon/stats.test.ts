// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What `done` tells of a turn's cost, by what its server tells.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../support/daemon.ts";
import type { ReplyWriter, Script } from "../support/model-server.ts";
import { start } from "../support/started.ts";

const tools = { "size.toml": 'description = "Tells the size."\ncommand = ["echo", "big"]\n' };

async function begin(script: Script) {
  const started = await start({ script, tools, config: 'tools_mode = "native"\n' });
  const client = await started.daemon.connect();
  await client.ask({ type: "features", names: [] });
  const statsOf = (lines: readonly Line[]) =>
    Object(lines.find(({ type }) => type === "done")?.stats) as Record<string, unknown>;
  const ask = async (): Promise<Record<string, unknown>> => {
    client.send({ type: "ask", text: "How big?" });
    return statsOf(await client.turn());
  };
  return { ...started, client, ask, statsOf };
}

/** As a llama-server ends a reply. */
function timed(reply: ReplyWriter, [read, cached, wrote, ms]: [number, number, number, number]) {
  reply.data({
    choices: [],
    usage: { prompt_tokens: read + cached, completion_tokens: wrote },
    timings: {
      prompt_n: read,
      cache_n: cached,
      prompt_ms: 9,
      predicted_n: wrote,
      predicted_ms: ms,
    },
  });
  reply.done();
}

test("with timings the speed is that of all requests, and what was read is apart from what was known", async (t) => {
  const { ask, end } = await begin((reply, { json }) => {
    if (json.messages.at(-1)?.role === "tool")
      timed(reply.text("It is", " big.").finish(), [10, 120, 31, 1500]);
    else timed(reply.call("size", {}).finish("tool_calls"), [100, 0, 20, 1000]);
  });
  t.after(end);
  const stats = await ask();
  assert.deepEqual(
    [stats.prompt_tokens, stats.cached_tokens, stats.output_tokens, stats.tokens_per_second],
    [230, 120, 51, 20.4],
  );
});

test("without timings the speed is as the words came, and null when they came all at once", async (t) => {
  const first = Promise.withResolvers<ReplyWriter>();
  const { client, daemon, ask, statsOf, model, end } = await begin((reply) =>
    first.resolve(reply.text("One")),
  );
  t.after(end);
  client.send({ type: "ask", text: "How big?" });
  const turn = client.turn();
  const reply = await first.promise;
  const begun = performance.now();
  // Another client that is answered now and then: time goes by, nothing sleeps.
  const other = await daemon.connect();
  while (performance.now() - begun < 100) await other.ask({ type: "status" });
  await other.end();
  reply.text(" two").finish().usage(50, 11).done();
  const stats = statsOf(await turn);
  const most = 10 / 0.1;
  assert.ok(Number(stats.tokens_per_second) > 0 && Number(stats.tokens_per_second) < most + 10);
  assert.equal(stats.cached_tokens, null);
  model.setScript((writer) => writer.text("At", " once.").finish().usage(50, 11).done());
  assert.equal((await ask()).tokens_per_second, null);
  model.setScript((writer) => writer.text("No", " counts.").finish().done());
  const none = await ask();
  assert.deepEqual([none.prompt_tokens, none.tokens_per_second], [0, null]);
});

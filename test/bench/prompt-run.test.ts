// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Parts of the prompt benchmark through the real daemon, at a scripted server with one slot and a cache.
import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as whole } from "node:stream/consumers";
import { test } from "node:test";
import { type Desk, type Outcome, withDesk } from "../../bench/prompt/desk.ts";
import { converse, pausedRows, questions } from "../../bench/prompt/follow.ts";
import { inCommon } from "../../bench/prompt/rendered.ts";
import { interrupts, stops } from "../../bench/prompt/stop.ts";
import { toolTurns } from "../../bench/prompt/tool.ts";
import { Unusable } from "../../bench/share.ts";
import { type Script, startModelServer } from "../support/model-server.ts";

const tools = ["calendar", "weather", "calc"].map((name) => ({
  name,
  description: `The ${name}`,
  parameters: { type: "object", properties: {} },
}));

/** A template with marks around each message, and the tools in front. */
function promptOf({
  messages,
  tools: listed,
  add_generation_prompt: open,
}: Record<string, unknown>) {
  const talk: unknown[] = Array.isArray(messages) ? messages : [];
  const lines = talk.map((message) => {
    const { role, content, tool_calls = "" } = Object(message);
    return `<${role}> ${content} ${JSON.stringify(tool_calls)} <end>\n`;
  });
  return `${JSON.stringify(listed ?? [])}\n${lines.join("")}${open === false ? "" : "<assistant> "}`;
}

const numbers = new Map<string, number>();
/** A token a word. */
const tokensOf = (text: string) =>
  text.split(/\s+/).map((word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });

/** Tokens of a prompt that are read until nobody wants them any more: of a question, and ahead of one. */
const endless = { asked: 1900, ahead: 1000 };

/** One slot; it reads what its prompt has not in common with what it holds. */
async function startSlot() {
  let held: number[] = [];
  let task = 0;
  let busy = false;
  const script: Script = async (reply, { json }) => {
    const prompt = tokensOf(promptOf(json));
    const cached = inCommon(prompt, held);
    const last = json.messages.at(-1)?.content ?? "";
    const told = { total: prompt.length, cache: cached };
    task += 1;
    busy = true;
    reply.data({ choices: [], prompt_progress: { ...told, processed: cached } });
    const bound = json.max_tokens === 1 ? endless.ahead : endless.asked;
    if (prompt.length - cached > bound) {
      const half = cached + Math.ceil((prompt.length - cached) / 2);
      reply.data({ choices: [], prompt_progress: { ...told, processed: half } });
      held = prompt.slice(0, half);
      await reply.closed;
      busy = false;
      return;
    }
    const wanted = tools.find(({ name }) => last.includes(name))?.name;
    const forced = json.response_format !== undefined || json.grammar !== undefined;
    const choice = wanted ? { tool: wanted, arguments: {} } : { tool: "none" };
    const wrote = forced ? JSON.stringify(choice) : "Water and stone.";
    if (!forced && wanted && json.tools && !last.includes("Result")) reply.call(wanted, {});
    else reply.text(wrote);
    reply.finish();
    const timings = { prompt_n: prompt.length - cached, cache_n: cached, predicted_n: 4 };
    const usage = { prompt_tokens: prompt.length, completion_tokens: 4 };
    held = [...prompt.slice(0, -1), ...tokensOf(wrote)];
    busy = false;
    reply.data({ choices: [], usage, timings }).done();
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = Object(JSON.parse((await whole(request)) || "null"));
    if (request.url === "/apply-template")
      response.end(JSON.stringify({ prompt: promptOf(asked) }));
    else if (request.url === "/tokenize")
      response.end(JSON.stringify({ tokens: tokensOf(asked.content) }));
    else
      response.end(
        JSON.stringify([{ id: 0, is_processing: busy, ...(busy && { id_task: task }) }]),
      );
  };
  return await startModelServer({
    script,
    warmUp: script,
    handle: (request, response) => {
      const own = ["/apply-template", "/tokenize", "/slots"].includes(String(request.url));
      if (own) void answer(request, response);
      return own;
    },
  });
}

async function at<T>(mode: "native" | "plan", use: (desk: Desk) => Promise<T>): Promise<T> {
  await using server = await startSlot();
  const place = { url: server.url, apiKey: null, close: async () => undefined };
  const { signal } = new AbortController();
  return await withDesk({ place, tools, mode, quiet: 20, longest: 120, signal }, use);
}

for (const mode of ["native", "plan"] as const) {
  test(`each follow-up is counted, and a cache that keeps all reads nothing beyond what is new: ${mode}`, async () => {
    const turns = await at(mode, (desk) => converse(desk, { pause: false }));
    assert.deepEqual(
      turns.map(({ question }) => question),
      questions.slice(1),
    );
    for (const { error, read, own, fresh, firstToken } of turns) {
      assert.equal(error, "");
      assert.ok(read && own && fresh && firstToken !== null, `${read} ${own} ${fresh}`);
      assert.ok(read <= fresh && fresh >= own, `${read} read, ${fresh} new, ${own} of its own`);
      assert.ok(own < 40, `${own}`);
    }
    assert.match(pausedRows("all", turns)[0]?.measured ?? "", /^median \d+, most \d+ ms$/);
  });

  test(`a turn with a tool has a second request, and what is new in it is counted: ${mode}`, async () => {
    const { rows }: Outcome = await at(mode, toolTurns);
    assert.equal(rows.length, 4, JSON.stringify(rows));
    assert.match(String(rows[0]?.what), new RegExp(`^${mode}, a tool`));
    assert.equal(rows[0]?.good, true, JSON.stringify(rows));
  });
}

test("a stop frees the slot and closes the connection, five times", async () => {
  const { rows, details } = await at("native", stops);
  assert.ok(Array.isArray(details) && details.length === 5, JSON.stringify(details));
  for (const { tokens, idle, closed } of details)
    assert.ok(tokens > 1500 && idle > 0 && closed > 0, JSON.stringify(details));
  for (const { measured } of rows) assert.match(measured, /^median \d+, most \d+ ms$/);
});

test("a question makes room for itself while the next prompt is read ahead, five times", async () => {
  const { rows, details } = await at("native", interrupts);
  assert.ok(Array.isArray(details) && details.length === 5, JSON.stringify(details));
  for (const { ahead, begun } of details)
    assert.ok(ahead > endless.ahead && begun > 0, JSON.stringify(details));
  assert.match(rows[0]?.measured ?? "", /^median \d+, most \d+ ms$/);
});

test("a server that shows no prompts is named", async () => {
  await using server = await startModelServer();
  const place = { url: server.url, apiKey: null, close: async () => undefined };
  const { signal } = new AbortController();
  const options = { place, tools, mode: "native", quiet: 20, longest: 120, signal } as const;
  await assert.rejects(
    withDesk(options, (desk) => converse(desk, { pause: false })),
    (thrown) => thrown instanceof Unusable && /answers 404/.test(thrown.message),
  );
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of request bodies.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Completion } from "../../src/model/model.ts";
import { requestBody, wellFormedJson } from "../../src/model/request.ts";

const strict = { model: "m", llama: false, temperature: null };
const message = (content: string) => JSON.stringify({ role: "user", content });

test("a request to a strict server has only the fields of the OpenAI format", () => {
  const body = requestBody(
    {
      messages: [message("hi")],
      tools: "[]",
      toolChoice: "none",
      think: true,
      maxTokens: 9,
      schema: { type: "object" },
    },
    { ...strict, temperature: 0.5 },
  );
  assert.equal(
    body,
    '{"model":"m","tools":[],"messages":[{"role":"user","content":"hi"}],"stream":true,' +
      '"stream_options":{"include_usage":true},"tool_choice":"none","temperature":0.5,"max_tokens":9,' +
      '"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}}',
  );
});

test("a llama-server gets its own fields too, and an unknown model name is left out", () => {
  const body = requestBody(
    { messages: [], think: false },
    { model: null, llama: true, temperature: null },
  );
  assert.deepEqual(JSON.parse(body), {
    messages: [],
    stream: true,
    stream_options: { include_usage: true },
    cache_prompt: true,
    return_progress: true,
    chat_template_kwargs: { enable_thinking: false },
  });
});

test("the same completion gives the same bytes, and a longer one begins with the same bytes", () => {
  const first: Completion = { messages: [message("a")], tools: '[{"x":1}]', think: true };
  const second = { ...first, messages: [message("a"), message("b")], maxTokens: 1 };
  const one = requestBody(first, { ...strict, llama: true });
  assert.equal(one, requestBody(first, { ...strict, llama: true }));
  const shared = one.slice(0, one.indexOf("]", one.indexOf('"messages"')));
  assert.ok(requestBody(second, { ...strict, llama: true }).startsWith(shared));
});

test("L29: half characters are replaced, raw or escaped, and whole ones stay", () => {
  const half = "\ud83c";
  const kept = message('🎉 \\\\ud83c "quoted" \\');
  assert.equal(wellFormedJson(kept), kept);
  assert.deepEqual(JSON.parse(wellFormedJson(message(`a${half}b`))), {
    role: "user",
    content: "a\ufffdb",
  });
  const escaped = '["\\ud83c\\udf89","\\ud83c","\\udf89x","\\\\ud83c"]';
  assert.deepEqual(JSON.parse(wellFormedJson(escaped)), ["🎉", "\ufffd", "\ufffdx", "\\ud83c"]);
  const body = requestBody({ messages: [`{"content":"${half}"}`], think: true }, strict);
  assert.ok(body.isWellFormed());
});

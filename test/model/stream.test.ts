// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of a completion, in every way that servers send them (cases/streams.md, rows L9 to L23).
import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, data, delta, done, finish, read, shown, text } from "./reading.ts";

test("text, thinking and the finish reason come out as they were sent", () => {
  const outcome = read(
    delta({ role: "assistant", content: null }) +
      delta({ reasoning_content: "Let me see." }) +
      text("Hello") +
      text(" there.") +
      finish() +
      data({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }) +
      done,
  );
  assert.deepEqual(outcome.events, [
    { type: "think", delta: "Let me see." },
    { type: "text", delta: "Hello" },
    { type: "text", delta: " there." },
    { type: "usage", usage: { prompt: 7, cached: null, output: 3, readMs: null, outputMs: null } },
  ]);
  assert.deepEqual(outcome.reply, {
    text: "Hello there.",
    thinking: "Let me see.",
    calls: [],
    reason: "stop",
    usage: { prompt: 7, cached: null, output: 3, readMs: null, outputMs: null },
  });
});

test("both names of reasoning are thinking, and the same words under both are told once", () => {
  const one = read(delta({ reasoning: "a" }) + text("x") + finish() + done);
  const both = read(
    delta({ reasoning: "a", reasoning_content: "a" }) + text("x") + finish() + done,
  );
  assert.deepEqual(one.events, both.events);
  assert.equal(both.reply?.thinking, "a");
});

/** A recorded kind of stream with everything in it that a cut could spoil. */
const nasty = [
  "\uFEFF: hello\n\n",
  ": ping\r\n\r\n",
  'data: {"choices":[{"index":0,"delta":{"content":"žluťoučký 🐎"}}]}\r\n\r\n',
  "event: ping\ndata: now\n\n",
  'id: 7\nretry: 10\ndata: {"choices":[{"index":0,\ndata: "delta":{"reasoning_content":"hm"}}]}\n\n',
  ":\n",
  'data:{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"weather","arguments":"{\\"city\\":"}}]}}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"Bodø\\"}"}}]}}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
  'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":5}}}\n\n',
  "data: [DONE]\n\n",
].join("");

test("L18: any cut of the bytes gives the same events and the same reply", () => {
  const bytes = Buffer.from(nasty);
  const whole = read(bytes);
  assert.equal(whole.code, "");
  assert.equal(shown(whole), "žluťoučký 🐎");
  assert.deepEqual(
    whole.events.map((event) => event.type),
    ["text", "think", "usage"],
  );
  assert.deepEqual(whole.reply?.calls, [
    { id: "a", name: "weather", arguments: '{"city":"Bodø"}', whole: true },
  ]);
  assert.deepEqual(whole.reply?.usage, {
    prompt: 9,
    cached: 5,
    output: 4,
    readMs: null,
    outputMs: null,
  });
  for (let cut = 1; cut < bytes.length; cut += 1) {
    assert.deepEqual(read(bytes.subarray(0, cut), bytes.subarray(cut)), whole, `cut at ${cut}`);
  }
  const single = [...bytes].map((byte) => Uint8Array.of(byte));
  assert.deepEqual(read(...single), whole);
});

test("lines that end with CR LF or CR alone are lines", () => {
  const source = text("a") + text("b") + finish() + done;
  for (const end of ["\r\n", "\r"]) {
    const bytes = Buffer.from(source.replaceAll("\n", end));
    for (let cut = 0; cut < bytes.length; cut += 1) {
      const outcome = read(bytes.subarray(0, cut), bytes.subarray(cut));
      assert.equal(outcome.reply?.text, "ab");
    }
  }
});

test("L15, L16: comments, lone colons and blank lines are no events", () => {
  const outcome = read(`:\n: ping\n\n\n\n${text("hi")}: ping\n\n${finish()}${done}`);
  assert.deepEqual(outcome.events, [{ type: "text", delta: "hi" }]);
});

test("unknown events, numbers and null in the stream are passed over", () => {
  const outcome = read(
    `event: status\ndata: busy\n\n${data("null")}${data("3")}${data({ object: "x" })}${text("hi")}${finish()}${done}`,
  );
  assert.equal(outcome.reply?.text, "hi");
});

test("L9: an error inside the stream is an error with the server's text and numbers", () => {
  const message = "request (900 tokens) exceeds (512)";
  const type = "exceed_context_size_error";
  const outcome = read(
    text("Hal") + data({ error: { code: 400, message, type, n_prompt_tokens: 900, n_ctx: 512 } }),
  );
  assert.equal(outcome.code, "context_too_small");
  assert.equal(outcome.message, message);
  assert.equal(shown(outcome), "Hal");
});

test("an error as the whole body, as text, as an event or as a line of its own is an error", () => {
  const bodies = [
    '{"error":{"code":500,"message":"out of memory","type":"server_error"}}',
    '{"error":"out of memory"}',
    '{"object":"error","message":"out of memory","code":500}',
    data({ error: "out of memory" }),
    'event: error\ndata: {"message":"out of memory"}\n\n',
    'error: {"message":"out of memory"}\n\n',
  ];
  for (const body of bodies) {
    const outcome = read(body);
    assert.deepEqual([outcome.code, outcome.message], ["server_error", "out of memory"], body);
  }
});

test("L11: [DONE] alone is an empty answer", () => {
  assert.equal(read(done).code, "empty_answer");
});

test("a reply without a word is an empty answer, unless it ran into its limit of tokens", () => {
  assert.equal(read(finish() + done).code, "empty_answer");
  assert.equal(read().code, "empty_answer");
  assert.equal(read(finish("length") + done).reply?.text, "");
});

test("L13: a chunk with usage only is no fault, and the stream goes on", () => {
  const outcome = read(
    data({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }) +
      text("on") +
      finish() +
      done,
  );
  assert.deepEqual(outcome.events, [
    { type: "usage", usage: { prompt: 7, cached: null, output: 3, readMs: null, outputMs: null } },
    { type: "text", delta: "on" },
  ]);
});

test("usage that is counted along in every chunk is told once, with the last count", () => {
  const chunk = (content: string, output: number, reason: string | null = null) =>
    data({
      choices: [{ delta: { content }, finish_reason: reason }],
      usage: { prompt_tokens: 5, completion_tokens: output },
    });
  const outcome = read(chunk("a", 1) + chunk("b", 2, "stop") + done);
  const told = outcome.events.filter((event) => event.type === "usage");
  assert.deepEqual(told, [
    { type: "usage", usage: { prompt: 5, cached: null, output: 2, readMs: null, outputMs: null } },
  ]);
});

test("timings of a llama-server tell the cached tokens, with or without usage", () => {
  const timings = { cache_n: 30, prompt_n: 1, prompt_ms: 9.5, predicted_n: 51, predicted_ms: 700 };
  const alone = read(
    text("a") + data({ choices: [{ delta: {}, finish_reason: "stop" }], timings }),
  );
  assert.deepEqual(alone.reply?.usage, {
    prompt: 31,
    cached: 30,
    output: 51,
    readMs: 9,
    outputMs: 700,
  });
  const both = read(
    text("a") +
      finish() +
      data({ choices: [], usage: { prompt_tokens: 31, completion_tokens: 50 }, timings }) +
      data({ choices: [], usage: null }) +
      done,
  );
  assert.deepEqual(both.reply?.usage, {
    prompt: 31,
    cached: 30,
    output: 50,
    readMs: 9,
    outputMs: 700,
  });
});

test("prompt_progress is told as progress", () => {
  const outcome = read(
    data({
      choices: [{ index: 0, delta: { role: "assistant", content: null } }],
      prompt_progress: { total: 31, cache: 4, processed: 20, time_ms: 3 },
    }) +
      text("a") +
      finish() +
      done,
  );
  assert.deepEqual(outcome.events[0], { type: "progress", processed: 20, total: 31, cached: 4 });
});

test("L23: a stream that ends without a finish reason was cut, and its text was shown", () => {
  const outcome = read(text("The answer"));
  assert.equal(outcome.code, "cut");
  assert.equal(shown(outcome), "The answer");
  assert.equal(read(text("The answer") + done).code, "cut");
  assert.equal(read(`${text("The answer")}data: {"choices":[{"del`).code, "cut");
  assert.equal(read(": ping\n\n").code, "cut");
});

test("what follows [DONE] does not count", () => {
  const outcome = read(text("a") + finish() + done, text("b"), "garbage\n\n");
  assert.equal(outcome.reply?.text, "a");
});

test("a last event without its blank line still counts", () => {
  assert.equal(read(text("a") + finish().trimEnd()).reply?.text, "a");
});

test("a completion that was not streamed is read as well", () => {
  const outcome = read(
    JSON.stringify({
      choices: [
        {
          message: {
            role: "assistant",
            content: "Hello.",
            reasoning_content: "hm",
            tool_calls: [
              { id: "a", type: "function", function: { name: "now", arguments: "" } },
              { id: "", type: "function", function: { name: "now", arguments: "{}" } },
            ],
          },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    }),
  );
  assert.deepEqual(
    outcome.events.map((event) => event.type),
    ["think", "text", "usage"],
  );
  assert.equal(outcome.reply?.text, "Hello.");
  assert.equal(outcome.reply?.calls.length, 2);
});

test("a web page, plain text and foreign JSON are no model server", () => {
  for (const body of [
    "<!doctype html><p>hi",
    "  \n<html>",
    "Hello!\n",
    "{}",
    "[1]",
    "{oops",
    "data: x\n\n",
  ]) {
    assert.equal(read(body).code, "not_a_model_server", body);
  }
});

test("a line without end, an endless reply and a flood of calls are refused with bounded memory", () => {
  const mebibyte = "x".repeat(1024 * 1024);
  const line = Array.from({ length: 20 }, () => mebibyte);
  assert.equal(read("data: ", ...line).code, "reply_too_large");
  assert.equal(read("{", ...line).code, "reply_too_large");
  assert.equal(read(...Array.from({ length: 20 }, () => text(mebibyte))).code, "reply_too_large");
  const flood = Array.from({ length: 300 }, (_, index) => calls({ index, id: `c${index}` }));
  assert.equal(read(...flood).code, "reply_too_large");
});

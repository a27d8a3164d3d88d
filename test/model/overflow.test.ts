// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A request that is too long is known from what servers say of it, and nothing else is taken for it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serverError, statusError, TooLong } from "../../src/model/server-error.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, makeBackend, signal } from "./made-backend.ts";

/** What servers have answered, and where those words were found. */
const answers = readFileSync(join(import.meta.dirname, "overflow.tsv"), "utf8");
const count = (text: string) => (text === "" ? null : Number(text));

for (const line of answers.trimEnd().split("\n").slice(1)) {
  const [server = "", source = "", status = "", needs = "", holds = "", body = ""] =
    line.split("\t");
  test(`a request that is too long is told by ${server} (${source})`, () => {
    const fault = statusError(Number(status), body);
    assert.ok(fault instanceof TooLong, fault.message);
    assert.equal(fault.code, "context_too_small");
    assert.deepEqual([fault.needs, fault.holds], [count(needs), count(holds)]);
    assert.notEqual(fault.message, "");
    const both = needs !== "" && holds !== "";
    assert.match(fault.hint, new RegExp(both ? `${needs}.*${holds}.*Begin` : "^Begin"));
  });
}

test("in a stream, which began with status 200, it is told as well", () => {
  const fault = serverError({ message: "Context size has been exceeded.", code: 500 });
  assert.ok(fault instanceof TooLong);
});

test("other faults that speak of tokens, context or length are not taken for it", () => {
  const others: [status: number, words: string][] = [
    [400, "'max_tokens' must be at least 1, got -186"],
    [400, "the tool description is too long"],
    [429, "Rate limit reached: this model's maximum context length is 8192 tokens a minute"],
    [500, "failed to process the context"],
    [400, "unknown field context_length"],
  ];
  for (const [status, words] of others) {
    const fault = statusError(status, JSON.stringify({ error: { message: words } }));
    assert.equal(fault.code, "server_error", words);
    assert.ok(!(fault instanceof TooLong), words);
  }
});

test("a request that is too long is told as such, and not taken for a schema that is not understood", async () => {
  const error = {
    message: "too long",
    type: "exceed_context_size_error",
    n_prompt_tokens: 9,
    n_ctx: 8,
  };
  await using server = await startModelServer({
    script: (reply) => reply.status(400, { error }),
  });
  await using made = makeBackend({ llm: server.url });
  const served = await made.backend.ready(signal);
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const asked = served.complete(
    { messages: ['{"role":"user","content":"q"}'], think: false, schema },
    { kind: "answer", signal, emit: () => undefined },
  );
  await assert.rejects(asked, { code: "context_too_small", needs: 9, holds: 8 });
  assert.equal(server.chats.length, 1);
  server.setScript((reply) => reply.text("{}").finish().done());
  await ask(served);
  assert.equal(made.backend.status().state, "ready");
});

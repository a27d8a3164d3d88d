// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A whole run of the public benchmark's cases against a scripted model: what passes and what does not.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runBfcl } from "../../bench/bfcl/core.ts";
import { figures } from "../../bench/bfcl/report.ts";
import { Unusable } from "../../bench/share.ts";
import { type Script, startModelServer } from "../support/model-server.ts";

const data = mkdtempSync(join(tmpdir(), "bfcl-data-"));
after(() => rmSync(data, { recursive: true }));
mkdirSync(join(data, "possible_answer"));

const area = {
  name: "geo.area",
  description: "The area of a square",
  parameters: { type: "dict", properties: { side: { type: "float" } }, required: ["side"] },
};
const write = (category: string, questions: string[], side?: number) => {
  const file = `BFCL_v4_${category}.json`;
  const lines = questions.map((content, at) => ({
    id: `${category}_${at}`,
    question: [[{ role: "user", content }]],
    function: [area],
  }));
  const jsonLines = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
  writeFileSync(join(data, file), jsonLines(lines));
  if (side === undefined) return;
  const truth = lines.map(({ id }) => ({ id, ground_truth: [{ "geo.area": { side: [side] } }] }));
  writeFileSync(join(data, "possible_answer", file), jsonLines(truth));
};
write("simple_python", ["call 5", "call 6", "text"], 5);
write("irrelevance", ["text", "call 5"]);

const ids = [
  "simple_python_0",
  "simple_python_1",
  "simple_python_2",
  "irrelevance_0",
  "irrelevance_1",
];

/** "call N" calls with that side; anything else is answered in words. */
const script: Script = (reply, { json }) => {
  const asked = json.messages.at(-1)?.content ?? "";
  const [, side] = /call (\d+)/.exec(asked) ?? [];
  const name = json.tools?.[0]?.function.name ?? "";
  const pick =
    side === undefined ? '{"tool":"none"}' : `{"tool":"geo_area","arguments":{"side":${side}}}`;
  if (json.response_format || json.grammar) reply.text(pick).finish();
  else if (side !== undefined) reply.call(name, `{"side":${side}}`).finish("tool_calls");
  else reply.text("I ", "cannot.").finish();
  reply.usage(100, 8, 40).done();
};

for (const mode of ["native", "plan"] as const) {
  test(`cases are counted by category, and nothing is asked after a decision: ${mode}`, async () => {
    await using model = await startModelServer({ script });
    const place = { url: model.url, apiKey: null, close: async () => undefined };
    const results = await runBfcl({ data, ids, place, mode });
    assert.deepEqual(
      results.map(({ id, fault, error }) => [id, fault, error]),
      [
        ["simple_python_0", null, ""],
        ["simple_python_1", "value_error:others side: 6 not in [5]", ""],
        ["simple_python_2", "called nothing, wanted geo.area", ""],
        ["irrelevance_0", null, ""],
        ["irrelevance_1", 'called geo.area({"side":5}), wanted no call', ""],
      ],
    );
    const counted = figures(results);
    assert.deepEqual(counted.byCategory.simple_python, { right: 1, of: 3 });
    assert.deepEqual(counted.byCategory.irrelevance, { right: 1, of: 2 });
    assert.deepEqual(counted.total, { right: 2, of: 5 });
    assert.equal(counted.mean.toFixed(4), "0.4167");
    assert.deepEqual([results[0]?.prompt, results[0]?.cached, results[0]?.output], [100, 40, 8]);
    assert.equal(model.chats.length, ids.length);
    assert.match(model.chats[0]?.body ?? "", /geo_area/);
    assert.equal(model.chats[0]?.json.temperature, 0);
  });
}

test("a server that answers with an error is a case that is not passed", async () => {
  await using model = await startModelServer({
    script: (reply) => reply.status(500, { error: { message: "no" } }),
  });
  const place = { url: model.url, apiKey: null, close: async () => undefined };
  const results = await runBfcl({ data, ids: ["irrelevance_0"], place, mode: "native" });
  assert.notEqual(results[0]?.error, "");
  assert.deepEqual(figures(results).total, { right: 0, of: 1 });
});

test("an id of no case that can be run is said before anything is asked", async () => {
  await using model = await startModelServer();
  const place = { url: model.url, apiKey: null, close: async () => undefined };
  for (const id of ["irrelevance_99", "parallel_0", "simple_python"])
    await assert.rejects(runBfcl({ data, ids: [id], place, mode: "plan" }), Unusable);
  assert.equal(model.chats.length, 0);
});

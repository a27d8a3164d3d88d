// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a real engine writes when a schema forces its reply: compact JSON that passes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import { pickSchema } from "../src/conversation/strategies/plan/choices.ts";
import { requestBody } from "../src/model/request.ts";
import { ordinary } from "../test/conversation/many/ordinary.ts";
import { fill, openDaemon, openHome, question } from "./home.ts";

const model = "qwen2.5-coder-1.5b";

test("a forced reply is compact JSON that passes its schema, for twelve tools and for any shape", async (t) => {
  await fill(model);
  using home = await openHome({ model });
  await using daemon = await openDaemon(home);
  await question(daemon.client, "Say hi.");
  const picks = pickSchema(ordinary.slice(0, 12), { today: new Date(), none: ["none"] });
  const shapes: Record<string, unknown>[] = [
    picks,
    { type: "string", maxLength: 1500 },
    { type: "array", items: { type: "integer", minimum: -5, maximum: 12 }, maxItems: 3 },
    {
      type: "object",
      properties: {
        id: { type: "string", pattern: "^[A-Z]{2}-[0-9]{1,4}$" },
        day: { type: "string", format: "date" },
        kind: { enum: ["a", "b", 1, null] },
      },
      required: ["day"],
    },
  ];
  for (const schema of shapes) {
    const asked = ["How is the weather in Oslo?", "Write JSON about the sea."].entries();
    for (const [at, content] of asked) {
      const messages = [JSON.stringify({ role: "user", content: `${content} Reply as JSON.` })];
      const completion = { messages, think: false, maxTokens: 120, schema };
      const body = JSON.parse(requestBody(completion, { model, llama: true, temperature: 0 }));
      assert.ok(body.grammar);
      const reply = Object(
        await daemon.engine().ask("/v1/chat/completions", { ...body, stream: false }),
      );
      const [{ message, finish_reason }] = reply.choices ?? [{}];
      t.diagnostic(`${at}: ${message?.content}`);
      assert.equal(finish_reason, "stop", JSON.stringify(reply));
      const value: unknown = JSON.parse(message.content);
      assert.equal(JSON.stringify(value), message.content);
      assert.ok(new Validator(schema, "2020-12").validate(value).valid, message.content);
    }
  }
});

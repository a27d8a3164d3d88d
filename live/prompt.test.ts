// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What tools take of a prompt, as a real server counts it: twelve of them, and three hundred.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolSchema } from "../src/message.ts";
import { bigTools, manyTools } from "../test/conversation/many/load.ts";
import { ordinary } from "../test/conversation/many/ordinary.ts";
import { fill, openDaemon, openHome } from "./home.ts";

const model = "qwen2.5-coder-1.5b";

/** A hundred to a plugin, so that the daemon itself makes the request. */
const plugins = (tools: readonly ToolSchema[]) =>
  Object.fromEntries(
    [0, 100, 200].map((from) => [
      `from_${from}.mjs`,
      `const call = async () => ({ ok: true, text: "done" });
export default ${JSON.stringify(tools.slice(from, from + 100))}.map((tool) => ({ ...tool, call }));`,
    ]),
  );

const question = "Is anything in the calendar on Friday afternoon?";

/** Tokens of a question's first request. */
async function tokens(tools: readonly ToolSchema[]): Promise<number> {
  using home = await openHome({ model, ...(tools.length > 0 && { tools: plugins(tools) }) });
  await using daemon = await openDaemon(home);
  daemon.client.send({ type: "ask", text: question });
  const { used } = await daemon.client.next("ctx");
  return Number(used);
}

test("twelve tools add less than 1,500 tokens to a prompt", async (t) => {
  await fill(model);
  const none = await tokens([]);
  const twelve = await tokens(ordinary.slice(0, 12));
  t.diagnostic(`without: ${none}, with twelve: ${twelve}`);
  assert.ok(twelve - none > 300 && twelve - none < 1500, `${twelve - none}`);
});

test("a prompt stays below 2,000 tokens with 300 tools, also with 300 large ones", async (t) => {
  for (const tools of [manyTools, bigTools]) {
    assert.equal(tools.length, 300);
    const count = await tokens(tools);
    t.diagnostic(`${JSON.stringify(tools).length} bytes of tools: ${count} tokens`);
    assert.ok(count > 900 && count < 2000, `${count}`);
  }
});

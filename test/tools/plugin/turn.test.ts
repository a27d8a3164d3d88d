// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A plugin in a real daemon: a model calls it, it asks the model and the history, and its card is told.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Line } from "../../support/daemon.ts";
import type { ReplyWriter, Script } from "../../support/model-server.ts";
import { start } from "../../support/started.ts";

const plugin = `class Ask {
  name = "recall"; description = "Recalls"; parameters = { subject: { required: true } };
  bindContext(context) { this.context = context; }
  async call({ subject }, { signal }) {
    const { model, history, config, monitor, person } = this.context;
    const found = await history.search(subject);
    const { queue } = await monitor();
    const said = await model("sum up", { signal, system: config.system });
    return { ok: true, text: said, card: { kind: "list", items: [found.length, queue, person.name] } };
  }
}
export default new Ask();
`;

const config = '[person]\nname = "Ada"\n[plugins.recall]\nsystem = "Be short."\n';

test("a plugin's completion runs inside the turn that called it, and its card reaches the client", async (t) => {
  const script: Script = (reply, { json }) => {
    const last = json.messages.at(-1);
    if (last?.role === "tool") reply.text("Done.").finish().done();
    else if (last?.content === "sum up") reply.text("All of it.").finish().done();
    else reply.call("recall", { subject: "bees" }).finish("tool_calls").done();
  };
  const { model, daemon, end } = await start({ script, config, tools: { "recall.mjs": plugin } });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: [] });
  client.send({ type: "ask", text: "What about the bees?" });
  const lines = await client.turn();
  const tool = lines.find((line: Line) => line.type === "tool" && line.done === true);
  assert.deepEqual([tool?.ok, tool?.text], [true, "All of it."]);
  assert.deepEqual(tool?.card, { kind: "list", items: [0, 0, "Ada"] });
  const asked = model.chats.find(({ json }) => json.messages.at(-1)?.content === "sum up");
  assert.deepEqual(asked?.json.messages[0], { role: "system", content: "Be short." });
});

test("a stop of the turn ends the plugin's completion", async (t) => {
  const asking = Promise.withResolvers<ReplyWriter>();
  const script: Script = (reply, { json }) => {
    if (json.messages.at(-1)?.content === "sum up") {
      reply.text("So");
      asking.resolve(reply);
    } else reply.call("recall", { subject: "bees" }).finish("tool_calls").done();
  };
  const { daemon, end } = await start({ script, config, tools: { "recall.mjs": plugin } });
  t.after(end);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: [] });
  client.send({ type: "ask", text: "What about the bees?" });
  const turn = client.turn();
  const { closed } = await asking.promise;
  client.send({ type: "stop" });
  await turn;
  await closed;
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs every example of docs/protocol.md against a real daemon.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { makeHome, startDaemon } from "../support/daemon.ts";
import { compared, readExamples } from "../support/examples.ts";
import { hello, type Script, startModelServer } from "../support/model-server.ts";

const page = join(import.meta.dirname, "../../docs/protocol.md");
const examples = readExamples(readFileSync(page, "utf8"));

/** What the model does in an example, by the word behind the language of its block. */
const scripts: Record<string, Script> = {
  "": hello,
  tool(reply, request, count) {
    if (request.json.messages.at(-1)?.role === "tool") return hello(reply, request, count);
    reply.think("She wants a greeting.").call("greet", { name: "Ada" }).finish("tool_calls");
    reply.usage(30, 9).done();
  },
  change(reply) {
    reply.think("She wants a greeting.").call("greet", { name: "Ada" }, { id: "call-1" });
    reply.finish("tool_calls").usage(30, 9).done();
  },
  endless(reply) {
    reply.text("one");
  },
  broken(reply) {
    reply.text("I").response.end();
  },
};

const greet = `description = "Greets somebody."
command = ["printf", "Good day, %s.", "{name}"]
[params.name]
description = "whom"
`;

/** A connection as its lines, none of them parsed. */
async function reading(path: string) {
  const socket = createConnection(path);
  await once(socket, "connect");
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  return { socket, lines };
}

test("the page has examples of both versions", () => {
  const titles = new Set(examples.map(({ title }) => title));
  for (const title of ["A question", "A tool", "A stop", "The same question in version 2"]) {
    assert.ok(titles.has(title), title);
  }
  assert.deepEqual(
    examples.filter(({ script }) => !(script in scripts)),
    [],
  );
});

for (const { title, line, script, steps } of examples) {
  test(`the example in line ${line} is what happens: ${title}`, async (t) => {
    const model = await startModelServer({ script: scripts[script] ?? hello });
    const home = makeHome();
    t.after(async () => {
      await model.close();
      home.remove();
    });
    home.config(`llm = "${model.url}"\n`);
    if (script === "tool") home.tool("greet.toml", greet);
    if (script === "change") home.tool("greet.toml", `effect = "change"\n${greet}`);
    await using daemon = await startDaemon(home);
    const { socket, lines } = await reading(home.socket);
    t.after(() => socket.destroy());
    const first = await lines.next();
    for (const [index, step] of steps.entries()) {
      if (step.send) {
        socket.write(`${step.text}\n`);
        continue;
      }
      // Most examples leave the greeting out.
      const { value } = index === 0 ? first : await lines.next();
      assert.ok(value !== undefined, `line ${step.line}: the daemon hung up`);
      const { received, shown } = compared(value, step.text);
      assert.equal(received, shown, `line ${step.line}`);
    }
    // Nothing else came: the next line is the answer to this.
    socket.write('{"type":"that was all"}\n');
    const { value: last } = await lines.next();
    assert.match(last ?? "", /unknown command that was all/);
    assert.equal(daemon.child.exitCode, null);
  });
}

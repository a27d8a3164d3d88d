// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A model file of the person's own, of which nothing is known, with the real engine: it is tried once.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, watch } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cacheFolder, openDaemon, openHome, question } from "./home.ts";

const calc = `description = "Calculates an expression"
command = ["echo", "391"]
[parameters.expression]
type = "string"
required = true
`;

test("a model of one's own is tried when nobody asks, and then picks its tools by plan", async () => {
  const model = "qwen2.5-coder-1.5b";
  using home = await openHome({ model, tools: { "calc.toml": calc } });
  const models = join(home.data, "models");
  rmSync(models);
  mkdirSync(models);
  symlinkSync(join(cacheFolder, "models", `${model}.gguf`), join(models, "mine.gguf"));
  home.config('model = "mine"\n');
  const state = join(home.folder, "state", "desktop-assistant");
  mkdirSync(state, { recursive: true });
  const tried = Promise.withResolvers<void>();
  using _ = watching(state, (name) => {
    if (name !== "state.json") return;
    const { tool_modes = {} } = JSON.parse(readFileSync(join(state, name), "utf8"));
    if (Object.keys(tool_modes).length > 0) tried.resolve();
  });
  await using daemon = await openDaemon(home);
  const first = await question(daemon.client, "Say hi.");
  assert.equal(first.end.type, "done");
  await tried.promise;
  const status = await daemon.client.ask({ type: "status" });
  assert.equal(status.strategy, "plan", String(status.strategy_why));
  assert.match(String(status.strategy_why), /when tried$/);
  const { calls, reply } = await question(daemon.client, "What is 17 times 23?");
  assert.deepEqual(
    calls.map(({ name }) => name),
    ["calc"],
  );
  assert.match(reply, /391/);
});

/** Until it is disposed of; `onChange` is told which file was written. */
function watching(folder: string, onChange: (name: string | null) => void) {
  const watcher = watch(folder, (_event, name) => onChange(name));
  return { [Symbol.dispose]: () => watcher.close() };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// config.toml becomes checked values; what is absent has its default.
import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadConfig } from "../../src/config/load.ts";
import { load, makeFolder } from "./folder.ts";

/** With ordinary prototypes, so that a literal can be compared with it. */
const plain = (value: unknown): unknown => structuredClone(value);

const defaults = {
  llm: null,
  model: null,
  loadIfNone: true,
  apiKeyFile: null,
  temperature: null,
  think: true,
  toolRounds: 3,
  toolsMode: "auto",
  warm: true,
  titles: true,
  stall: 120,
  assistantName: null,
  person: { name: null, address: null },
  env: {},
  engine: { command: null, threads: null, context: null, gpuLayers: null, batch: null },
  mcp: {},
  plugins: {},
};

test("a missing file and an empty one are all defaults", async () => {
  using place = makeFolder();
  const missing = await loadConfig(place.file);
  const { system, ...rest } = missing;
  assert.deepEqual(plain(rest), defaults);
  assert.deepEqual(await load(""), missing);
  assert.deepEqual(await load("\uFEFF# nothing\r\n"), missing);
  assert.ok(system.split(/\s+/).length < 120);
});

test("every key of the file is taken", async () => {
  const config = await load(`
llm = "http://localhost:8181/v1"
model = "some-model"
load_if_none = false
api_key_file = "/srv/key"
system = "Be brief."
temperature = 1
think = false
tool_rounds = 0
tools_mode = "plan"
warm = false
titles = false
stall = 2.5
assistant_name = "Ada"
[person]
name = "Robin"
address = "Boss"
[env]
A = "b"
[engine]
command = "/opt/llama-server"
threads = 2
context = 4096
gpu_layers = 0
batch = 64
[mcp.files]
command = ["server", "--stdio"]
env = { TOKEN = "x", LEVEL = 2 }
tools = ["read"]
read = ["read"]
timeout = 5
enabled = false
[mcp.notes]
url = "https://notes.example/mcp"
[plugins.agenda]
days = 7
deep = { list = [1, "two"] }
`);
  assert.deepEqual(plain(config), {
    llm: "http://localhost:8181/v1",
    model: "some-model",
    loadIfNone: false,
    apiKeyFile: "/srv/key",
    system: "Be brief.",
    temperature: 1,
    think: false,
    toolRounds: 0,
    toolsMode: "plan",
    warm: false,
    titles: false,
    stall: 2.5,
    assistantName: "Ada",
    person: { name: "Robin", address: "Boss" },
    env: { A: "b" },
    engine: { command: "/opt/llama-server", threads: 2, context: 4096, gpuLayers: 0, batch: 64 },
    mcp: {
      files: {
        command: ["server", "--stdio"],
        url: null,
        env: { TOKEN: "x", LEVEL: "2" },
        tools: ["read"],
        read: ["read"],
        timeout: 5,
        enabled: false,
      },
      notes: {
        command: null,
        url: "https://notes.example/mcp",
        env: {},
        tools: null,
        read: [],
        timeout: 30,
        enabled: true,
      },
    },
    plugins: { agenda: { days: 7, deep: { list: [1, "two"] } } },
  });
});

test("[env] takes every single value and writes it as TOML does", async () => {
  const { env } = await load(`[env]
text = "a b"
yes = true
no = false
integer = 1_000
hex = 0xff
large = 9007199254740993
float = 1.50
whole = 3.0
minus = -0.0
huge = 1e22
none = nan
end = -inf
date = 2026-11-30
time = 2026-11-30T10:00:00Z
"odd-name" = ""
`);
  assert.deepEqual(Object.entries(env), [
    ["text", "a b"],
    ["yes", "true"],
    ["no", "false"],
    ["integer", "1000"],
    ["hex", "255"],
    ["large", "9007199254740993"],
    ["float", "1.5"],
    ["whole", "3.0"],
    ["minus", "-0.0"],
    ["huge", "1e+22"],
    ["none", "nan"],
    ["end", "-inf"],
    ["date", "2026-11-30"],
    ["time", "2026-11-30T10:00:00Z"],
    ["odd-name", ""],
  ]);
});

test("a path begins at the home folder or at the config folder", async () => {
  using place = makeFolder();
  const read = async (path: string) => {
    place.write(`api_key_file = "${path}"\n`);
    return (await loadConfig(place.file)).apiKeyFile;
  };
  assert.equal(await read("~/keys/a"), join(homedir(), "keys/a"));
  assert.equal(await read("key"), join(place.folder, "key"));
  assert.equal(await read("../key"), join(place.folder, "../key"));
  assert.equal(await read("/srv/key"), "/srv/key");
});

test("the engine's command is a name to look for or a path", async () => {
  const command = async (text: string) => (await load(`engine.command = "${text}"`)).engine.command;
  assert.equal(await command("llama-server"), "llama-server");
  assert.equal(await command("~/bin/llama-server"), join(homedir(), "bin/llama-server"));
});

test("an empty name is as good as not set, an empty system text is kept", async () => {
  const config = await load('assistant_name = ""\nmodel = " "\nsystem = ""\nperson.name = ""');
  const { assistantName, model, system, person } = config;
  assert.deepEqual([assistantName, model, system, person.name], [null, null, "", null]);
});

test("names from the file that objects know too are only names", async () => {
  const config = await load("[plugins.constructor]\na = 1\n[env]\nvalueOf = 1\n");
  assert.deepEqual(Object.keys(config.plugins), ["constructor"]);
  assert.deepEqual(
    [config.plugins.toString, config.env.toString, config.mcp.constructor],
    [undefined, undefined, undefined],
  );
  assert.equal(config.env.valueOf, "1");
});

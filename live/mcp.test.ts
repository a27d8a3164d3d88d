// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A real daemon with three MCP servers from npm: every tool of theirs listed, several called by a model.
// What live/mcp/ names is installed into the cache folder, which also works when it is empty.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { type Line, startDaemon } from "../test/support/daemon.ts";
import type { Script } from "../test/support/model-server.ts";
import { start } from "../test/support/started.ts";
import { cacheFolder } from "./home.ts";

const servers = join(cacheFolder, "mcp");

before(() => {
  mkdirSync(servers, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(join(import.meta.dirname, "mcp", name), join(servers, name));
  execFileSync("npm", ["ci", "--prefix", servers], { stdio: ["ignore", "ignore", "inherit"] });
});

const everything = [
  "echo get-annotated-message get-env get-resource-links get-resource-reference",
  "get-structured-content get-sum get-tiny-image gzip-file-as-resource simulate-research-query",
  "toggle-simulated-logging toggle-subscriber-updates trigger-long-running-operation",
];
const files = [
  "create_directory directory_tree edit_file get_file_info list_allowed_directories list_directory",
  "list_directory_with_sizes move_file read_file read_media_file read_multiple_files read_text_file",
  "search_files write_file",
];
const memory = [
  "add_observations create_entities create_relations delete_entities delete_observations",
  "delete_relations open_nodes read_graph search_nodes",
];
const named = (server: string, words: string[]) =>
  words.flatMap((line) => line.split(" ")).map((name) => `${server}__${name}`);

/** A question is the name of a tool and its arguments; the model calls that, and says what it read. */
const script: Script = (reply, request) => {
  const last = request.json.messages.at(-1);
  const [, name, args] = /\] (\w+__\S+) (\{.*\})$/m.exec(last?.content ?? "") ?? [];
  if (last?.role === "user" && name && args)
    reply.call(name, args).finish("tool_calls").usage(9, 9).done();
  else
    reply
      .text(last?.content ?? "")
      .finish()
      .usage(9, 9)
      .done();
};

/** A daemon with the three servers; the client says yes to whatever it is asked. */
async function open() {
  const command = (name: string, ...args: string[]) =>
    JSON.stringify([process.execPath, join(servers, "node_modules/.bin", name), ...args]);
  const read = (...names: string[]) => `read = ${JSON.stringify(names)}\n`;
  const started = await start({ script });
  const { home, model } = started;
  await started.daemon.stop();
  const allowed = join(home.folder, "allowed");
  mkdirSync(allowed);
  writeFileSync(join(allowed, "a.txt"), "words in a file\n");
  home.config(`llm = "${model.url}"
[mcp.everything]
command = ${command("mcp-server-everything")}
${read(
  "echo",
  "get-sum",
  "get-tiny-image",
  "get-structured-content",
  "get-resource-links",
  "get-env",
  "trigger-long-running-operation",
)}
[mcp.files]
command = ${command("mcp-server-filesystem", allowed)}
${read("read_text_file", "list_directory")}
[mcp.memory]
command = ${command("mcp-server-memory")}
env = { MEMORY_FILE_PATH = ${JSON.stringify(join(home.folder, "memory.jsonl"))} }
${read("search_nodes")}`);
  const daemon = await startDaemon(home);
  for (const name of ["everything", "files", "memory"]) await daemon.logged(`mcp: ${name}: ready`);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["confirm"] });
  const asked: Line[] = [];
  /** What the model read, and in how many milliseconds. */
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    client.send({ type: "ask", text: `${name} ${JSON.stringify(args)}` });
    const end = (line: Line) => line.type === "state" && line.state === "idle";
    for (;;) {
      const line = await client.next((one) => one.type === "confirm" || end(one));
      if (line.type !== "confirm") break;
      asked.push(line);
      client.send({ type: "confirm", key: line.key, call: line.call, allow: true });
    }
    const read = model.chats.at(-1)?.json.messages.at(-1)?.content ?? "";
    console.log(`${name} ${JSON.stringify(args)} -> ${JSON.stringify(read).slice(0, 160)}`);
    return read;
  };
  const end = async () => {
    await daemon.stop();
    await model.close();
    home.remove();
  };
  return { daemon, client, call, asked, allowed, [Symbol.asyncDispose]: end };
}

test("every tool of the three servers is listed and ready", async () => {
  await using here = await open();
  const { items } = await here.client.ask({ type: "tools" });
  assert.ok(Array.isArray(items));
  const mcp = items.filter(({ source }) => source === "mcp");
  assert.deepEqual(
    mcp.map(({ name }) => name),
    [...named("everything", everything), ...named("files", files), ...named("memory", memory)],
  );
  assert.deepEqual([...new Set(mcp.map(({ state, error }) => state + error))], ["ready"]);
});

test("a model reads what real servers answer", async () => {
  await using here = await open();
  const { call, allowed, asked } = here;
  assert.equal(await call("everything__echo", { message: "hello" }), "Echo: hello");
  assert.equal(await call("everything__get-sum", { a: 2, b: 3 }), "The sum of 2 and 3 is 5.");
  assert.match(await call("everything__get-tiny-image"), /\[image, \d+ kB\]/);
  const weather = await call("everything__get-structured-content", { location: "Chicago" });
  assert.equal(typeof JSON.parse(weather).temperature, "number");
  assert.match(await call("everything__get-resource-links", { count: 2 }), /: demo:\/\/resource\//);
  const env: unknown = JSON.parse(await call("everything__get-env"));
  assert.ok(!Object.keys(Object(env)).includes("XDG_RUNTIME_DIR"));
  assert.match(
    await call("files__read_text_file", { path: join(allowed, "a.txt") }),
    /^words in a file/,
  );
  assert.match(await call("files__list_directory", { path: "/etc" }), /^error: Access denied/);
  const entities = [{ name: "Ada", entityType: "person", observations: ["likes tea"] }];
  assert.equal(asked.length, 0);
  await call("memory__create_entities", { entities });
  // Nobody has said that this one only reads.
  assert.deepEqual(
    asked.map(({ name }) => name),
    ["memory__create_entities"],
  );
  assert.match(await call("memory__search_nodes", { query: "tea" }), /"name": "Ada"/);
});

test("a long call is stopped at once, and its server goes on", async () => {
  await using here = await open();
  const { client, call } = here;
  const text = 'everything__trigger-long-running-operation {"duration":600,"steps":600}';
  client.send({ type: "ask", text });
  await client.next("tool");
  const begun = performance.now();
  client.send({ type: "stop" });
  await client.next((line) => line.type === "state" && line.state === "idle");
  console.log(`stopped after ${Math.round(performance.now() - begun)} ms`);
  assert.equal(await call("everything__echo", { message: "still here" }), "Echo: still here");
});

test("the entry that docs/tools.md shows reads a file", async () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/tools.md"), "utf8");
  const entry = /^```toml\n(\[mcp\.files\]\n.*?)^```$/ms.exec(page)?.[1] ?? "";
  const started = await start({ script });
  const { home, model } = started;
  await started.daemon.stop();
  writeFileSync(join(home.folder, "a.txt"), "as on the page\n");
  // What the registry brings is installed already, and the folder is one that exists here.
  const installed = join(servers, "node_modules/.bin/mcp-server-filesystem");
  const own = entry
    .replace(
      '"npx", "-y", "@modelcontextprotocol/server-filesystem"',
      `"${process.execPath}", "${installed}"`,
    )
    .replace("/srv/files", home.folder);
  assert.ok(own.includes(installed) && own.includes(home.folder), entry);
  home.config(`llm = "${model.url}"\n${own}`);
  const daemon = await startDaemon(home);
  try {
    await daemon.logged("mcp: files: ready");
    const client = await daemon.connect();
    const path = join(home.folder, "a.txt");
    const read = { type: "run", name: "files__read_text_file", arguments: { path } };
    assert.equal((await client.ask(read)).text, "as on the page\n");
    const write = { type: "run", name: "files__write_file", arguments: { path, content: "" } };
    assert.match(String((await client.ask(write)).error), /the person must confirm it/);
  } finally {
    await daemon.stop();
    await model.close();
    home.remove();
  }
});

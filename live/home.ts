// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A real daemon with the real engine and a real model, in folders of its own, and a look at that engine.
// The folder DESKTOP_ASSISTANT_LIVE_CACHE keeps engine and models between runs; an empty one works too.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { systemCode } from "../src/errors.ts";
import { Engine } from "../src/model/engine/engine.ts";
import { type Line, makeHome, startDaemon, type TestClient } from "../test/support/daemon.ts";

export const cacheFolder =
  process.env.DESKTOP_ASSISTANT_LIVE_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "desktop-assistant-live");

/** Sees to it that the cache holds the engine and the model, fetched as a person's are. */
export async function fill(model: string): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true });
  const engine = new Engine({
    config: { command: null, threads: null, context: 512, gpuLayers: null, batch: null },
    folder: cacheFolder,
    env: process.env,
    wanted: model,
    onJob: (job) => job.state !== "running" && console.error(job.message),
    onNotice: (notice) => console.error(notice.message),
  });
  try {
    if (engine.installed()) return;
    const place = await engine.ready(AbortSignal.timeout(850_000));
    assert.equal(place.model, model);
  } finally {
    await engine.close();
  }
}

/** Folders of their own with the cache's engine and models; `tools` are files by name. */
export async function openHome(options: {
  model: string;
  config?: string;
  tools?: Record<string, string>;
}) {
  const { model, config = "", tools = {} } = options;
  await fill(model);
  const home = makeHome();
  mkdirSync(home.data, { recursive: true });
  for (const name of ["engine", "models"])
    symlinkSync(join(cacheFolder, name), join(home.data, name));
  home.config(`model = "${model}"\n${config}`);
  for (const [name, content] of Object.entries(tools)) home.tool(name, content);
  return Object.assign(home, { [Symbol.dispose]: home.remove });
}

/** The daemon of such a home, and one client that gets everything of version 2. */
export async function openDaemon(home: Awaited<ReturnType<typeof openHome>>) {
  const daemon = await startDaemon(home);
  const client = await daemon.connect();
  await client.ask({ type: "features", names: ["notice", "job", "queue", "changed", "progress"] });
  return { ...daemon, client, engine: () => engineOf(home.data) };
}

/** The last line of its turn: the text, the figures, and how it ended ("done" or "error"). */
export async function question(client: TestClient, asked: string, session?: string) {
  const begun = performance.now();
  client.send({ type: "ask", text: asked, ...(session !== undefined && { session }) });
  return { ...read(await client.turn()), ms: Math.round(performance.now() - begun) };
}

/** What a turn's lines say together. */
export function read(lines: Line[]) {
  const end = lines.find((line) => line.type === "done" || line.type === "error");
  assert.ok(end, `the turn has no end: ${JSON.stringify(lines.slice(-3))}`);
  const tokens = lines.filter((line) => line.type === "token");
  const calls = lines.filter((line) => line.type === "tool" && line.done === true);
  const reply = tokens.map((line) => line.delta).join("");
  return { end, reply, calls, stats: numbers(end.stats) };
}

function numbers(stats: unknown) {
  const { prompt_tokens = 0, cached_tokens = 0 } = Object(stats);
  return { prompt: Number(prompt_tokens), cached: Number(cached_tokens) };
}

/** The command line of a process; "" when it has ended (also when nobody asked for its status yet). */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch (fault) {
    // It ended between the two looks.
    if (systemCode(fault) === "") throw fault;
    return "";
  }
}

/** Numbers of the engines that serve a model below this folder. */
export function enginesOf(data: string): number[] {
  const models = join(data, "models");
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && commandLine(name).includes(`\0${models}`))
    .map(Number);
}

/** The one engine of this folder. */
export function engineOf(data: string) {
  const pids = enginesOf(data);
  assert.equal(pids.length, 1, `engines: ${pids}`);
  const [pid = 0] = pids;
  const argv = commandLine(String(pid)).split("\0");
  const port = Number(argv[argv.indexOf("--port") + 1]);
  const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  const key = variables.find((one) => one.startsWith("LLAMA_API_KEY="))?.slice(14) ?? "";
  return {
    pid,
    /** One request to its own address, without /v1. */
    ask: (path: string, body?: unknown) => ask({ port, key, path, body }),
    /** Tokens of a text. */
    async count(content: string): Promise<number> {
      const { tokens } = Object(await ask({ port, key, path: "/tokenize", body: { content } }));
      assert.ok(Array.isArray(tokens));
      return tokens.length;
    },
    /** Resolves with a promise of its end: the system closes this connection when it has ended. */
    async watch(): Promise<{ ended: Promise<void> }> {
      const watch = connect(port, "127.0.0.1");
      await once(watch, "connect");
      watch.on("error", () => watch.destroy());
      watch.resume();
      return { ended: new Promise((resolve) => watch.once("close", () => resolve())) };
    },
  };
}

function ask(options: {
  port: number;
  key: string;
  path: string;
  body: unknown;
}): Promise<unknown> {
  const { port, key, path, body } = options;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const address = { host: "127.0.0.1", port, path, method, headers, agent: false };
    const asked = request(address, (answer) => {
      text(answer).then((whole) => resolve(JSON.parse(whole)), reject);
    });
    asked.on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

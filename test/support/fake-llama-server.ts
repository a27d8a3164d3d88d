// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stands in for llama-server as a process of its own: loads, answers, crashes and hangs as its
// environment (FAKE_…) says. Each start appends one JSON line to the file FAKE_LOG.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const { env, argv } = process;
const option = (name: string) => argv[argv.indexOf(name, 2) + 1] ?? "";
if (argv.includes("--version")) {
  console.error("version: fake");
  process.exit(env.FAKE_BROKEN ? 127 : 0);
}
if (argv.includes("--help")) {
  console.log(env.FAKE_OLD ? "--model FNAME" : "--slot-save-path PATH\n--cache-ram N");
  process.exit(0);
}
if (env.FAKE_OLD && argv.includes("--slot-save-path")) {
  console.error("error: invalid argument: --slot-save-path");
  process.exit(1);
}
if (env.FAKE_LOG) {
  const { LLAMA_API_KEY: key, LD_LIBRARY_PATH: libraries, LLAMA_ARG_HOST: strange } = env;
  const line = { pid: process.pid, argv: argv.slice(2), key, libraries, strange };
  appendFileSync(env.FAKE_LOG, `${JSON.stringify(line)}\n`);
}
if (env.FAKE_FAILS) {
  console.error("error: unable to load model");
  process.exit(1);
}
if (env.FAKE_STUBBORN) process.on("SIGTERM", () => console.error("not yet"));

/** How many times /health still says that the model is being loaded. */
let loading = Number(env.FAKE_LOADING ?? 0);
const server = createServer((request, response) => {
  const json = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  if (request.url === "/health") {
    loading -= 1;
    if (loading >= 0) return json(503, { error: { message: "Loading model" } });
    return json(200, { status: "ok" });
  }
  if (request.headers.authorization !== `Bearer ${env.LLAMA_API_KEY}`)
    return json(401, { error: { message: "Invalid API Key" } });
  if (request.url === "/crash") process.abort();
  if (request.url === "/v1/models") return json(200, { data: [{ id: option("--alias") }] });
  if (request.url !== "/v1/chat/completions") return json(404, {});
  const choice = { index: 0, message: { role: "assistant", content: "Hello." } };
  json(200, { choices: [{ ...choice, finish_reason: "stop" }] });
});
server.listen(Number(option("--port")), "127.0.0.1");

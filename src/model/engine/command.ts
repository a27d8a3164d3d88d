// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How llama-server is started for one person on one machine, and how it is asked whether it is ready.

import { once } from "node:events";
import { createServer } from "node:net";
import { http } from "../../download/lean-http.ts";
import type { Health } from "../../process/life.ts";
import type { Machine } from "./machine.ts";
import type { Program } from "./program.ts";
import { batchFor } from "./speed.ts";
import type { StoredModel } from "./store.ts";

/** [engine] of config.toml; null: chosen by the machine. */
export type EngineSettings = {
  command: string | null;
  threads: number | null;
  context: number | null;
  gpuLayers: number | null;
  batch: number | null;
};

/** A port of loopback that was free a moment ago; a start that loses it is repeated with another. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const closed = once(server, "close");
  server.close();
  await closed;
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("loopback gave no port");
}

function contextFor(model: StoredModel, machine: Machine): number {
  const room = machine.gpuMemory >= model.memory ? machine.gpuMemory : machine.memory;
  const wanted = room >= 2 * model.memory + 8_000_000_000 ? 16_384 : 8_192;
  return Math.min(wanted, model.context);
}

/**
 * Argument list and environment. The key and what only newer builds know go into the environment,
 * where other users cannot read it and an older build ignores it.
 */
export function commandFor(options: {
  program: Program;
  model: StoredModel;
  settings: EngineSettings;
  machine: Machine;
  /** Tokens that the model reads in a second; null: not measured yet. */
  speed: number | null;
  /** Where it may write what it has read; null: nowhere. */
  slots: string | null;
  port: number;
  apiKey: string;
  env: NodeJS.ProcessEnv;
}): { argv: string[]; env: NodeJS.ProcessEnv } {
  const { program, model, settings, machine, speed, slots, port, apiKey } = options;
  // One thread is left to the desktop, but not where that would halve the speed.
  const threads =
    settings.threads ?? (machine.threads > 3 ? machine.threads - 1 : Math.max(1, machine.threads));
  const batch = settings.batch ?? batchFor(speed, machine);
  const argv = [program.path, "--model", model.path, "--alias", model.name];
  argv.push("--host", "127.0.0.1", "--port", String(port), "--parallel", "1", "--jinja");
  argv.push("--ctx-size", String(settings.context ?? contextFor(model, machine)));
  argv.push("--threads", String(threads));
  argv.push("--batch-size", String(batch), "--ubatch-size", String(Math.min(512, batch)));
  // Small models make things up at llama-server's usual 0.8; a `temperature` in config.toml still counts.
  argv.push("--temp", "0.2");
  if (settings.gpuLayers !== null) argv.push("--n-gpu-layers", String(settings.gpuLayers));
  // Known to no variable of the environment.
  if (slots !== null) argv.push("--slot-save-path", slots);
  // The person's own settings for another llama-server are not meant for this one.
  const kept = Object.entries(options.env).filter(([name]) => !name.startsWith("LLAMA_"));
  const env: NodeJS.ProcessEnv = Object.fromEntries(kept);
  env.LLAMA_API_KEY = apiKey;
  env.LLAMA_ARG_OFFLINE = "1";
  env.LLAMA_ARG_UI = "0";
  env.LLAMA_ARG_WEBUI = "0";
  // Its memory of displaced conversations takes up to 8 GB when nobody says otherwise.
  env.LLAMA_ARG_CACHE_RAM = String(Math.min(8_192, Math.floor(machine.memory / 2 ** 23)));
  if (program.libraries !== null) {
    const others = env.LD_LIBRARY_PATH;
    env.LD_LIBRARY_PATH = others ? `${program.libraries}:${others}` : program.libraries;
  }
  return { argv, env };
}

/** What has no say in how a prompt is kept; each has a value. */
const formless = [
  "--model",
  "--alias",
  "--host",
  "--port",
  "--threads",
  "--batch-size",
  "--ubatch-size",
  "--temp",
  "--slot-save-path",
];

/** Of an argument list, what decides the form in which the program keeps what it has read. */
export function formOf(argv: readonly string[]): string[] {
  return argv.slice(1).filter((word, at, words) => {
    return !formless.includes(word) && !formless.includes(words[at - 1] ?? "");
  });
}

/** One look at /health, which llama-server answers without a key. */
export function healthOf(url: string, signal: AbortSignal): Promise<Health> {
  return new Promise((resolve) => {
    const request = http.get(
      new URL("/health", url),
      { agent: false, signal, timeout: 2_000 },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200 ? "ready" : "loading");
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("close", () => resolve("silent"));
    // Nobody listens there yet.
    request.on("error", () => resolve("silent"));
  });
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Builds the rooms, joins them, serves, and ends everything: the only place that knows them all.
import { rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { readApiKey } from "../config/api-key.ts";
import { loadConfig } from "../config/load.ts";
import { openState, type State } from "../config/state.ts";
import { Ahead } from "../conversation/ahead.ts";
import { TokenGauge } from "../conversation/window.ts";
import { takeLock } from "../history/lock.ts";
import { openHistory } from "../history/open.ts";
import type { Job, Notice } from "../message.ts";
import { Backend, type BackendStatus } from "../model/backend.ts";
import { Engine } from "../model/engine/engine.ts";
import * as paths from "../paths.ts";
import { killAll } from "../process/spawn.ts";
import { mcpServers, openTools } from "../tools/open.ts";
import { Daemon } from "./daemon.ts";
import { IdleWork } from "./idle-work.ts";
import { log } from "./log.ts";
import { serve } from "./serve.ts";
import { alreadyRunning, checkFolder, listen } from "./socket.ts";
import { sharedContext } from "./tool-context.ts";
import { stopRuns } from "./tool-requests.ts";

type Environment = Record<string, string | undefined>;

/** Rejects with ReadableError for settings with which no daemon would start. */
export async function checkSettings(env: Environment = process.env): Promise<void> {
  readApiKey(await loadConfig(paths.configFile(env)), env);
}

/**
 * Starts the daemon of this environment. Rejects with ReadableError when it cannot serve (config,
 * socket, another daemon). `closed` resolves with the exit status once a signal has ended it.
 */
export async function startDaemon({
  env = process.env,
  now = () => new Date(),
}: {
  env?: Environment;
  /** The clock of the conversation. */
  now?: () => Date;
} = {}): Promise<{ closed: Promise<number> }> {
  process.umask(0o077);
  const config = await loadConfig(paths.configFile(env));
  const apiKey = readApiKey(config, env);
  const socket = paths.socketPath(env);
  checkFolder(dirname(socket));
  const ended = ending();
  const lock = takeLock(join(dirname(socket), "desktop-assistant.lock"));
  if (!lock) throw alreadyRunning(socket);

  // Notices of the rooms' own beginnings are told once there is a daemon to tell them.
  const early: Notice[] = [];
  let daemon: Daemon | null = null;
  const onNotice = (notice: Notice) => (daemon ? daemon.notice(notice) : early.push(notice));
  const state = openState(paths.stateFile(env), { onNotice });
  const history = openHistory(paths.historyFile(env), { onNotice });
  const tools = openTools({
    folder: paths.toolsFolder(env),
    env: config.env,
    plugins: config.plugins,
    servers: await mcpServers({ servers: config.mcp, remembered: learned(state, "mcp"), log }),
    log,
    onNotice,
  });
  const onJob = (job: Job) => daemon?.job(job);
  const engine = new Engine({
    config: config.engine,
    folder: paths.dataFolder(env),
    cache: paths.engineCache(env),
    speeds: learned(state, "prompt_speed"),
    env,
    wanted: config.model,
    picked: remembered(state, "engine_model"),
    onJob,
    onNotice,
    onState: (now) => backend.engineChanged(now),
    log,
    onBug: bug,
  });
  const backend = new Backend({
    config,
    apiKey,
    engine,
    remembered: remembered(state, "model"),
    tried: learned(state, "tool_modes"),
    questionRuns: () => daemon !== null && busy(daemon),
    idleWork: (served, stop) => idle.run(served, stop),
    onNotice,
    onJob,
    onChange: () => log(`model: ${sentence(backend.status())}`),
  });

  const ahead = new Ahead({ warm: config.warm, notice: onNotice, log });
  daemon = new Daemon({
    version: manifest.version,
    backend,
    tools,
    paths: {
      socket,
      config: paths.configFile(env),
      tools: paths.toolsFolder(env),
      history: paths.historyFile(env),
      state: paths.stateFile(env),
      log: paths.logFile(env),
    },
    rooms: {
      ready: (signal, onPhase) => backend.ready(signal, onPhase),
      tools,
      history,
      unsaved: new Set(),
      told: new Set(),
      config,
      gauge: new TokenGauge(),
      ahead,
      now,
      notice: onNotice,
      log,
    },
  });
  const serving = daemon;
  const idle = new IdleWork({
    recent: () => serving.recent,
    now,
    rest: () => backend.rest(),
    onTitle: (session, stored) => serving.changed(session, stored),
  });
  const archivePath = join(paths.dataFolder(env), "notes.md");
  const ready = (signal: AbortSignal) => {
    ahead.disturb();
    return backend.ready(signal);
  };
  tools.bindContext(sharedContext({ daemon, ready, history, archivePath, config }));
  const server = await listen(socket, (client) => serve(serving, client));
  const pidFile = paths.pidFile(env);
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  log(`start: version ${manifest.version}, process ${process.pid}, listening on ${socket}`);
  for (const notice of early) daemon.notice(notice);
  backend.probe().catch(bug);

  const closed = ended.then(async ({ reason, status }) => {
    log(`stop: ${reason}`);
    idle.close();
    await end(serving, server);
    await backend.close();
    await tools.close();
    for (const conversation of [...serving.rooms.unsaved]) conversation.save();
    history.close();
    killAll();
    rmSync(pidFile, { force: true });
    lock.release();
    log(`end: status ${status}`);
    return status;
  });
  return { closed };
}

/** A model's name, as the state file keeps it: the last one used, or the person's pick for the engine. */
function remembered(state: State, key: "model" | "engine_model") {
  return {
    get model() {
      const model = state.get(key);
      return typeof model === "string" ? model : null;
    },
    set: (model: string) => state.set(key, model),
  };
}

/** What a room has learned by itself, in the state file. */
function learned(state: State, key: "mcp" | "tool_modes" | "prompt_speed") {
  return { get: () => state.get(key), set: (value: unknown) => state.set(key, value) };
}

const busy = (daemon: Daemon) => [...daemon.sessions.values()].some(({ running }) => running);

/** Where it is and why is worth a word only once it answers. */
function sentence({ state, model, url, why }: BackendStatus): string {
  return state === "ready" ? `${state}, ${model ?? "unnamed"} at ${url}: ${why}` : state;
}

function bug(thrown: unknown): void {
  log(`bug: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
}

/** Stops every turn, so that clients are told, then lets the clients go. */
async function end(daemon: Daemon, server: Server): Promise<void> {
  server.close();
  const sessions = [...daemon.sessions.values()];
  for (const session of sessions) session.stop();
  stopRuns(daemon);
  await Promise.all(sessions.map((session) => session.settled()));
  await Promise.all([...daemon.connections].map((connection) => connection.finish()));
}

/** Resolves at the first thing that ends the daemon: a signal, or a bug that nobody caught. */
function ending(): Promise<{ reason: string; status: number }> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => resolve({ reason: signal, status: 0 }));
    }
    const onBug = (thrown: unknown) => {
      bug(thrown);
      resolve({ reason: "a bug that nobody caught", status: 1 });
    };
    process.on("uncaughtException", onBug);
    process.on("unhandledRejection", onBug);
  });
}

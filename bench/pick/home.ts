// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A daemon whose only tools are those of a file, replaced by recorders that return what they are told to.
import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, Client } from "../../src/client/client.ts";
import type { ToolSchema } from "../../src/message.ts";
import { BuiltIn } from "../../src/tools/built-in/source.ts";
import { makeHome } from "../../test/support/daemon.ts";
import { Unusable } from "../share.ts";

/** A Monday. */
export const clock = "2026-11-30T10:45:00";

export type HomeOptions = {
  /** Address of the model server, with /v1; null: the daemon's own engine. */
  llm: string | null;
  tools: readonly ToolSchema[];
  /** tools_mode of config.toml. */
  mode: string;
  /** More of config.toml. */
  config?: string;
};

/** What a tool returns when nobody said anything else. */
export const usualResult = (tool: string) => `${tool}: done, 3 items`;

function plugin(tools: readonly ToolSchema[], results: string): string {
  return `import { readFileSync } from "node:fs";
const results = () => JSON.parse(readFileSync(${JSON.stringify(results)}, "utf8"));
const call = (name) => async () => ({ ok: true, text: results()[name] ?? name + ": done, 3 items" });
export default ${JSON.stringify(tools)}.map((tool) => ({ ...tool, effect: "read", call: call(tool.name) }));
`;
}

/** The built-in tools are left out; one whose name the file has gives way to it anyway. */
function settings({ llm, tools, mode, config = "" }: HomeOptions): string {
  const builtIn = new BuiltIn({ plugins: {}, onNotice: () => undefined }).known();
  const off = builtIn.filter(({ name }) => !tools.some((tool) => tool.name === name));
  return [
    ...(llm === null ? [] : [`llm = ${JSON.stringify(llm)}`]),
    "temperature = 0",
    "titles = false",
    `tools_mode = ${JSON.stringify(mode)}`,
    config,
    ...off.map(({ name }) => `[plugins.${name}]\nenabled = false`),
    "",
  ].join("\n");
}

/** Folders in which one daemon after another can be opened. Whoever makes removes. */
export function makeRecorders(options: HomeOptions) {
  const home = makeHome();
  const results = join(home.folder, "results.json");
  const returns = (byTool: Record<string, string>) =>
    writeFileSync(results, JSON.stringify(byTool));
  returns({});
  home.config(settings(options));
  home.tool("recorders.mjs", plugin(options.tools, results));
  return {
    data: home.data,
    socket: home.socket,
    /** What the tools return from now on, by name. */
    returns,
    /** Starts the daemon; a client that gets the events of version 2 is connected. Whoever opens closes. */
    open: () => openDaemon(home, options.tools),
    remove: home.remove,
  };
}

async function openDaemon(home: ReturnType<typeof makeHome>, tools: readonly ToolSchema[]) {
  const logFile = join(home.folder, "daemon.log");
  const log = openSync(logFile, "a");
  const logged = () => readFileSync(logFile, "utf8").slice(-2000);
  const child = fork(join(import.meta.dirname, "clocked.ts"), [clock], {
    env: { ...home.env, TZ: "Europe/Rome" },
    stdio: ["ignore", log, log, "ipc"],
    // An interrupt from the terminal is for us: the daemon still has a question to answer.
    detached: true,
  });
  closeSync(log);
  const exited = once(child, "exit");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await exited;
  };
  try {
    await Promise.race([
      once(child, "message"),
      exited.then(() => Promise.reject(new Error(`the daemon ended: ${logged()}`))),
    ]);
    const client = await Client.connect(home.socket);
    await client.request({ type: "features", names: [] });
    await mustOffer(client, tools);
    return {
      client,
      log: logged,
      async close() {
        await client.close();
        await stop();
      },
    };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** Folders of its own with a daemon that is open. Whoever opens closes. */
export async function openHome(options: HomeOptions) {
  const { returns, open, remove } = makeRecorders(options);
  try {
    const { close, ...daemon } = await open();
    return {
      ...daemon,
      returns,
      async close() {
        await close();
        remove();
      },
    };
  } catch (cause) {
    remove();
    throw cause;
  }
}
export type Home = Awaited<ReturnType<typeof openHome>>;

/** A tool that stayed out would make every figure wrong. */
async function mustOffer(client: Client, tools: readonly ToolSchema[]): Promise<void> {
  const { items } = await ask(client, { type: "check" }, "tools");
  const ready = items.filter(({ state }) => state === "ready").map(({ name }) => name);
  const wanted = tools.map(({ name }) => name);
  if (ready.toSorted().join() === wanted.toSorted().join()) return;
  const faults = items.map(({ name, state, error }) => `${name} is ${state} ${error}`).join("; ");
  throw new Error(`the daemon offers ${ready.join()} and not ${wanted.join()}: ${faults}`);
}

/**
 * Resolves with what `use` gives; the daemon is gone then. A fault is told with the end of the daemon's
 * log, unless it says itself what cannot be used.
 */
export async function withDaemon<D extends { log(): string; close(): Promise<void> }, T>(
  opened: Promise<D>,
  use: (daemon: D) => Promise<T>,
): Promise<T> {
  const daemon = await opened;
  try {
    return await use(daemon);
  } catch (cause) {
    if (cause instanceof Unusable) throw cause;
    throw new Error(`the daemon's log ends: ${daemon.log()}`, { cause });
  } finally {
    await daemon.close();
  }
}

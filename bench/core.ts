// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Measures the way of a question and its answer through a real daemon and prints a table of medians.
import { mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { HungUp } from "./client.ts";
import { type Daemon, type Home, makeHome, startDaemon, startModel } from "./daemon.ts";
import {
  type Figures,
  firstToken,
  idle,
  manyClients,
  oneClient,
  quantile,
  stalledClient,
} from "./measures.ts";
import { firstAnswer, toolCalls, twentyServers } from "./tools.ts";

const help = `npm run bench -- [--only NAME,NAME] [--runs N] [--profile FOLDER]
  --only     tokens, clients, first, stalled, tools, servers, start (start needs first's questions as its history)
  --runs     how often each is measured; the median is shown (5)
  --profile  a CPU profile of each daemon is written into FOLDER`;

/** What a row must reach: at least, or at most. */
const wanted: Record<string, { unit: string; least?: number; most?: number }> = {
  "tokens/s to one client": { unit: "/s", least: 120_000 },
  "  the same, short deltas from the server": { unit: "/s" },
  "  the same, a version 2 client": { unit: "/s" },
  "events/s to 64 clients together": { unit: "/s", least: 400_000 },
  "first token, added by the daemon, median": { unit: "ms", most: 1 },
  "first token, added by the daemon, p99": { unit: "ms", most: 5 },
  "  through the daemon, median": { unit: "ms" },
  "  through the daemon, p99": { unit: "ms" },
  "  the model server asked directly, median": { unit: "ms" },
  "  the model server asked directly, p99": { unit: "ms" },
  "worst gap of 10 clients that read": { unit: "ms" },
  "worst gap of 9 while the tenth stops reading": { unit: "ms" },
  "  grown by": { unit: "ms", most: 5 },
  "memory after it is dropped, grown by": { unit: "MB", most: 10 },
  "a tool call, added to its process, median": { unit: "ms", most: 5 },
  "  the call, median": { unit: "ms" },
  "  its process alone, median": { unit: "ms" },
  "from start to an answer, 5 of 20 servers hang": { unit: "ms", most: 2000 },
  "from start to hello, history of 1,000 turns": { unit: "ms", most: 300 },
  "memory when idle, Node, no engine": { unit: "MB", most: 80 },
};

/** Measured on one daemon, one after another. */
const onOneDaemon: Record<string, (daemon: Daemon) => Promise<Figures>> = {
  tokens: oneClient,
  clients: manyClients,
  stalled: stalledClient,
  tools: toolCalls,
};

function shown(value: number, unit: string): string {
  const digits = unit === "/s" ? 0 : 1;
  return `${value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits })} ${unit}`;
}

function print(title: string, values: readonly number[]): boolean {
  const { unit = "", least, most } = wanted[title] ?? {};
  const middle = quantile(values, 0.5);
  const good = middle >= (least ?? -Infinity) && middle <= (most ?? Infinity);
  const bound = least !== undefined ? `at least ${shown(least, unit)}` : "";
  const limit = most !== undefined ? `at most ${shown(most, unit)}` : "";
  const from = Math.min(...values);
  const cells = [
    title.padEnd(46),
    shown(middle, unit).padStart(14),
    `${shown(from, unit)} to ${shown(Math.max(...values), unit)}`.padStart(30),
    (bound + limit).padStart(20),
    good ? "" : "MISSED",
  ];
  console.log(cells.join(" | ").trimEnd());
  return good;
}

/**
 * Calls `measure` so many times and prints a row for each of its figures. The first `warmUp` ones do
 * not count: the compiler and the heap have then taken what they take.
 */
async function rows(
  runs: number,
  measure: () => Promise<Figures>,
  { warmUp = 0 } = {},
): Promise<boolean> {
  const all: Figures[] = [];
  let repeated = 0;
  while (all.length < runs + warmUp) {
    try {
      all.push(await measure());
    } catch (cause) {
      // A flood passes 1 MiB in 100 ms: a machine that gives our client no time for so long drops it.
      if (!(cause instanceof HungUp) || repeated >= runs) throw cause;
      repeated += 1;
    }
  }
  all.splice(0, warmUp);
  if (repeated > 0) console.log(`(${repeated} repeated: our own client read too slowly)`);
  const titles = Object.keys(all[0] ?? {});
  return titles
    .map((title) =>
      print(
        title,
        all.map((figures) => figures[title] ?? Number.NaN),
      ),
    )
    .every((good) => good);
}

async function withDaemon<T>(
  home: Home,
  profile: string | undefined,
  use: (daemon: Daemon) => Promise<T>,
): Promise<T> {
  const daemon = await startDaemon(home, profile);
  try {
    return await use(daemon);
  } catch (cause) {
    throw new Error(`the daemon's log ends: ${daemon.log()}`, { cause });
  } finally {
    await daemon.stop();
  }
}

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "tokens,clients,first,stalled,tools,servers,start" },
    runs: { type: "string", default: "5" },
    profile: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(help);
} else {
  const only = new Set(values.only.split(","));
  const runs = Number(values.runs);
  const profile = values.profile === undefined ? undefined : resolve(values.profile);
  if (profile !== undefined) mkdirSync(profile, { recursive: true });
  const model = await startModel();
  const home = makeHome(model.url);
  console.log(`Node ${process.version}, ${cpus().length} cores; median of ${runs}, range, wanted`);
  try {
    // The very first start compiles everything and keeps it: that is not what is measured.
    await withDaemon(home, undefined, () => Promise.resolve());
    let good = true;
    for (const [name, measure] of Object.entries(onOneDaemon)) {
      if (!only.has(name)) continue;
      const run = (daemon: Daemon) => rows(runs, () => measure(daemon), { warmUp: 1 });
      good = (await withDaemon(home, profile, run)) && good;
    }
    if (only.has("servers")) {
      const many = makeHome(model.url, home.cache);
      many.config(twentyServers());
      const run = () => withDaemon(many, profile, firstAnswer);
      good = (await rows(runs, run, { warmUp: 1 })) && good;
      many.remove();
    }
    // The history of these questions is what the daemon starts with below.
    const fresh = makeHome(model.url, home.cache);
    try {
      if (only.has("first")) {
        const run = (daemon: Daemon) => rows(runs, () => firstToken(daemon, model.url));
        good = (await withDaemon(fresh, profile, run)) && good;
      }
      if (only.has("start")) {
        good = (await rows(runs, () => withDaemon(fresh, profile, idle))) && good;
      }
    } finally {
      fresh.remove();
    }
    process.exitCode = good ? 0 : 1;
  } finally {
    home.remove();
    model.stop();
  }
}

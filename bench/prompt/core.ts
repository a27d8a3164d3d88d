// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Measures what a question reads of its prompt and how long it waits, on a real engine through the real daemon.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Mode } from "../mode.ts";
import { readTools } from "../pick/cases.ts";
import { openPlace } from "../place.ts";
import { stopSignal, told, Unusable } from "../share.ts";
import { whileBusy } from "./busy.ts";
import { type Desk, type DeskOptions, type Outcome, withDesk } from "./desk.ts";
import { restartedFirst, twoSessions } from "./embedded.ts";
import { converse, firstTokens, followUps, pausedRows } from "./follow.ts";
import { longTalk } from "./long.ts";
import { postTo, rendered } from "./rendered.ts";
import { told as figure, missing, type Row, summary, tableLines, times } from "./report.ts";
import { seed } from "./seed.ts";
import { shownTalk } from "./shown.ts";
import { interrupts, stops } from "./stop.ts";
import { toolTurns } from "./tool.ts";

const help = `npm run bench:prompt -- [--only NAME,NAME] [--long] [--busy] [--diff] [--json FILE]
  --only   of: follow (eight questions, beside a layout with a clock in front), tool (turns with a
           tool), stop (stops in the middle of a prompt), ahead (a question while the next prompt is
           read ahead), restart (the first question after one), sessions (two that take turns), and
           the three below
  --long   also 30 turns, which outgrow the window
  --busy   also the eight questions while another process keeps all cores busy
  --diff   also prints a conversation's prompts, each as what it changes in the one before
  --mode   native, plan, or both (both); stop, ahead, restart, sessions and long are always native
  --llm    address of a llama-server with /v1, which nobody else uses; without restart and sessions,
           which are about the engine. Absent: the engine and model of the live tests
  --model  the engine's model (qwen2.5-coder-1.5b)
  --json   writes everything into a file
An interrupt (Ctrl C) ends it after the question that runs, with the figures until then.`;

const throughProxy = ["follow", "tool", "stop", "ahead"];
const usual = [...throughProxy, "restart", "sessions"];
const wished = ["long", "busy", "diff"] as const;

/** Tokens of the engine's context, so that the window is the same on every machine. */
const context = 8192;
/** Milliseconds without a request after which a person is taken to be thinking. */
const quiet = 1500;
/** Tokens of an answer at most, so that a run takes minutes. */
const longest = 120;

const options = {
  only: { type: "string" },
  long: { type: "boolean", default: false },
  busy: { type: "boolean", default: false },
  diff: { type: "boolean", default: false },
  mode: { type: "string", default: "both" },
  llm: { type: "string" },
  model: { type: "string", default: "qwen2.5-coder-1.5b" },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

function modesOf(mode: string): Mode[] {
  if (mode === "both") return ["native", "plan"];
  if (mode === "native" || mode === "plan") return [mode];
  throw new Unusable(`--mode is "${mode}", not one of native, plan, both`);
}

function partsOf(values: { only?: string | undefined } & Record<(typeof wished)[number], boolean>) {
  const parts = new Set(values.only?.split(",") ?? usual);
  for (const name of wished) if (values[name]) parts.add(name);
  const unknown = [...parts].find((name) => ![...usual, ...wished].includes(name));
  if (unknown === undefined) return parts;
  throw new Unusable(`--only has "${unknown}", not one of ${[...usual, ...wished].join(", ")}`);
}

/** So many times sooner than with a clock in front is the first token to come. */
const sooner: Record<Mode, number> = { native: 20, plan: 6 };

/** The layout that the others are compared with, then each mode, one conversation after another. */
async function besideSeed(
  desk: Omit<DeskOptions, "mode">,
  modes: readonly Mode[],
): Promise<Outcome> {
  const slow = await seed(desk.place, desk.tools, desk.signal);
  const clocked = slow.map(({ firstToken }) => firstToken);
  const rows: Row[] = [figure("a clock in front: first token", clocked, { unit: " ms" })];
  const details: Record<string, unknown> = { seed: slow };
  for (const mode of modes) {
    const one = await withDesk({ ...desk, mode }, followUps);
    const ours = firstTokens(one.paused);
    rows.push(...one.rows, times(`${mode}: a clock in front / ours`, clocked, ours, sooner[mode]));
    details[mode] = one.details;
  }
  return { rows, details };
}

async function busyTalk(desk: Desk): Promise<Outcome> {
  await desk.settled();
  const some = await whileBusy(() => converse(desk, { pause: true }));
  return { rows: pausedRows(`${desk.mode}, all cores busy`, some), details: some };
}

async function measure(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(help);
    return;
  }
  const modes = modesOf(values.mode);
  const parts = partsOf(values);
  const { llm, model } = values;
  const tools = readTools(
    readFileSync(join(import.meta.dirname, "../sets/desk-tools.json"), "utf8"),
  );
  const signal = stopSignal();
  const rows: Row[] = [];
  const details: Record<string, unknown> = {};
  const part = async (name: string, work: () => Promise<Outcome>, title = name): Promise<void> => {
    if (!parts.has(name) || signal.aborted) return;
    console.error(`${title} ...`);
    const outcome = await work();
    rows.push(...outcome.rows);
    details[title] = outcome.details;
  };
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${llm ?? model}`);
  if ([...throughProxy, ...wished].some((name) => parts.has(name))) {
    const place = await openPlace({ llm, model, context });
    try {
      // A server that cannot be measured is named before a daemon is started.
      await rendered(postTo(place), { messages: [{ role: "user", content: "Hello" }] });
      const desk = { place, tools, quiet, longest, signal };
      const native = (use: (desk: Desk) => Promise<Outcome>) => () =>
        withDesk({ ...desk, mode: "native" }, use);
      const inEach = async (name: string, use: (desk: Desk) => Promise<Outcome>) => {
        for (const mode of modes)
          await part(name, () => withDesk({ ...desk, mode }, use), `${name}, ${mode}`);
      };
      await part("follow", () => besideSeed(desk, modes));
      await inEach("tool", toolTurns);
      await part("stop", native(stops));
      await part("ahead", native(interrupts));
      await part("long", native(longTalk));
      await inEach("busy", busyTalk);
      await inEach("diff", shownTalk);
    } finally {
      await place.close();
    }
  }
  const embedded = { model, tools, quiet, signal };
  const own = (work: () => Promise<Outcome>, title: string) => async () =>
    llm === undefined ? await work() : { rows: [missing(title, "not with --llm")], details: null };
  await part(
    "restart",
    own(() => restartedFirst(embedded), "the first question after a restart"),
  );
  await part(
    "sessions",
    own(() => twoSessions(embedded), "two sessions in turns"),
  );
  for (const line of tableLines(rows)) console.log(line);
  console.log(summary(rows));
  const all = {
    node: process.version,
    cores: availableParallelism(),
    model: llm ?? model,
    rows,
    details,
  };
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
  process.exitCode = rows.some(({ good }) => good === false) ? 1 : 0;
}

await told(measure);

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Measures which tool a real model is made to call through the daemon, how fast, and what it answers.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { wayOf } from "../mode.ts";
import { openPlace } from "../place.ts";
import { countOf, stopSignal, told } from "../share.ts";
import { type Case, notOffered, readAnswers, readCases, readTools } from "./cases.ts";
import { figures, ratio, reportLines, wrongLine } from "./report.ts";
import { type Run, run } from "./run.ts";

const help = `npm run bench:tools -- --cases FILE and/or --answers FILE (see bench/sets/README.md)
  --cases    questions and the tool that each wants
  --answers  questions, what their tools return, and what the answers must say; with --cases only
             the results count
  --tools    the tools that are offered (bench/sets/desk-tools.json)
  --llm      address of a model server with /v1; absent: the engine and model of the live tests
  --model    the engine's model (qwen2.5-coder-1.5b)
  --mode     native, plan, or auto: as the daemon would find out before the first question (auto)
  --per      questions of a conversation (8)
  --pause    milliseconds between an answer and the next question (0)
  --only     so many cases, from the first on
  --bare     in turns also the bare constrained request to the server itself
  --json     writes everything into a file
An interrupt (Ctrl C) ends it after the question that runs, with the figures until then.`;

const options = {
  cases: { type: "string" },
  answers: { type: "string" },
  tools: { type: "string", default: join(import.meta.dirname, "../sets/desk-tools.json") },
  llm: { type: "string" },
  model: { type: "string", default: "qwen2.5-coder-1.5b" },
  mode: { type: "string", default: "auto" },
  per: { type: "string", default: "8" },
  pause: { type: "string", default: "0" },
  only: { type: "string" },
  bare: { type: "boolean", default: false },
  json: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const read = (path: string) => readFileSync(path, "utf8");

function written({ ours, bare }: Run): string {
  const all = {
    ours: figures(ours),
    bare: bare.length > 0 ? figures(bare) : null,
    ratio: ratio({ ours, bare }),
  };
  return `${JSON.stringify({ figures: all, cases: { ours, bare } }, null, 2)}\n`;
}

async function measure(): Promise<void> {
  const { values } = parseArgs({ options });
  if (values.help || (values.cases === undefined && values.answers === undefined)) {
    console.log(help);
    return;
  }
  const answers = values.answers === undefined ? [] : readAnswers(read(values.answers));
  const cases: Case[] = values.cases === undefined ? answers : readCases(read(values.cases));
  const results: Record<string, string> = {};
  for (const { tool, result } of answers) if (result !== null) results[tool] ??= result;
  const tools = readTools(read(values.tools));
  for (const name of notOffered(cases, tools)) console.error(`no tool is called ${name}`);
  const only = values.only === undefined ? cases.length : countOf("only", values.only);
  const per = countOf("per", values.per, 1);
  const pause = countOf("pause", values.pause);
  const place = await openPlace(values);
  try {
    const mode = await wayOf(values, place);
    const all = await run({
      place,
      tools,
      cases: cases.slice(0, only),
      results: values.cases === undefined ? {} : results,
      per,
      mode,
      pause,
      bare: values.bare,
      signal: stopSignal(),
      onResult: (result, way) => {
        const line = wrongLine(result);
        if (line !== null) console.log(way === "bare" ? `${line} (bare)` : line);
      },
    });
    for (const line of reportLines(all)) console.log(line);
    if (values.json !== undefined) writeFileSync(values.json, written(all));
  } finally {
    await place.close();
  }
}

await told(measure);

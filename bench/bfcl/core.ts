// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs single-call categories of the Berkeley Function Calling Leaderboard with the code that the daemon chooses tools with.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Mode, wayOf } from "../mode.ts";
import { openPlace, type Place } from "../place.ts";
import { countOf, stopSignal, told, Unusable } from "../share.ts";
import {
  type BfclCase,
  categories,
  categoryOf,
  draw,
  faultOf,
  readCategory,
  readIds,
} from "./cases.ts";
import { openDecider } from "./decide.ts";
import { failLine, figures, type Passed, reportLines } from "./report.ts";

const help = `npm run bench:bfcl -- --data DIR    (sh bench/bfcl/fetch.sh FOLDER brings the data and names DIR)
  --ids    file of the cases' ids (bench/bfcl/ids.json)
  --draw   so many ids of each category instead, by --seed, leaving out those in the file --not
  --only   so many of each category
  --llm    address of a model server with /v1; absent: the engine and model of the live tests
  --model  the engine's model (qwen2.5-coder-1.5b)
  --mode   native, plan, or auto: as the daemon would find out before the first question (auto)
  --json   writes everything into a file
An interrupt (Ctrl C) ends it after the case that runs, with the figures until then.`;

export type BfclOptions = {
  data: string;
  /** Absent: they are drawn. */
  ids?: readonly string[];
  draw?: { count: number; seed: number; not: ReadonlySet<string> };
  /** Of each category; absent: all. */
  only?: number;
  place: Place;
  mode: Mode;
  /** Ends the run before the next case, with what there is. */
  signal?: AbortSignal;
  onResult?: (result: Passed) => void;
};

function chosen({ data, ids, draw: drawing, only }: BfclOptions): BfclCase[] {
  const other = ids?.find((id) => !categories.some((category) => category === categoryOf(id)));
  if (other !== undefined)
    throw new Unusable(`${other} is of none of the categories ${categories.join(", ")}`);
  return categories.flatMap((category) => {
    const named = ids?.filter((id) => categoryOf(id) === category);
    if (named?.length === 0) return [];
    const cases = readCategory(data, category);
    const drawn = named ?? (drawing ? draw([...cases.keys()], drawing) : [...cases.keys()]);
    return drawn.slice(0, only).map((id) => {
      const one = cases.get(id);
      if (!one) throw new Unusable(`there is no case ${id}`);
      return one;
    });
  });
}

export async function runBfcl(options: BfclOptions): Promise<Passed[]> {
  const decider = await openDecider(options);
  try {
    const results: Passed[] = [];
    for (const wanted of chosen(options)) {
      if (options.signal?.aborted) break;
      const decided = await decider.decide(wanted);
      const { id, category, question } = wanted;
      const result = { id, category, question, fault: faultOf(wanted, decided.call), ...decided };
      results.push(result);
      options.onResult?.(result);
    }
    return results;
  } finally {
    await decider.close();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      ids: { type: "string", default: join(import.meta.dirname, "ids.json") },
      draw: { type: "string" },
      seed: { type: "string", default: "1" },
      not: { type: "string" },
      only: { type: "string" },
      llm: { type: "string" },
      model: { type: "string", default: "qwen2.5-coder-1.5b" },
      mode: { type: "string", default: "auto" },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || values.data === undefined) {
    console.log(help);
    return;
  }
  const idsOf = (path: string) => readIds(readFileSync(path, "utf8"));
  const not = new Set(values.not === undefined ? [] : idsOf(values.not));
  const which =
    values.draw === undefined
      ? { ids: idsOf(values.ids) }
      : { draw: { count: countOf("draw", values.draw), seed: countOf("seed", values.seed), not } };
  const place = await openPlace(values);
  try {
    const mode = await wayOf(values, place);
    const results = await runBfcl({
      data: values.data,
      ...which,
      ...(values.only !== undefined && { only: countOf("only", values.only) }),
      place,
      mode,
      signal: stopSignal(),
      onResult: (result) => {
        const line = failLine(result);
        if (line !== null) console.log(line);
      },
    });
    for (const line of reportLines(results)) console.log(line);
    const written = { figures: figures(results), cases: results };
    if (values.json !== undefined)
      writeFileSync(values.json, `${JSON.stringify(written, null, 2)}\n`);
  } finally {
    await place.close();
  }
}

if (import.meta.main) await told(main);

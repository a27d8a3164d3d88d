// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The figures of a run, and their lines.
import { quantileOf, rounded, shareText, type Tally, tally } from "../share.ts";
import { answeredRight, type Result } from "./result.ts";
import type { Run } from "./run.ts";

const by = (results: readonly Result[], key: (result: Result) => string): Record<string, Tally> => {
  const groups = Object.groupBy(results, key);
  return Object.fromEntries(
    Object.entries(groups).map(([name, some = []]) => [name, tally(some, (one) => one.toolRight)]),
  );
};

function answers(results: readonly Result[]) {
  const some = results.filter(({ said }) => said !== null);
  if (some.length === 0) return null;
  return {
    right: tally(some, answeredRight),
    otherTool: some.filter(({ toolRight }) => !toolRight).length,
    json: some.filter(({ said }) => said?.json).length,
    otherLanguage: some.filter(({ said }) => said?.otherLanguage).length,
  };
}

/** The figures of one way. */
export function figures(results: readonly Result[]) {
  const ms = results.map((one) => one.ms);
  const read = results.map((one) => one.read);
  const beyond = results.map((one) =>
    one.read === null || one.fresh === null ? null : one.read - one.fresh,
  );
  const right = results.filter(({ toolRight }) => toolRight);
  return {
    tool: tally(results, (one) => one.toolRight),
    arguments: tally(right, (one) => one.faults.length === 0),
    byTool: by(results, (one) => one.wanted),
    byLanguage: by(results, (one) => one.language),
    errors: results.filter(({ error }) => error !== "").length,
    ms: { median: quantileOf(ms, 0.5), p90: quantileOf(ms, 0.9) },
    read: { median: quantileOf(read, 0.5), most: quantileOf(read, 1) },
    readBeyondNew: { median: quantileOf(beyond, 0.5), most: quantileOf(beyond, 1) },
    output: {
      median: quantileOf(
        results.map((one) => one.output),
        0.5,
      ),
    },
    answers: answers(results),
  };
}

const groups = (tallies: Record<string, Tally>) =>
  Object.entries(tallies)
    .map(([name, { right, of }]) => `${name} ${right}/${of}`)
    .join(", ");

/** A wrong case as a line; null when nothing is wrong with it. */
export function wrongLine(result: Result): string | null {
  const { question, called, wanted, faults, said, error, answer } = result;
  const parts = [
    ...(error === "" ? [] : [`error: ${error}`]),
    ...(result.toolRight
      ? faults
      : [`called ${called} ${JSON.stringify(result.arguments)}, wanted ${wanted}`]),
    ...(said && result.toolRight && !answeredRight(result)
      ? [`answered ${JSON.stringify(answer)}, wanted ${said.missing.join(" ")}`]
      : []),
  ];
  return parts.length === 0 ? null : `  ${question} -> ${parts.join("; ")}`;
}

function lines(title: string, results: readonly Result[]): string[] {
  const all = figures(results);
  const { ms, read, readBeyondNew, output, answers: said } = all;
  return [
    `${title}: tool right ${shareText(all.tool.right, all.tool.of)}`,
    `  arguments right where the tool is: ${shareText(all.arguments.right, all.arguments.of)}`,
    `  by tool: ${groups(all.byTool)}`,
    `  by language: ${groups(all.byLanguage)}`,
    `  ms to the decision: median ${rounded(ms.median)}, p90 ${rounded(ms.p90)}`,
    `  tokens read for the decision: median ${rounded(read.median)}, most ${rounded(read.most)}`,
    `  read beyond what is new: median ${rounded(readBeyondNew.median)}, most ${rounded(readBeyondNew.most)}`,
    `  tokens written for the decision: median ${rounded(output.median)}`,
    ...(all.errors > 0 ? [`  questions that failed: ${all.errors}`] : []),
    ...(said
      ? [
          `  answered from the result: ${shareText(said.right.right, said.right.of)}`,
          `  of the others: another tool ${said.otherTool}; an answer in JSON ${said.json}, in another language ${said.otherLanguage}`,
        ]
      : []),
  ];
}

/** Ours to bare, of the medians of the time to the decision; null without both. */
export function ratio({ ours, bare }: Run): number | null {
  const [one, other] = [ours, bare].map((results) => figures(results).ms.median);
  return one == null || other == null ? null : one / other;
}

export function reportLines(run: Run): string[] {
  const times = ratio(run);
  return [
    ...lines("ours", run.ours),
    ...(run.bare.length > 0 ? lines("bare", run.bare) : []),
    ...(times === null ? [] : [`time to the decision, ours / bare: ${times.toFixed(2)}`]),
  ];
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The benchmark's figures: by category, their mean, the whole, and what a case costs.
import { quantileOf, rounded, shareText, type Tally, tally } from "../share.ts";
import { categories } from "./cases.ts";
import type { Decided } from "./decide.ts";

export type Passed = Decided & {
  id: string;
  category: string;
  question: string;
  fault: string | null;
};

export function figures(results: readonly Passed[]) {
  const passed = (some: readonly Passed[]) =>
    tally(some, (one) => one.fault === null && one.error === "");
  const byCategory: Record<string, Tally> = {};
  for (const category of categories)
    byCategory[category] = passed(results.filter((one) => one.category === category));
  const shares = Object.values(byCategory).flatMap(({ right, of }) =>
    of === 0 ? [] : [right / of],
  );
  const median = (pick: (one: Passed) => number | null) => quantileOf(results.map(pick), 0.5);
  return {
    byCategory,
    mean: shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length),
    total: passed(results),
    errors: results.filter(({ error }) => error !== "").length,
    ms: {
      median: median((one) => one.ms),
      p90: quantileOf(
        results.map((one) => one.ms),
        0.9,
      ),
    },
    prompt: median((one) => one.prompt),
    read: median(({ prompt, cached }) =>
      prompt === null || cached === null ? null : prompt - cached,
    ),
    output: median((one) => one.output),
  };
}

export function failLine({ id, question, fault, error }: Passed): string | null {
  const why = error === "" ? fault : `error: ${error}`;
  return why === null
    ? null
    : `  ${id}: ${why} | ${question.replaceAll(/\s+/g, " ").slice(0, 100)}`;
}

export function reportLines(results: readonly Passed[]): string[] {
  const all = figures(results);
  const rows = Object.entries(all.byCategory).filter(([, { of }]) => of > 0);
  return [
    ...rows.map(([name, { right, of }]) => `${name.padEnd(18)} ${shareText(right, of)}`),
    `mean of ${rows.length} categories: ${(100 * all.mean).toFixed(1)} %`,
    `all: ${shareText(all.total.right, all.total.of)}`,
    `ms a case: median ${rounded(all.ms.median)}, p90 ${rounded(all.ms.p90)}`,
    `tokens a case, median: prompt ${rounded(all.prompt)}, of them read ${rounded(all.read)}, written ${rounded(all.output)}`,
    ...(all.errors > 0 ? [`cases that failed with an error: ${all.errors}`] : []),
  ];
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The rows of the table: what was measured, its target, and whether it was reached.
import { quantileOf, rounded } from "../share.ts";

export type Row = {
  what: string;
  measured: string;
  /** "" when there is none. */
  target: string;
  /** Null: nothing to be judged. */
  good: boolean | null;
};

type Values = readonly (number | null)[];

export const median = (values: Values) => quantileOf(values, 0.5);
export const most = (values: Values) => quantileOf(values, 1);

/** Beyond what is known, or lost to an error, nothing is said. */
const known = (values: Values) => values.filter((value) => value !== null).length;

const both = (values: Values, unit: string) =>
  `median ${rounded(median(values))}, most ${rounded(most(values))}${unit}`;

function row(
  what: string,
  values: Values,
  shown: string,
  judged: Omit<Row, "what" | "measured">,
): Row {
  const count = known(values);
  if (count === 0) return { what, measured: "nothing measured", target: judged.target, good: null };
  const lost = values.length - count;
  return {
    what,
    measured: lost === 0 ? shown : `${shown} (${lost} of ${values.length} not measured)`,
    ...judged,
  };
}

/** Judged by the worst one. */
export function atMost(what: string, values: Values, limit: number, { unit = "" } = {}): Row {
  const good = (most(values) ?? Number.POSITIVE_INFINITY) <= limit;
  return row(what, values, both(values, unit), { target: `at most ${limit}${unit}`, good });
}

/** A figure without a target. */
export const told = (what: string, values: Values, { unit = "" } = {}): Row =>
  row(what, values, both(values, unit), { target: "", good: null });

/** How many times the one is the other; both are medians. */
export function times(what: string, one: Values, other: Values, least: number): Row {
  const [above, below] = [median(one), median(other)];
  const ratio = above === null || below === null ? null : above / below;
  return row(what, [ratio], `${(ratio ?? 0).toFixed(1)} times`, {
    target: `at least ${least} times`,
    good: (ratio ?? 0) >= least,
  });
}

/** Something that could not be measured, and why. */
export const missing = (what: string, why: string, target = ""): Row => ({
  what,
  measured: why,
  target,
  good: null,
});

/** The table; columns are as wide as what is in them. */
export function tableLines(rows: readonly Row[]): string[] {
  const cells = [
    ["what", "measured", "target", ""],
    ...rows.map(({ what, measured, target, good }) => [
      what,
      measured,
      target,
      good === false ? "MISSED" : "",
    ]),
  ];
  const widths = [0, 1, 2].map((at) => Math.max(...cells.map((line) => (line[at] ?? "").length)));
  const lines = cells.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(" | ")
      .replace(/[ |]+$/, ""),
  );
  return [lines[0] ?? "", widths.map((width) => "-".repeat(width)).join("-|-"), ...lines.slice(1)];
}

/** The short report at the end. */
export function summary(rows: readonly Row[]): string {
  const judged = rows.filter(({ good }) => good !== null);
  const missed = judged.filter(({ good }) => !good).length;
  const open = rows.filter(({ good, target }) => good === null && target !== "").length;
  const parts = [
    `${judged.length - missed} of ${judged.length} targets reached`,
    ...(open > 0 ? [`${open} not measured`] : []),
  ];
  return parts.join(", ");
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How a long run begins and ends, and its figures are taken: shares with their interval, quantiles.
import { ReadableError, systemCode } from "../src/errors.ts";

/** Wilson's 95 % interval of a share, from 0 to 1. */
export function wilson(right: number, of: number): { low: number; high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const z = 1.959964;
  const share = right / of;
  const middle = share + (z * z) / (2 * of);
  const reach = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  return {
    low: Math.max(0, (middle - reach) / whole),
    high: Math.min(1, (middle + reach) / whole),
  };
}

const percent = (share: number) => (100 * share).toFixed(1);

/** "44/50 = 88.0 % (76.2 to 94.4)". */
export function shareText(right: number, of: number): string {
  if (of === 0) return "0/0";
  const { low, high } = wilson(right, of);
  return `${right}/${of} = ${percent(right / of)} % (${percent(low)} to ${percent(high)})`;
}

/** How many are right, and of how many. */
export type Tally = { right: number; of: number };

export function tally<T>(all: readonly T[], right: (one: T) => boolean): Tally {
  return { right: all.filter(right).length, of: all.length };
}

/** The value below which that part of them is; null when there are none. Nulls are left out. */
export function quantileOf(values: readonly (number | null)[], part: number): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return known[Math.min(known.length - 1, Math.floor(known.length * part))] ?? null;
}

export const rounded = (value: number | null) => (value === null ? "?" : String(Math.round(value)));

/** Aborts when the person has seen enough: what was measured until then is still told. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

/** What was given to a benchmark is not what it takes: no fault of ours. */
export class Unusable extends Error {}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new Unusable(`no JSON: ${text.slice(0, 80)}`);
    throw cause;
  }
}

/** A number on the command line. */
export function countOf(option: string, text: string, least = 0): number {
  const count = Number(text);
  if (/^[0-9]+$/.test(text) && count >= least) return count;
  throw new Unusable(`--${option} is "${text}", not a number from ${least} up`);
}

/** Runs a benchmark; what the person can mend is told in one line. */
export async function told(measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (thrown) {
    const known = thrown instanceof Unusable || thrown instanceof ReadableError;
    const missing = systemCode(thrown) === "ENOENT" || /^ERR_PARSE_ARGS/.test(systemCode(thrown));
    if (!(thrown instanceof Error) || !(known || missing)) throw thrown;
    console.error(thrown.message);
    if (thrown instanceof ReadableError && thrown.hint !== "") console.error(thrown.hint);
    process.exitCode = 1;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How the figures of a long run are taken and written: shares with their interval, quantiles, an early end.

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

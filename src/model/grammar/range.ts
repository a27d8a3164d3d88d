// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Whole numbers between two bounds, digit by digit.
import { digit, either, type Part, row, set, text, times } from "./gbnf.ts";

/** From here on a number is written with an exponent. */
const tooLong = 10n ** 21n;
/** What a number has as a bound that the schema does not name: all of them keep every digit. */
const usual = BigInt(Number.MAX_SAFE_INTEGER);

/** The integers from `least` to `greatest` (whole numbers, or none), both included; null when there is none. */
export function integers(least: number | null, greatest: number | null): Part | null {
  const first = least === null ? -usual : bigger(BigInt(least), 1n - tooLong);
  const last = greatest === null ? usual : smaller(BigInt(greatest), tooLong - 1n);
  if (first > last) return null;
  const parts: Part[] = [];
  if (last > 0n) parts.push(positive(bigger(first, 1n), last));
  if (first <= 0n && last >= 0n) parts.push(text("0"));
  if (first < 0n) parts.push(row(text("-"), positive(bigger(-last, 1n), -first)));
  return either(...parts);
}

const bigger = (one: bigint, other: bigint) => (one > other ? one : other);
const smaller = (one: bigint, other: bigint) => (one < other ? one : other);

/** Both above 0. Lengths whose every number is allowed are one part. */
function positive(first: bigint, last: bigint): Part {
  const parts: Part[] = [];
  const whole: number[] = [];
  for (let length = String(first).length; length <= String(last).length; length += 1) {
    const [least, greatest] = [10n ** BigInt(length - 1), 10n ** BigInt(length) - 1n];
    const [from, to] = [bigger(first, least), smaller(last, greatest)];
    if (from === least && to === greatest) whole.push(length - 1);
    else parts.push(between(String(from), String(to)));
  }
  const [fewest, most] = [whole[0], whole.at(-1)];
  if (fewest !== undefined && most !== undefined)
    parts.push(row(set([0x31, 0x39]), times(digit, fewest, most)));
  return either(...parts);
}

/** Both with the same number of digits. */
function between(from: string, to: string): Part {
  const [low = "", high = ""] = [from[0], to[0]];
  const [lower, upper] = [from.slice(1), to.slice(1)];
  if (from === "") return text("");
  if (low === high) return row(text(low), between(lower, upper));
  const zeros = /^0*$/.test(lower);
  const nines = /^9*$/.test(upper);
  const parts: Part[] = [];
  if (!zeros) parts.push(row(text(low), between(lower, "9".repeat(lower.length))));
  const start = Number(low) + (zeros ? 0 : 1);
  const end = Number(high) - (nines ? 0 : 1);
  if (start <= end)
    parts.push(row(set([0x30 + start, 0x30 + end]), times(digit, lower.length, lower.length)));
  if (!nines) parts.push(row(text(high), between("0".repeat(upper.length), upper)));
  return either(...parts);
}

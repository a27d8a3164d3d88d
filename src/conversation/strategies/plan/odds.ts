// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How near a choice was to taking no tool at all, as the odds of its tokens tell.
import type { TokenOdds } from "../../../model/model.ts";

/**
 * From this share of "none" on, none is meant: a small model forced to choose prefers to name a tool. Of
 * 101 questions that a tool was right for, the highest share was 0.06; of 23 that wanted none, the lowest
 * 0.34; of requests to tools of others that none of them fits, most lie between.
 */
export const noneBound = 0.15;

const nameBegins = /"tool"\s*:\s*"$/;

/** The share of `none` among all names where the tool's name begins; 0 when nothing is known. */
export function noneShare(
  odds: readonly TokenOdds[],
  { none, names }: { none: string; names: readonly string[] },
): number {
  let before = "";
  for (const { text, top } of odds) {
    if (nameBegins.test(before)) return shareOf(top, none, names);
    before += text;
  }
  return 0;
}

function shareOf(top: TokenOdds["top"], none: string, names: readonly string[]): number {
  let ofNone = 0;
  let all = 0;
  for (const { text, logprob } of top) {
    // A token is a name's beginning, or a short name and the quote behind it.
    const begins = (name: string) =>
      text !== "" && (name.startsWith(text) || text.startsWith(`${name}"`));
    const chance = Math.exp(logprob);
    if (begins(none)) ofNone += chance;
    if (begins(none) || names.some(begins)) all += chance;
  }
  return all > 0 ? ofNone / all : 0;
}

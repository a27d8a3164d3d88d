// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Reads the odds of tokens as servers tell them beside a piece of text.
import { isRecord, listAt, recordAt } from "./json.ts";
import type { TokenOdds } from "./model.ts";

/** A token with a logarithm that is a number; null for anything else. */
function readToken(entry: unknown): { text: string; logprob: number } | null {
  const { token, logprob } = isRecord(entry) ? entry : {};
  if (typeof token !== "string" || typeof logprob !== "number") return null;
  return Number.isFinite(logprob) ? { text: token, logprob } : null;
}

/** The tokens of a choice in their order; malformed ones are left out. */
export function readOdds(choice: unknown): TokenOdds[] {
  return listAt(recordAt(choice, "logprobs"), "content").flatMap((entry) => {
    const token = readToken(entry);
    if (!token) return [];
    const top = listAt(entry, "top_logprobs").flatMap((other) => readToken(other) ?? []);
    return [{ ...token, top }];
  });
}

/** Characters that it takes, at least one a token, so that an endless list is noticed. */
export function sizeOf(odds: readonly TokenOdds[]): number {
  let size = 0;
  for (const { text, top } of odds) {
    size += 1 + text.length;
    for (const other of top) size += 1 + other.text.length;
  }
  return size;
}

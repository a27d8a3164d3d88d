// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How sure a choice was, as the odds of its tokens tell: whether to take it, to take none, or to look again.
import type { TokenOdds } from "../../../model/model.ts";

/**
 * Measured on 162 questions to Qwen2.5-Coder 1.5B. Of the choices with a share from `sure` on, one was
 * wrong. Of the others (15 of 100) a third was; a second look at the likeliest tools alone mends most of
 * them, but hardly ever takes none where it should, so that is settled by the first one: from `noneAlone`
 * on where only one tool comes into question, else from `noneAmongMany` on.
 */
const sure = 0.85;
const noneAlone = 0.15;
const noneAmongMany = 0.5;
/** A tool with less comes not into question, and so many do at most. */
const worthALook = 0.02;
const mostCandidates = 4;

export type Verdict =
  | { kind: "take" }
  | { kind: "none" }
  /** Names, the likeliest first, without none. */
  | { kind: "look"; names: readonly string[] };

const nameBegins = /"tool"\s*:\s*"$/;

/** Takes the choice when nothing is known of its odds. */
export function judge(
  odds: readonly TokenOdds[],
  { none, names }: { none: string; names: readonly string[] },
): Verdict {
  const shares = sharesOf(odds, [...names, none]);
  if (shares.size === 0) return { kind: "take" };
  const ofNone = shares.get(none) ?? 0;
  const some = [...shares]
    .filter(([name, share]) => name !== none && share >= worthALook)
    .sort(([, one], [, other]) => other - one);
  if (ofNone >= (some.length > 1 ? noneAmongMany : noneAlone)) return { kind: "none" };
  const top = some[0]?.[1] ?? 0;
  if (top >= sure || some.length < 2) return { kind: "take" };
  return { kind: "look", names: some.slice(0, mostCandidates).map(([name]) => name) };
}

/** The share of each name where the tool's name begins; names that begin alike share what they begin with. */
function sharesOf(odds: readonly TokenOdds[], names: readonly string[]): Map<string, number> {
  const shares = new Map<string, number>();
  let before = "";
  const place = odds.find(({ text }) => {
    const found = nameBegins.test(before);
    before += text;
    return found;
  });
  let all = 0;
  for (const { text, logprob } of place?.top ?? []) {
    // A token is a name's beginning, or a short name and the quote behind it.
    const begun = names.filter(
      (name) => text !== "" && (name.startsWith(text) || text.startsWith(`${name}"`)),
    );
    const chance = Math.exp(logprob);
    if (begun.length > 0) all += chance;
    for (const name of begun) shares.set(name, (shares.get(name) ?? 0) + chance / begun.length);
  }
  return new Map([...shares].map(([name, share]) => [name, share / all]));
}

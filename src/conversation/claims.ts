// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Finds in an answer the claim that something was done, which only a tool could have done.

/** What the turn's calls stand for: something was changed; any call succeeded. */
export type Backing = { changed: boolean; called: boolean };

const claim =
  /\b(?:i(?:'ve| have)|it(?:'s| is| has been)) (?:now |just )?(?:sent|saved|added|noted|deleted|booked|created)\b/i;

/** True when the answer claims an action that no call of the turn stands for. */
export function claims(text: string, { changed }: Backing): boolean {
  return !changed && claim.test(text);
}

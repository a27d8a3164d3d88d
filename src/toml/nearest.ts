// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// "Did you mean": the known word that a mistyped one is nearest to.

/** Letters left out, added, changed, or two neighbours swapped, each counted as one. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      here[column] = Math.min(
        at(last, column) + 1,
        at(here, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = here;
  }
  return at(last, to.length);
}

const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;

/** `toolRounds`, `tool-rounds` and `Tool_Rounds` are one word for this purpose. */
const plain = (word: string) => word.toLowerCase().replace(/[-_ ]/g, "");

/**
 * The known word nearest to `word`, the first one of equals; null when all are too far off. One
 * fault is allowed, and one more for every three letters above three.
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const written = plain(word);
  const allowed = Math.max(1, Math.floor(written.length / 3));
  let best: string | null = null;
  let bestDistance = allowed + 1;
  for (const candidate of known) {
    // A difference in length is a distance already; this keeps an absurdly long key cheap.
    if (Math.abs(candidate.length - word.length) > word.length) continue;
    const found = distance(written, plain(candidate));
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}

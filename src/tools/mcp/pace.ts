// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Tells when something comes so fast, for so long, that nobody else would have a turn.

/** Milliseconds. */
const span = 10_000;

/** Counts what comes; true once it was more than `most` within ten seconds. */
export function tooFast(most: number, now = () => performance.now()): (count: number) => boolean {
  let since = now();
  let counted = 0;
  return (count) => {
    if (now() - since > span) {
      since = now();
      counted = 0;
    }
    counted += count;
    return counted > most;
  };
}

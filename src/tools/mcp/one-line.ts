// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Text of a server on one line, without what cannot be seen, and not longer than it may be.

/** Control, format and private characters: they hide words from the person that the model reads. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}]+/gu;

/** At most `most` code points. */
export function oneLine(text: string, most: number): string {
  // Blanks may be many; what comes later than this was cut in any case.
  const start = text.slice(0, most * 20).toWellFormed();
  const line = start.replaceAll(unseen, " ").replaceAll(/\s+/g, " ").trim();
  const points = [...line];
  return points.length <= most
    ? line
    : `${points
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

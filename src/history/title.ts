// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The name of a conversation until something better is stored.

const longest = 120;

/** The first six words of a question; one endless word is cut. */
export function titleOf(question: string): string {
  // A pasted file may be megabytes: six words of a title are found near its beginning.
  const words = question.trimStart().slice(0, 4000).split(/\s+/u).slice(0, 6).join(" ").trim();
  const points = [...words];
  return points.length <= longest ? words : `${points.slice(0, longest - 1).join("")}…`;
}

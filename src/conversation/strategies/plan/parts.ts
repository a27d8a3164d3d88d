// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Whether a question may have two parts, each for a tool of its own.

/** "and", "then" and the like in the languages of the question sets; others have "?" and ";" at least. */
const joining =
  /(?:^|[\s,;.])(?:and|then|also|plus|e|ed|poi|anche|und|dann|auch|y|luego|también|et|puis|aussi|en|dan|ook|i|oraz|och|og)\s+\S+/giu;

/** Cheap, and may be wrong: a false yes costs one short request, a false no leaves the second part out. */
export function twoParts(question: string): boolean {
  const words = question.trim().split(/\s+/).length;
  if (words < 5 || question.length > 600) return false;
  const questions = question.split(/[?？;；]|[.!。]\s/).filter((part) => /\p{L}{2}/u.test(part));
  return questions.length > 1 || [...question.matchAll(joining)].length > 0;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Tells what is nested beyond what can be walked: JSON knows no bound, the stack does.

/** Deeper than any arguments that mean something. */
const mostLevels = 100;

export function tooDeep(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => tooDeep(inner, levels - 1));
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A JSON Schema pattern as a regular expression, as the validator reads it.

/** Null when it is none, such as one that was written for another language's patterns. */
export function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch (fault) {
    if (fault instanceof SyntaxError) return null;
    throw fault;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// JSON objects out of what a model wrote.
import { tooDeep } from "../tools/depth.ts";

/** A copy of a JSON object; null for anything else, arrays too. */
export function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}

/** The object that a text is as JSON; null when it is none, or nested too deeply to be looked at. */
export function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const record = recordOf(JSON.parse(text));
    return tooDeep(record) ? null : record;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

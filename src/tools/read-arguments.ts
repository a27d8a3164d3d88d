// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The JSON text of a call's arguments, as a model wrote it.
import { tooDeep } from "./depth.ts";
import type { Arguments } from "./schema.ts";

/** No arguments at all are none; null when the text is no JSON object. */
export function readArguments(text: string): Arguments | null {
  if (text.trim() === "") return {};
  try {
    const given: unknown = JSON.parse(text);
    // What looks at each value walks down; whoever takes it says that it is too deep.
    const value: unknown = tooDeep(given) ? given : JSON.parse(text, exact);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : value === null
        ? {}
        : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/**
 * An integer that would lose digits (an account, a parcel) and a number too large to be one stay the
 * text that the model wrote.
 */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  const lost =
    !Number.isFinite(value) || (/^-?\d+$/.test(context.source) && !Number.isSafeInteger(value));
  return lost ? context.source : value;
}

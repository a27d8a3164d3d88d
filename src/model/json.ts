// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Reads fields out of JSON that somebody else wrote, without believing its shape.

export type JsonRecord = Record<string, unknown>;

/** True for a JSON object; arrays and null are none. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** The object at a field, or null. */
export function recordAt(value: unknown, field: string): JsonRecord | null {
  if (!isRecord(value)) return null;
  const inner = value[field];
  return isRecord(inner) ? inner : null;
}

/** The list at a field; anything else is an empty list. */
export function listAt(value: unknown, field: string): readonly unknown[] {
  const inner = isRecord(value) ? value[field] : undefined;
  return Array.isArray(inner) ? inner : [];
}

/** The text at a field, or "". */
export function textAt(value: unknown, field: string): string {
  const inner = isRecord(value) ? value[field] : undefined;
  return typeof inner === "string" ? inner : "";
}

/** The count at a field: a finite number from 0 up, rounded down; null when it is none. */
export function countAt(value: unknown, field: string): number | null {
  const inner = isRecord(value) ? value[field] : undefined;
  return typeof inner === "number" && Number.isFinite(inner) && inner >= 0
    ? Math.floor(inner)
    : null;
}

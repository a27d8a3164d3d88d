// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Bounds what a sending tool is given where its schema says nothing: names, and texts of any table or list.
import { asRecord, sendLength } from "./schema.ts";

/** Keywords whose own bounds the validator has looked at. */
const described = ["maxLength", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];

const tooLong = (text: string) => [...text.slice(0, 2 * sendLength + 1)].length > sendLength;
const sentence = (path: readonly string[]) =>
  `${path.join(".") || "arguments"}: must be at most ${sendLength} characters long`;

/** "<param>: <what is wrong>", or null. */
export function sendFault(
  value: unknown,
  schema: unknown,
  path: readonly string[] = [],
): string | null {
  const about = asRecord(schema);
  if (described.some((keyword) => Object.hasOwn(about, keyword))) return null;
  if (typeof value === "string") return tooLong(value) ? sentence(path) : null;
  if (typeof value !== "object" || value === null) return null;
  const known = asRecord(about.properties);
  for (const [key, inner] of Object.entries(value)) {
    if (tooLong(key)) return sentence([...path, `${key.slice(0, 20)}…`]);
    const named = Array.isArray(value) ? about.items : (known[key] ?? about.additionalProperties);
    const fault = sendFault(inner, named, [...path, key]);
    if (fault !== null) return fault;
  }
  return null;
}

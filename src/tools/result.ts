// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a call comes to: a tool's outcome made whole, capped, timed and frozen.
import type { ToolOutcome, ToolResult } from "./tool.ts";

/** What a model reads of one result at the most, in Unicode code points. */
const longestText = 2000;

/** At most `longestText` code points, never half a character, with a mark that says how much is gone. */
export function capped(text: string): string {
  if (text.length <= longestText) return text.toWellFormed();
  const points = Array.from(text.toWellFormed());
  if (points.length <= longestText) return points.join("");
  return `${points.slice(0, longestText).join("")}\n[cut: ${points.length - longestText} more characters]`;
}

function textOf({ ok, text, data, error }: ToolOutcome): string {
  if (text !== undefined) return text;
  if (!ok) return `error: ${error ?? "failed"}`;
  if (data === undefined || data === null) return "";
  return typeof data === "string" ? data : JSON.stringify(data);
}

export function resultOf(outcome: ToolOutcome, latencyMs: number): ToolResult {
  const { ok, data, error, meta, card } = outcome;
  const text = capped(textOf(outcome));
  return Object.freeze({
    ok,
    data: ok ? (data ?? null) : null,
    text,
    error: ok ? "" : (error ?? text.replace(/^error: /, "")),
    latencyMs,
    meta: Object.freeze({ ...meta }),
    card: card ?? null,
  });
}

/** A fault as the model reads it: "error: …". */
export const failure = (error: string): ToolOutcome => ({
  ok: false,
  error,
  text: `error: ${error}`,
});

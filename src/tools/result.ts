// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a call comes to: a tool's outcome made whole, capped, timed and frozen.
import type { ToolOutcome, ToolResult } from "./tool.ts";

/** What a model reads of one result at the most, in Unicode code points. */
const longestText = 2000;
/** Nothing at all makes small models invent an answer. */
const nothing = "(no output)";

const sizeAt = (text: string, at: number) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** At most `longestText` code points, never half a character, with a mark that says how much is gone. */
function capped(text: string): string {
  const whole = text.toWellFormed();
  let end = 0;
  for (let points = 0; points < longestText && end < whole.length; points += 1)
    end += sizeAt(whole, end);
  if (end === whole.length) return whole;
  let gone = 0;
  for (let at = end; at < whole.length; at += sizeAt(whole, at)) gone += 1;
  return `${whole.slice(0, end)}\n[cut: ${gone} more ${gone === 1 ? "character" : "characters"}]`;
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
    text: text.trim() === "" ? nothing : text,
    error: ok ? "" : capped(error ?? text.replace(/^error: /, "")),
    latencyMs,
    meta: Object.freeze({ ...meta }),
    card: card ?? null,
  });
}

/** What the model reads when it calls a tool that there is not. */
export const noTool = (name: string) => `error: ${noToolNamed(name)}`;
export const noToolNamed = (name: string) => `no tool named ${name}`;

/** A fault as the model reads it: "error: …". */
export const failure = (error: string): ToolOutcome => ({
  ok: false,
  error,
  text: `error: ${error}`,
});

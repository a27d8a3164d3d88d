// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// An answer that is no answer: a call written once more, or JSON that nobody asked for.
import { parseRecord } from "../../json.ts";
import type { OfferedTool } from "../strategy.ts";

/** Longer ones are shown as they come. */
const longest = 4000;

/** The JSON that the whole text is, bare or in a fence; null when it is none. */
function wholeJson(text: string): string | null {
  const inner = text
    .trim()
    .replace(/^```(?:json)?\s*/, "")
    .replace(/\s*```$/, "");
  return /^[{[]/.test(inner) && /[}\]]$/.test(inner) ? inner : null;
}

export function isJson(text: string): boolean {
  const inner = wholeJson(text);
  if (inner === null) return false;
  try {
    JSON.parse(inner);
    return true;
  } catch (fault) {
    if (fault instanceof SyntaxError) return false;
    throw fault;
  }
}

/** The whole text is a choice or a call of one of the tools. */
export function isCallText(text: string, tools: readonly OfferedTool[]): boolean {
  const inner = wholeJson(text.trim().replace(/^<tool_call>|<\/tool_call>$/g, ""));
  const found = inner === null ? null : parseRecord(inner);
  const name = found?.tool ?? found?.name;
  if (typeof name !== "string") return false;
  const others = Object.keys(found ?? {}).filter((key) => !callKeys.includes(key));
  return others.length === 0 && (name === "none" || tools.some((tool) => tool.name === name));
}
const callKeys = ["tool", "name", "arguments", "parameters"];

const beginnings = ["```json", "```{", "```[", "<tool_call>"];

/**
 * True while the text may still be such a thing from end to end; `any`: any JSON counts, else only what
 * begins like a call.
 */
export function mayBeJson(text: string, { any }: { any: boolean }): boolean {
  const start = text.trimStart();
  if (start.length > longest) return false;
  const compact = start.replaceAll(/\s+/g, "");
  const begins = (full: string) => full.startsWith(compact) || compact.startsWith(full);
  if (compact === "" || beginnings.some(begins)) return true;
  if (!/^[{[]/.test(compact)) return false;
  return any || callKeys.some((key) => begins(`{"${key}":`));
}

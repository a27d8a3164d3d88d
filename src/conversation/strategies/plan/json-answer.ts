// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// An answer that is no answer: a call written once more, or JSON that nobody asked for.
import { parseRecord } from "../../json.ts";
import { jsonEnd } from "../json-text.ts";

/** Longer ones are shown as they come. */
const longest = 4000;

/** `any`: any JSON counts, else only a call; `names` are those of the tools, and that for none. */
type Unwanted = { any: boolean; names: ReadonlySet<string> };

/** JSON that a text begins with, "open" while its end is not there, and what stands behind it. */
type Leading = { json: string; open: boolean; behind: string };

const openings = [
  { whole: "<tool_call>", pattern: /^<tool_call>\s*/ },
  { whole: "```json", pattern: /^```(?:json)?\s*/ },
];
const closing = /^\s*(?:```)?\s*(?:<\/tool_call>)?\s*/;
const closings = ["```</tool_call>", "</tool_call>"];

/** Null when the text begins otherwise; "opening" while that cannot be told. */
function leading(text: string): Leading | "opening" | null {
  let rest = text.trimStart();
  for (const { whole, pattern } of openings) {
    if (whole.startsWith(rest)) return "opening";
    rest = rest.replace(pattern, "");
  }
  if (rest === "") return "opening";
  if (!/^[{[]/.test(rest)) return null;
  const end = jsonEnd(rest, 0);
  if (end === "broken") return null;
  if (end === "open") return { json: rest, open: true, behind: "" };
  const behind = rest.slice(end);
  const whole = closings.some((one) => one.startsWith(behind.replaceAll(/\s+/g, "")));
  return { json: rest.slice(0, end), open: false, behind: whole ? "" : behind };
}

const callKeys = ["tool", "name", "arguments", "parameters"];
const beginsAsCall = /^\{\s*"(?:tool|name)"\s*:\s*"([^"]*)"\s*(?:,|$)/;

/** The JSON is a choice or a call of one of the names, also one that was cut off. */
function isCall({ json, open }: Leading, names: ReadonlySet<string>): boolean {
  if (open) return names.has(beginsAsCall.exec(json)?.[1] ?? "");
  const found = parseRecord(json);
  const name = found?.tool ?? found?.name;
  if (typeof name !== "string") return false;
  const others = Object.keys(found ?? {}).filter((key) => !callKeys.includes(key));
  return others.length === 0 && names.has(name.trim());
}

/** The beginning may become a call. */
function mayBeCall(json: string): boolean {
  const compact = json.replaceAll(/\s+/g, "");
  return callKeys.some((key) => {
    const begin = `{"${key}":`;
    return begin.startsWith(compact) || compact.startsWith(begin);
  });
}

/** True while the text so far may still turn out to be such a thing, or is one. */
export function mayBeUnwanted(text: string, { any, names }: Unwanted): boolean {
  if (text.trimStart().length > longest) return false;
  const found = leading(text);
  if (found === null || found === "opening") return found !== null;
  if (found.behind !== "") return isCall(found, names);
  return any || mayBeCall(found.json);
}

/** What a person may read of a whole answer: without a call in front of it; null when there is nothing. */
export function wordsOf(text: string, unwanted: Unwanted): string | null {
  // What was shown already is the answer.
  if (!mayBeUnwanted(text, unwanted)) return text;
  const found = leading(text);
  if (found === null) return text;
  if (found === "opening") return unwanted.any ? null : text;
  if (isCall(found, unwanted.names)) {
    const words = found.behind.replace(closing, "").trim();
    return words === "" ? null : wordsOf(words, unwanted);
  }
  return unwanted.any && (found.open || isJson(found.json)) ? null : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (fault) {
    if (fault instanceof SyntaxError) return false;
    throw fault;
  }
}

/** It ends before half an escape. */
const answerBegins = /\{\s*"answer"\s*:\s*("(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*)/s;
const longestInside = 100_000;
const halfCharacter = /[\ud800-\udbff]$/;

/**
 * The words of `{"answer": "..."}`, also where a server that takes no schema puts a fence or text around it, or
 * cuts it off; null when there are none.
 */
export function answerIn(text: string): string | null {
  const begun = answerBegins.exec(text.slice(0, longestInside))?.[1] ?? "";
  const answer = parseRecord(`{"answer":${begun}"}`)?.answer;
  if (typeof answer !== "string" || answer.trim() === "") return null;
  return answer.replace(halfCharacter, "");
}

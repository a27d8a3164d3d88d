// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What came of one case, judged.
import { argumentFaults, type Case, isJson, missingIn } from "./cases.ts";
import { languageOf } from "./language.ts";

/** What was measured of a case; tokens are of the request in which it was decided. */
export type Measured = {
  call: { name: string; arguments: Record<string, unknown> } | null;
  answer: string;
  error: string;
  /** Milliseconds to the decision. */
  ms: number | null;
  read: number | null;
  cached: number | null;
  output: number | null;
  /** What the request has that the one before and its answer had not; null: nobody knows. */
  added: string | null;
};

export type Result = Omit<Measured, "added" | "call"> & {
  question: string;
  language: string;
  wanted: string;
  /** "none" when nothing was called. */
  called: string;
  arguments: Record<string, unknown>;
  toolRight: boolean;
  /** What is wrong with the arguments, where the tool is right. */
  faults: string[];
  /** Tokens of what is new in the request. */
  fresh: number | null;
  /** Where the answer counts. */
  said: { missing: string[]; json: boolean; otherLanguage: boolean } | null;
};

export function judge(wanted: Case, { added: _added, call, ...measured }: Measured): Result {
  const called = measured.error !== "" && !call ? "error" : (call?.name ?? "none");
  const toolRight = called === wanted.tool;
  const given = call?.arguments ?? {};
  return {
    question: wanted.question,
    language: wanted.language,
    wanted: wanted.tool,
    called,
    arguments: given,
    toolRight,
    faults: toolRight ? argumentFaults(given, wanted.arguments) : [],
    fresh: null,
    said: wanted.needs && said(wanted, measured.answer, wanted.needs),
    ...measured,
  };
}

function said({ language }: Case, answer: string, needs: readonly string[]) {
  const spoken = languageOf(answer);
  const known = language !== "other" && spoken !== "other";
  return {
    missing: missingIn(answer, needs),
    json: isJson(answer),
    otherLanguage: known && spoken !== language,
  };
}

/** The answer says what the tool returned; never so when another tool was called. */
export const answeredRight = ({ toolRight, said: answer, error }: Result) =>
  toolRight && error === "" && answer !== null && answer.missing.length === 0 && !answer.json;

/** What of a text comes after what it has in common with an earlier one. */
export function addedTo(earlier: string, text: string): string {
  let at = 0;
  while (at < text.length && text[at] === earlier[at]) at += 1;
  return text.slice(at);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What came of one case, judged.
import { languageOf } from "../../src/conversation/language.ts";
import { argumentFaults, type Case, isJson, missingIn } from "./cases.ts";

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

/** A language that cannot be told. */
const unknown = "unknown";

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

export async function judge(
  wanted: Case,
  { added: _added, call, ...measured }: Measured,
): Promise<Result> {
  const language = wanted.language || ((await languageOf(wanted.question)) ?? unknown);
  const called = measured.error !== "" && !call ? "error" : (call?.name ?? "none");
  const toolRight = called === wanted.tool;
  const given = call?.arguments ?? {};
  return {
    question: wanted.question,
    language,
    wanted: wanted.tool,
    called,
    arguments: given,
    toolRight,
    faults: toolRight ? argumentFaults(given, wanted.arguments) : [],
    fresh: null,
    said: wanted.needs && (await said(measured.answer, wanted.needs, language)),
    ...measured,
  };
}

async function said(answer: string, needs: readonly string[], language: string) {
  const spoken = (await languageOf(answer)) ?? unknown;
  const known = language !== unknown && spoken !== unknown;
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

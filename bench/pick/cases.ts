// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The questions of a set, what each wants, and whether a call or an answer is that.
import { isDeepStrictEqual } from "node:util";
import type { ToolSchema } from "../../src/message.ts";
import { parsed, Unusable } from "../share.ts";

/** One question; the tool that it wants is "none" when it wants no tool. */
export type Case = {
  question: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** "": it has to be guessed. */
  language: string;
  /** What its tool returns; null: the usual text. */
  result: string | null;
  /** What the answer must say: all of them. */
  needs: string[] | null;
};

function record(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Unusable(`no object: ${JSON.stringify(value)}`);
}

function list(text: string): Record<string, unknown>[] {
  const value = parsed(text);
  if (!Array.isArray(value)) throw new Unusable("the file holds no list");
  return value.map(record);
}

/** Lines of question, tool, arguments as JSON and perhaps the language, with tabs between them. */
export function readCases(text: string): Case[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [question = "", tool = "", given = "", language = ""] = line
      .split("\t")
      .map((cell) => cell.trim());
    if (question === "" || tool === "") throw new Unusable(`no case: ${line}`);
    const wanted = record(parsed(given === "" ? "{}" : given));
    Object.values(wanted).forEach(pattern);
    return {
      question,
      tool,
      arguments: wanted,
      language,
      result: null,
      needs: null,
    };
  });
}

/** A list of question, tool, result and needs. */
export function readAnswers(text: string): Case[] {
  return list(text).map(({ question, tool, result, needs, language }) => {
    const said = Array.isArray(needs) ? needs.map(String) : [];
    said.forEach(pattern);
    return {
      question: textOf("question", question),
      tool: textOf("tool", tool),
      arguments: {},
      language: typeof language === "string" ? language : "",
      result: typeof result === "string" ? result : null,
      needs: said,
    };
  });
}

/** A list of name, description and parameters (JSON Schema). */
export function readTools(text: string): ToolSchema[] {
  return list(text).map(({ name, description, parameters }) => ({
    name: textOf("name", name),
    description: textOf("description", description),
    parameters: record(parameters),
  }));
}

function textOf(field: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Unusable(`${field} is no text: ${JSON.stringify(value)}`);
}

/** The tools that are wanted and that nobody offers. */
export function notOffered(cases: readonly Case[], tools: readonly ToolSchema[]): string[] {
  const offered = new Set(["none", ...tools.map(({ name }) => name)]);
  return [...new Set(cases.map(({ tool }) => tool))].filter((tool) => !offered.has(tool));
}

/** The expression of a text "/re/flags"; null when it is a plain text. */
function pattern(wanted: unknown): RegExp | null {
  const [, source, flags] =
    typeof wanted === "string" ? (/^\/(.*)\/([a-z]*)$/s.exec(wanted) ?? []) : [];
  try {
    return source === undefined ? null : new RegExp(source, flags);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new Unusable(cause.message);
    throw cause;
  }
}

/** What of the wanted arguments is missing or other; empty: all is there. */
export function argumentFaults(
  given: Record<string, unknown>,
  wanted: Record<string, unknown>,
): string[] {
  return Object.entries(wanted).flatMap(([name, want]) => {
    const value = given[name] ?? "";
    const expression = pattern(want);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const fits = expression ? expression.test(text) : isDeepStrictEqual(value, want);
    return fits ? [] : [`${name} is ${JSON.stringify(value)}, wanted ${JSON.stringify(want)}`];
  });
}

/** What an answer does not say of what it must; a plain need is to be in it word for word. */
export function missingIn(answer: string, needs: readonly string[]): string[] {
  return needs.filter((need) => !(pattern(need)?.test(answer) ?? answer.includes(need)));
}

/** The answer is JSON instead of words. */
export function isJson(answer: string): boolean {
  const inner = answer
    .trim()
    .replace(/^```[a-z]*\s*/, "")
    .replace(/\s*```$/, "");
  if (!/^[[{]/.test(inner)) return false;
  try {
    JSON.parse(inner);
    return true;
  } catch (cause) {
    if (cause instanceof SyntaxError) return false;
    throw cause;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The benchmark's files: cases by id, drawn by a seed, their functions as tools, their right answers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolSchema } from "../../src/message.ts";
import { parsed } from "../share.ts";
import { check, type Described, type GroundTruth } from "./check.ts";
import { isObject, parse } from "./value.ts";

export const categories = [
  "simple_python",
  "multiple",
  "irrelevance",
  "live_simple",
  "live_multiple",
  "live_irrelevance",
] as const;

export type BfclCase = {
  id: string;
  category: string;
  /** What its system messages say; "" when there are none. */
  system: string;
  /** Earlier questions and answers, if it is a dialogue. */
  earlier: { question: string; answer: string }[];
  question: string;
  functions: (Described & { description: string })[];
  /** Null: nothing is to be called. */
  answer: GroundTruth | null;
};

/** "live_simple_0-0-0" is of "live_simple". */
export const categoryOf = (id: string) => id.replace(/_[0-9].*$/, "");

const lines = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");

/** All cases of a category by id. */
export function readCategory(data: string, category: string): Map<string, BfclCase> {
  const file = `BFCL_v4_${category}.json`;
  const answers = new Map<string, GroundTruth>();
  if (!category.includes("irrelevance")) {
    for (const line of lines(join(data, "possible_answer", file))) {
      const { id, truth } = readAnswer(line);
      answers.set(id, truth);
    }
  }
  const cases = lines(join(data, file)).map((line) => readCase(line, category, answers));
  return new Map(cases.map((one) => [one.id, one]));
}

function readAnswer(line: string): { id: string; truth: GroundTruth } {
  const value = parse(line);
  const { id, ground_truth } = isObject(value) ? value : {};
  const first = Array.isArray(ground_truth) ? ground_truth[0] : null;
  const truth: GroundTruth = {};
  for (const [name, params] of Object.entries(isObject(first) ? first : {})) {
    const allowed = Object.entries(isObject(params) ? params : {});
    truth[name] = Object.fromEntries(
      allowed.map(([param, answers]) => [param, Array.isArray(answers) ? answers : [answers]]),
    );
  }
  return { id: String(id), truth };
}

function readCase(
  line: string,
  category: string,
  answers: ReadonlyMap<string, GroundTruth>,
): BfclCase {
  const { id, question, function: functions } = Object(JSON.parse(line));
  const system: string[] = [];
  const earlier: BfclCase["earlier"] = [];
  let asked: string[] = [];
  for (const { role, content } of question[0]) {
    if (role === "system") system.push(content);
    else if (role === "user") asked.push(content);
    else {
      earlier.push({ question: asked.join("\n"), answer: content });
      asked = [];
    }
  }
  const answer = answers.get(id) ?? null;
  if (!answer && !category.includes("irrelevance")) throw new Error(`${id} has no right answer`);
  return {
    id,
    category,
    system: system.join("\n"),
    earlier,
    question: asked.join("\n"),
    functions,
    answer,
  };
}

const jsonTypes: Record<string, string> = {
  dict: "object",
  float: "number",
  tuple: "array",
  list: "array",
  any: "string",
};

/** JSON Schema of a Python-typed one. */
export function jsonSchema(python: unknown): Record<string, unknown> {
  const { type, properties, items, enum: choices, optional: _, ...others } = Object(python);
  const schema: Record<string, unknown> = { type: jsonTypes[type] ?? type ?? "string", ...others };
  // An empty one would make servers refuse the whole request.
  if (Array.isArray(choices) && choices.length > 0) schema.enum = choices;
  if (items !== undefined) schema.items = jsonSchema(items);
  if (typeof properties === "object" && properties !== null) {
    const inner = Object.entries(properties).map(([name, one]) => [name, jsonSchema(one)]);
    schema.properties = Object.fromEntries(inner);
  }
  return schema;
}

/** The functions as tools, and which function each name of a tool stands for. */
export function toolsOf({ functions }: Pick<BfclCase, "functions">) {
  const names = new Map<string, string>();
  const tools = functions.map(({ name, description, parameters }): ToolSchema => {
    const stem = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
    let free = stem;
    for (let next = 2; names.has(free); next += 1) free = `${stem}_${next}`;
    names.set(free, name);
    const said = description.trim() === "" ? name : description;
    return { name: free, description: said, parameters: jsonSchema(parameters) };
  });
  return { tools, names };
}

/** Why a case is not passed; null: it is. `call` has the function's own name and the arguments as written. */
export function faultOf(
  wanted: BfclCase,
  call: { name: string; written: string } | null,
): string | null {
  const { answer, functions } = wanted;
  if (!answer) return call ? `called ${call.name}(${call.written}), wanted no call` : null;
  const [name] = Object.keys(answer);
  if (!call) return `called nothing, wanted ${name}`;
  const described = functions.find((one) => one.name === name);
  if (!described) return `the case does not describe ${name}`;
  try {
    const given = parse(call.written.trim() === "" ? "{}" : call.written);
    if (!isObject(given)) return `arguments are no object: ${call.written}`;
    const verdict = check({ name: call.name, arguments: given }, described, answer);
    return verdict.ok ? null : `${verdict.type} ${verdict.message}`;
  } catch (cause) {
    if (cause instanceof SyntaxError) return `arguments are no JSON: ${call.written}`;
    throw cause;
  }
}

/** All texts of a file of ids: a list, or lists by any name. */
export function readIds(text: string): string[] {
  const value = parsed(text);
  const lists = Array.isArray(value) ? [value] : Object.values<unknown>(Object(value));
  return lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` of the ids, none of `not`; the same ones for the same seed. */
export function draw(
  ids: readonly string[],
  { count, seed, not }: { count: number; seed: number; not: ReadonlySet<string> },
): string[] {
  const next = numbers(seed);
  const left = ids.filter((id) => !not.has(id));
  const drawn: string[] = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(next() * left.length), 1));
  return drawn;
}

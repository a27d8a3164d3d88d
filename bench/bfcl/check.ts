// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Whether a call is the one that the Berkeley Function Calling Leaderboard wants.
// Port of its Python AST checker (bfcl_eval/eval_checker/ast_eval/ast_checker.py, Apache 2.0), for one
// call and Python types. It has to agree with that one, also where that one is odd.
import { isObject, Num, type Value } from "./value.ts";

/** The part of a function's description that is looked at. */
export type Described = {
  name: string;
  parameters: {
    properties: Record<string, { type: string; items?: { type: string } }>;
    required?: readonly string[];
  };
};

/** By function name, by parameter: the values that count as right; "" is: it may be left out. */
export type GroundTruth = Record<string, Record<string, Value[]>>;

export type Verdict = { ok: true } | { ok: false; type: string; message: string };

type TypeVerdict = { ok: true; variable: boolean } | Exclude<Verdict, { ok: true }>;

const fine: Verdict = { ok: true };
const no = (type: string, message: string): Exclude<Verdict, { ok: true }> => ({
  ok: false,
  type,
  message,
});
const shown = (value: unknown) => JSON.stringify(value);

/** Python's name for a value's type. */
function pyType(value: Value): string {
  if (value === null) return "NoneType";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (Array.isArray(value)) return "list";
  if (value instanceof Num) return value.float ? "float" : "int";
  return "dict";
}

function numberOf(value: Value): number | undefined {
  if (value instanceof Num) return value.value;
  return typeof value === "boolean" ? Number(value) : undefined;
}

/** Python's ==. */
export function equal(one: Value, other: Value): boolean {
  const [x, y] = [numberOf(one), numberOf(other)];
  if (x !== undefined || y !== undefined) return x === y;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((value, at) => equal(value, other[at] ?? null));
  }
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    return keys.every(
      (key) => Object.hasOwn(other, key) && equal(one[key] ?? null, other[key] ?? null),
    );
  }
  return one === other;
}

const isIn = (value: Value, list: readonly Value[]) => list.some((one) => equal(value, one));

const pythonTypes: Record<string, string> = {
  string: "str",
  integer: "int",
  float: "float",
  boolean: "bool",
  array: "list",
  tuple: "list",
  dict: "dict",
  any: "str",
};

export const plain = (text: string) =>
  text
    .replace(/[ ,./\-_*^]/g, "")
    .toLowerCase()
    .replaceAll("'", '"');
const plainValue = (value: Value) => (typeof value === "string" ? plain(value) : value);

function answerType(answers: readonly Value[]): string | null {
  const first = answers.find((answer) => answer !== "");
  return first === undefined ? null : pyType(first);
}

type Wanted = { want: string; nested: string | null };

function typeCheck(
  param: string,
  value: Value,
  answers: Value,
  { want, nested }: Wanted,
): TypeVerdict {
  const answered = Array.isArray(answers) ? answerType(answers) : null;
  const variable = answered !== null && answered !== want;
  if (pyType(value) === want) {
    if (nested === null) return { ok: true, variable };
    const items = Array.isArray(value) ? value : [];
    const inner: Wanted = { want: nested, nested: null };
    const fits = (item: Value) =>
      !Array.isArray(item) || items.every((one) => typeCheck(param, one, item, inner).ok);
    if (Array.isArray(answers) && answers.some(fits)) return { ok: true, variable };
    return no("type_error:nested", `${param}: wanted ${want} of ${nested}, got ${shown(value)}`);
  }
  if (answered !== null && pyType(value) === answered) return { ok: true, variable: true };
  const of = nested === null ? "" : ` of ${nested}`;
  return no("type_error:simple", `${param}: wanted ${want}${of}, got ${shown(value)}`);
}

function objectFault(
  param: string,
  out: { [key: string]: Value },
  answer: { [key: string]: Value },
): Verdict {
  for (const [key, value] of Object.entries(out)) {
    const allowed = answer[key];
    if (!Object.hasOwn(answer, key) || !Array.isArray(allowed))
      return no("value_error:dict_key", `${param}: unexpected key ${key}`);
    if (!isIn(plainValue(value), allowed.map(plainValue)))
      return no(
        "value_error:dict_value",
        `${param}.${key}: ${shown(value)} not in ${shown(allowed)}`,
      );
  }
  for (const [key, allowed] of Object.entries(answer)) {
    const optional = Array.isArray(allowed) && allowed.includes("");
    if (!Object.hasOwn(out, key) && !optional)
      return no("value_error:dict_key", `${param}: missing key ${key}`);
  }
  return fine;
}

function dictCheck(param: string, out: Value, answers: readonly Value[]): Verdict {
  let verdict: Verdict = no("dict_checker:unclear", "");
  if (!isObject(out)) return verdict;
  for (const answer of answers) {
    if (!isObject(answer)) continue;
    verdict = objectFault(param, out, answer);
    if (verdict.ok) return verdict;
  }
  return verdict;
}

function listDictCheck(param: string, out: readonly Value[], answers: readonly Value[]): Verdict {
  let verdict: Verdict = no("list_dict_checker:unclear", "");
  for (const answer of answers) {
    if (typeof answer !== "string" && !Array.isArray(answer)) continue;
    if (out.length !== answer.length) {
      verdict = no("value_error:list_dict_count", `${param}: ${out.length} items`);
      continue;
    }
    const wanted = [...answer];
    const verdicts = out.map((one, at) => dictCheck(param, one, [wanted[at] ?? ""]));
    const fault = verdicts.find((one) => !one.ok);
    if (!fault) return fine;
    verdict = fault;
  }
  return verdict;
}

/** Null: the type has no way of its own, and equality decides. */
function valueCheck(
  param: string,
  value: Value,
  allowed: readonly Value[],
  wanted: Wanted,
): Verdict | null {
  const { want, nested } = wanted;
  if (want === "dict") return dictCheck(param, value, allowed);
  if (want === "list" && Array.isArray(value)) {
    if (nested === "dict") return listDictCheck(param, value, allowed);
    const given = value.map(plainValue);
    const same = (one: Value) =>
      (Array.isArray(one) || typeof one === "string") && equal(given, [...one].map(plainValue));
    if (allowed.some(same)) return fine;
    return no("value_error:list/tuple", `${param}: ${shown(value)} not in ${shown(allowed)}`);
  }
  if (want === "str" && typeof value === "string") {
    const same = (one: Value) => typeof one === "string" && plain(one) === plain(value);
    if (allowed.some(same)) return fine;
    return no("value_error:string", `${param}: ${shown(value)} not in ${shown(allowed)}`);
  }
  return null;
}

function argumentCheck(
  param: string,
  given: Value,
  described: Described,
  allowed: Value[],
): Verdict {
  const { type, items } = described.parameters.properties[param] ?? { type: "" };
  const want = pythonTypes[type] ?? "";
  const nested =
    type === "array" || type === "tuple" ? (pythonTypes[items?.type ?? ""] ?? null) : null;
  const asFloat = type === "float" && given instanceof Num && !given.float;
  const value = asFloat ? new Num(String(given.value), true) : given;
  const typed = typeCheck(param, value, allowed, { want, nested });
  if (!typed.ok) return typed;
  const verdict = typed.variable ? null : valueCheck(param, value, allowed, { want, nested });
  if (verdict) return verdict;
  if (isIn(value, allowed)) return fine;
  return no("value_error:others", `${param}: ${shown(value)} not in ${shown(allowed)}`);
}

/** `described` is the function that the answer names. */
export function check(
  call: { name: string; arguments: { [key: string]: Value } },
  described: Described,
  answer: GroundTruth,
): Verdict {
  const [allowed = {}] = Object.values(answer);
  const { properties, required = [] } = described.parameters;
  if (call.name !== described.name)
    return no("wrong_func_name", `${call.name} for ${described.name}`);
  const given = call.arguments;
  const missing = required.find((param) => !Object.hasOwn(given, param));
  if (missing !== undefined) return no("missing_required", missing);
  for (const [param, value] of Object.entries(given)) {
    const answers = Object.hasOwn(allowed, param) ? allowed[param] : undefined;
    if (!Object.hasOwn(properties, param) || !answers) return no("unexpected_param", param);
    const verdict = argumentCheck(param, value, described, answers);
    if (!verdict.ok) return verdict;
  }
  for (const [param, answers] of Object.entries(allowed))
    if (!Object.hasOwn(given, param) && !answers.includes(""))
      return no("missing_optional", `${param} (allowed ${shown(answers)})`);
  return fine;
}

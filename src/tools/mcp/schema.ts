// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A server's schema as a model may be given it: only what a schema may hold, short, and without traps.
import { Validator } from "@cfworker/json-schema";
import { tooDeep } from "../depth.ts";
import { compiled } from "../pattern.ts";
import { asRecord, type Schema } from "../schema.ts";
import { within } from "../within.ts";
import { oneLine } from "./one-line.ts";

/** Characters of JSON; a prompt has no place for more. */
const largest = 100_000;
const deepest = 24;
const longestDescription = 120;
/** Milliseconds. */
const longestCheck = 20;

const typeWords = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const numbers = new Set(
  [
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength",
    "minItems maxItems minContains maxContains minProperties maxProperties",
  ]
    .join(" ")
    .split(" "),
);
const maps = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const inner = new Set(
  [
    "items additionalProperties additionalItems unevaluatedProperties unevaluatedItems",
    "contains propertyNames not if then else",
  ]
    .join(" ")
    .split(" "),
);

const isText = (value: unknown): value is string => typeof value === "string";

/** Without one that was written for another language, the server checks. */
const isPattern = (value: unknown): value is string => isText(value) && compiled(value) !== null;

/** A keyword's value, or undefined for what says nothing to a model or cannot be checked. */
function keyword(name: string, value: unknown, depth: number): unknown {
  if (maps.has(name)) {
    const entries = Object.entries(asRecord(value))
      .filter(([key]) => name !== "patternProperties" || isPattern(key))
      .filter(([key]) => key !== "__proto__");
    return Object.fromEntries(entries.map(([key, one]) => [key, cleaned(one, depth + 1)]));
  }
  if (lists.has(name)) {
    const all = Array.isArray(value) ? value.map((one) => cleaned(one, depth + 1)) : [];
    return all.length > 0 ? all : undefined;
  }
  if (inner.has(name)) return cleaned(value, depth + 1);
  if (numbers.has(name)) return Number.isFinite(value) ? value : undefined;
  switch (name) {
    case "type": {
      const words = Array.isArray(value) ? value : [value];
      const known = words.length > 0 && words.every((word) => typeWords.has(word));
      return known ? value : undefined;
    }
    case "description":
      return isText(value) && value.trim() !== "" ? oneLine(value, longestDescription) : undefined;
    case "pattern":
      return isPattern(value) ? value : undefined;
    case "required":
      return Array.isArray(value) ? value.filter(isText) : undefined;
    case "enum":
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case "format":
    case "$ref":
      return isText(value) ? value : undefined;
    case "uniqueItems":
      return typeof value === "boolean" ? value : undefined;
    case "const":
    case "default":
      return value;
    default:
      return undefined;
  }
}

function cleaned(schema: unknown, depth: number): unknown {
  if (schema === false) return false;
  const kept: Record<string, unknown> = {};
  if (depth > deepest) return kept;
  for (const [name, value] of Object.entries(asRecord(schema))) {
    // The older way to write a list of schemas by place.
    const place = name === "items" && Array.isArray(value) ? "prefixItems" : name;
    const good = keyword(place, value, depth);
    if (good !== undefined) kept[place] = good;
  }
  return kept;
}

/** What a reference inside the schema leads to; undefined for every other reference. */
function target(root: Schema, reference: unknown): unknown {
  let next = reference;
  let here: unknown;
  // A chain of references that is longer than this turns in a circle.
  for (let hops = 0; isText(next) && hops < 10; hops += 1) {
    if (next !== "#" && !next.startsWith("#/")) return undefined;
    here = root;
    for (const part of next.split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      here = Array.isArray(here) ? here[Number(name)] : asRecord(here)[name];
    }
    next = asRecord(here).$ref;
  }
  return next === undefined ? here : undefined;
}

/** Takes out references that lead nowhere: the validator throws at them. */
function withoutLooseEnds(part: unknown, root: Schema): unknown {
  if (Array.isArray(part)) return part.map((one) => withoutLooseEnds(one, root));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key, value]) => key !== "$ref" || !isText(value) || target(root, value))
      .map(([key, value]) => [key, values.has(key) ? value : withoutLooseEnds(value, root)]),
  );
}
const values = new Set(["enum", "const", "default"]);

/** These can make a short schema take for ever; without them a check takes as long as it is. */
const costly = /"(?:\$ref|pattern|patternProperties)":/;

/** Why the validator cannot work with a schema, or "": each property is tried once. */
function faultIn(schema: Schema): string {
  const names = Object.keys(asRecord(schema.properties));
  const check = () => {
    const validator = new Validator(structuredClone({ ...schema }), "2020-12", false);
    for (const value of ["", {}, [""]])
      validator.validate(Object.fromEntries(names.map((name) => [name, value])));
  };
  try {
    if (costly.test(JSON.stringify(schema))) within(longestCheck, check);
    else check();
    return "";
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

export const tooDeepFault = "its schema is nested too deeply";
const empty: Schema = { type: "object", properties: {} };

/** The schema of an object, whatever was sent; `fault` is "" or why its tool cannot be offered. */
export function offeredSchema(sent: unknown): { schema: Schema; fault: string } {
  const text = JSON.stringify(sent) ?? "";
  if (text.length > largest)
    return { schema: empty, fault: `its schema has ${text.length} characters` };
  const schema = tidied(sent);
  if (tooDeep(schema)) return { schema: empty, fault: tooDeepFault };
  const fault = faultIn(schema);
  return { schema, fault: fault && `its schema is faulty: ${oneLine(fault, 200)}` };
}

/** Only what a schema of an object may hold; whether it can be checked with is not looked at. */
export function tidied(sent: unknown): Schema {
  const rough = asRecord(cleaned(sent, 0));
  const led = asRecord(target(rough, rough.$ref));
  const { $ref: _, ...own } = rough;
  const { type, ...whole } = { ...led, ...own };
  const object = type === undefined || type === "object" || asArray(type).includes("object");
  if (!object) return empty;
  const { properties = {}, ...rest } = whole;
  const schema = { type: "object", properties, ...rest };
  return asRecord(withoutLooseEnds(schema, schema));
}

const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

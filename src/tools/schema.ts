// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The one place that turns short forms into JSON Schema, and takes a model's arguments kindly.

export type Schema = Readonly<Record<string, unknown>>;
export type Arguments = Record<string, unknown>;

/** A parameter in its short form, as TOML files and plugins write it. */
export type ShortParam = {
  type: string;
  description: string;
  required: boolean;
  default?: unknown;
  enum?: readonly unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
};

export type ShortParams = Readonly<Record<string, Partial<ShortParam> & { desc?: string }>>;

/**
 * Words for types and what they are in JSON Schema. `month` is ours, and the format "time" wants seconds
 * and a time zone, which nobody says: both become patterns.
 */
export const types: Record<string, Schema> = {
  string: { type: "string" },
  integer: { type: "integer" },
  int: { type: "integer" },
  number: { type: "number" },
  float: { type: "number" },
  boolean: { type: "boolean" },
  bool: { type: "boolean" },
  date: { type: "string", format: "date" },
  time: { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$" },
  month: { type: "string", pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$" },
};
export const typeNames = Object.keys(types);
export const formatNames = ["date", "time", "month"];

/** Longest text that a tool which sends words out of the machine may be given, unless its file says more. */
export const sendLength = 200;

/** An object's JSON Schema from short forms, required properties first (a model writes those first). */
export function objectSchema(
  params: Readonly<Record<string, ShortParam>>,
  { sends = false } = {},
): Schema {
  const names = Object.keys(params);
  const required = names.filter((name) => params[name]?.required);
  const order = [...required, ...names.filter((name) => !required.includes(name))];
  const properties: Record<string, Schema> = {};
  for (const name of order) {
    const param = params[name];
    if (param) properties[name] = property(param, sends);
  }
  return { type: "object", properties, required, additionalProperties: false };
}

function property(param: ShortParam, sends: boolean): Schema {
  const { type, description, required: _, default: fallback, format, ...bounds } = param;
  const base = { ...types[type], ...(format !== undefined && types[format]) };
  const bounded = sends && base.type === "string" && !bounds.enum && bounds.maxLength === undefined;
  return {
    ...base,
    ...(description !== "" && { description }),
    ...bounds,
    ...(bounded && { maxLength: sendLength }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

/** JSON Schema as it is given, or made from short forms; texts of a sending tool are bounded in both. */
export function wholeSchema(given: Schema | ShortParams, { sends = false } = {}): Schema {
  if (typeof given.type === "string" || Object.hasOwn(given, "$ref")) {
    const schema: Schema = given;
    return sends ? asRecord(bounded(schema)) : schema;
  }
  const params: Record<string, ShortParam> = {};
  for (const [name, about] of Object.entries(given)) {
    const { desc, ...param } = asRecord(about);
    params[name] = { type: "string", required: false, description: `${desc ?? ""}`, ...param };
  }
  return objectSchema(params, { sends });
}

/** Every text without a bound of its own gets one, also where the schema does not say what stands there. */
function bounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bounded);
  if (schema === true) return { maxLength: sendLength };
  if (typeof schema !== "object" || schema === null) return schema;
  const inner: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    const named = byName.has(key) && Object.entries(asRecord(value));
    if (named) inner[key] = Object.fromEntries(named.map(([name, one]) => [name, bounded(one)]));
    else inner[key] = within.has(key) ? bounded(value) : value;
  }
  if (Object.hasOwn(inner, "properties")) inner.additionalProperties ??= bounded(true);
  const { type, enum: choices, const: only, maxLength } = inner;
  const kinds = Array.isArray(type) ? type : [type];
  const elsewhere = ["$ref", "anyOf", "oneOf", "allOf"].some((key) => Object.hasOwn(inner, key));
  const text = type === undefined ? !elsewhere : kinds.includes("string");
  const open = text && choices === undefined && only === undefined && maxLength === undefined;
  return open ? { ...inner, maxLength: sendLength } : inner;
}

/** Keywords that hold schemas, and those that hold them by names. */
const within = new Set([
  ..."items prefixItems additionalProperties unevaluatedProperties anyOf oneOf allOf".split(" "),
  ..."then else contains".split(" "),
]);
const byName = new Set(
  "properties patternProperties $defs definitions dependentSchemas".split(" "),
);

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const digits = /^[+-]?\d+$/;
const empty = (value: unknown) => value === undefined || value === null || value === "";

/** A value as its property's type has it, when it can be understood so; otherwise as it came. */
export function kindly(value: unknown, schema: Record<string, unknown>): unknown {
  const { type, enum: choices } = schema;
  if (type === "string" && (typeof value === "number" || typeof value === "boolean"))
    return JSON.stringify(value);
  if (typeof value !== "string") return value;
  const text = value.trim();
  if ((type === "number" || type === "integer") && decimal.test(text)) {
    const number = Number(text);
    // An integer that would lose digits stays a text, which is then no integer.
    const exact = type === "number" || !digits.test(text) || Number.isSafeInteger(number);
    return Number.isFinite(number) && exact ? number : value;
  }
  if (type === "boolean" && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (Array.isArray(choices) && !choices.includes(value)) {
    const same = choices.filter(
      (choice) => typeof choice === "string" && choice.toLowerCase() === text.toLowerCase(),
    );
    if (same.length === 1) return same[0];
  }
  return value;
}

/**
 * Takes arguments kindly: null, "" and absent are the same (then the default, else absent), numbers
 * and texts stand for each other, unknown arguments are dropped where the schema knows its properties.
 */
export function takeKindly(schema: Schema, args: Arguments): Arguments {
  const properties = asRecord(schema.properties);
  const taken: Arguments = {};
  // In the schema's order: that of the writer could say something of its own.
  const names = Object.keys(properties).filter((name) => Object.hasOwn(args, name));
  const others = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  for (const name of [...names, ...others]) {
    const value = args[name];
    const known = Object.hasOwn(properties, name);
    if (empty(value) || (!known && schema.additionalProperties === false)) continue;
    if (name === "__proto__") continue; // would not become a property
    taken[name] = known ? kindly(value, asRecord(properties[name])) : value;
  }
  for (const [name, about] of Object.entries(properties)) {
    const fallback = asRecord(about).default;
    if (!Object.hasOwn(taken, name) && fallback !== undefined) taken[name] = fallback;
  }
  return taken;
}

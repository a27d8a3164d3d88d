// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The one place that turns short forms into JSON Schema, and takes a model's arguments kindly.
import { type OutputUnit, Validator } from "@cfworker/json-schema";

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

/** Words for types and what they are in JSON Schema; `month` is ours, so it becomes a pattern. */
const types: Record<string, Schema> = {
  string: { type: "string" },
  integer: { type: "integer" },
  int: { type: "integer" },
  number: { type: "number" },
  float: { type: "number" },
  boolean: { type: "boolean" },
  bool: { type: "boolean" },
  date: { type: "string", format: "date" },
  time: { type: "string", format: "time" },
  month: { type: "string", pattern: "^[0-9]{4}-(0[1-9]|1[0-2])$" },
};
export const typeNames = Object.keys(types);
export const formatNames = ["date", "time", "month"];

/** Longest text that a tool which sends words out of the machine may be given, unless its file says more. */
const sendLength = 200;

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

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

const empty = (value: unknown) => value === undefined || value === null || value === "";

/** A value as its property's type has it, when it can be understood so; otherwise as it came. */
function kindly(value: unknown, schema: Record<string, unknown>): unknown {
  const { type, enum: choices } = schema;
  if (type === "string" && (typeof value === "number" || typeof value === "boolean"))
    return JSON.stringify(value);
  if (typeof value !== "string") return value;
  const text = value.trim();
  if ((type === "number" || type === "integer") && text !== "" && Number.isFinite(Number(text)))
    return Number(text);
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
  for (const [name, value] of Object.entries(args)) {
    const known = Object.hasOwn(properties, name);
    if (empty(value) || (!known && schema.additionalProperties === false)) continue;
    taken[name] = known ? kindly(value, asRecord(properties[name])) : value;
  }
  for (const [name, about] of Object.entries(properties)) {
    const fallback = asRecord(about).default;
    if (!Object.hasOwn(taken, name) && fallback !== undefined) taken[name] = fallback;
  }
  return taken;
}

const validators = new WeakMap<Schema, Validator>();

/**
 * What is wrong with arguments that were taken kindly: "<param>: <what>", or null. A missing required
 * argument counts only when asked for: a tool is then called with it empty, and says so itself.
 */
export function faultOf(schema: Schema, args: Arguments, { missing = false } = {}): string | null {
  if (missing) {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const absent = required.find((name) => !Object.hasOwn(args, name));
    if (absent !== undefined) return `${absent}: is missing`;
  }
  let validator = validators.get(schema);
  if (!validator) {
    validator = new Validator({ ...schema, required: [] }, "2020-12", true);
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(args);
  if (valid) return null;
  // The outer units only repeat that something inside is wrong; the last one says what.
  const unit = errors.at(-1);
  return unit ? sentence(unit, schema) : "arguments: do not fit the schema";
}

function sentence({ instanceLocation, keyword, error }: OutputUnit, schema: Schema): string {
  const path = instanceLocation.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const param = path[0] === "" ? "arguments" : path.join(".");
  const about = asRecord(asRecord(schema.properties)[path[0] ?? ""]);
  const bound = about[keyword];
  const words: Record<string, string> = {
    type: `must be ${String(about.type).startsWith("i") ? "an" : "a"} ${about.type}`,
    enum: `must be one of ${Array.isArray(bound) ? bound.join(", ") : bound}`,
    minimum: `must be at least ${bound}`,
    maximum: `must be at most ${bound}`,
    maxLength: `must be at most ${bound} characters long`,
    minLength: `must be at least ${bound} characters long`,
    format: `must be a ${bound}${bound === "date" ? " (YYYY-MM-DD)" : ""}`,
    pattern: bound === types.month?.pattern ? "must be a month (YYYY-MM)" : `must match ${bound}`,
  };
  return `${param}: ${(path.length === 1 && bound !== undefined && words[keyword]) || error}`;
}

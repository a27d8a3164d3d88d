// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Checks arguments against a tool's schema, and says in one sentence what is wrong with them.
import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { type Arguments, asRecord, type Schema, types } from "./schema.ts";
import { within } from "./within.ts";

/** Milliseconds; nobody else has a turn meanwhile. */
const longestCheck = 100;

/** Keywords that only say that something inside them is wrong. */
const outer = new Set([
  ..."properties patternProperties additionalProperties unevaluatedProperties items".split(" "),
  ..."prefixItems additionalItems unevaluatedItems allOf if $ref dependentSchemas".split(" "),
]);

const validators = new WeakMap<Schema, Validator>();

function validatorOf(schema: Schema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  // A copy, since the validator leaves marks in what it is given.
  const copy = structuredClone({ ...schema, required: [] });
  const validator = new Validator(copy, "2020-12", true);
  validators.set(schema, validator);
  return validator;
}

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
  let units: OutputUnit[];
  try {
    const validator = validatorOf(schema);
    units = within(longestCheck, () => validator.validate(args).errors);
  } catch (cause) {
    // The validator throws at a schema that is none; those of plugins and servers are written by others.
    const why = cause instanceof Error ? cause.message : String(cause);
    return `arguments: cannot be checked, the tool's schema is faulty: ${why}`;
  }
  const unit = innermost(units);
  if (!unit) return null;
  const path = segments(unit.instanceLocation);
  return `${path.length === 0 ? "arguments" : path.join(".")}: ${sentence(unit, schema, args)}`;
}

/** The first unit that says what is wrong itself. */
function innermost(units: readonly OutputUnit[]): OutputUnit | undefined {
  const at = units.findIndex(({ keyword }) => !outer.has(keyword));
  const unit = units[at];
  if (!unit) return units[0];
  if (!["anyOf", "oneOf"].includes(unit.keyword)) {
    // What may stand there says more than of what type it is.
    const choice = ({ keyword, instanceLocation }: OutputUnit) =>
      keyword === "enum" && instanceLocation === unit.instanceLocation;
    return (unit.keyword === "type" && units.find(choice)) || unit;
  }
  const branches = Map.groupBy(
    units.slice(at + 1).filter((one) => one.keywordLocation.startsWith(`${unit.keywordLocation}/`)),
    (one) => one.keywordLocation.slice(unit.keywordLocation.length + 1).split("/")[0],
  );
  // Where only one of the alternatives is of the value's kind, it is the one that was meant.
  const fitting = [...branches.values()].filter(
    (branch) =>
      !branch.some(
        ({ keyword, instanceLocation }) =>
          instanceLocation === unit.instanceLocation && ["type", "const", "enum"].includes(keyword),
      ),
  );
  const [meant] = fitting;
  return fitting.length === 1 && meant ? (innermost(meant) ?? unit) : unit;
}

/** The names in a JSON pointer as the validator writes it. */
function segments(pointer: string): string[] {
  const [, ...names] = pointer.split("/");
  return names.map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What stands at a place of a schema; a reference on the way is followed. */
function schemaAt(root: unknown, names: readonly string[]): unknown {
  let here = root;
  for (const name of names) {
    here = Array.isArray(here) ? here[Number(name)] : asRecord(here)[name];
    if (name !== "$ref" || typeof here !== "string") continue;
    here = here.startsWith("#/") ? schemaAt(root, segments(here)) : undefined;
  }
  return here;
}

const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const listed = (value: unknown) => (Array.isArray(value) ? value : [value]).map(written).join(", ");
const counted = (count: unknown, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`;

function kind(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map((name) =>
    name === "null" ? "null" : `${/^[aio]/.test(`${name}`) ? "an" : "a"} ${name}`,
  );
  return names.join(" or ");
}

/** An alternative of anyOf in words, or null when it takes more than a few. */
function alternative(schema: unknown): string | null {
  const { type, enum: choices, const: only, ...rest } = asRecord(schema);
  if (choices !== undefined) return `one of ${listed(choices)}`;
  if (only !== undefined) return written(only);
  return type !== undefined && Object.keys(rest).every((key) => key === "description")
    ? kind(type)
    : null;
}

function sentence(unit: OutputUnit, schema: Schema, args: Arguments): string {
  const { keyword, keywordLocation, instanceLocation, error } = unit;
  if (keyword === "false") return "is not known here";
  const bound = schemaAt(schema, segments(keywordLocation));
  if (bound === undefined) return error;
  switch (keyword) {
    case "type":
      return `must be ${kind(bound)}`;
    case "enum":
      return `must be one of ${listed(bound)}`;
    case "const":
      return `must be ${written(bound)}`;
    case "minimum":
      return `must be at least ${bound}`;
    case "maximum":
      return `must be at most ${bound}`;
    case "exclusiveMinimum":
      return `must be more than ${bound}`;
    case "exclusiveMaximum":
      return `must be less than ${bound}`;
    case "multipleOf":
      return `must be a multiple of ${bound}`;
    case "maxLength":
      return `must be at most ${counted(bound, "character")} long`;
    case "minLength":
      return `must be at least ${counted(bound, "character")} long`;
    case "maxItems":
      return `must have at most ${counted(bound, "item")}`;
    case "minItems":
      return `must have at least ${counted(bound, "item")}`;
    case "uniqueItems":
      return "must not have the same item twice";
    case "not":
      return "is not allowed";
    case "format":
      return bound === "date" ? "must be a date (YYYY-MM-DD)" : `must have the format ${bound}`;
    case "pattern":
      if (bound === types.month?.pattern) return "must be a month (YYYY-MM)";
      return bound === types.time?.pattern ? "must be a time (HH:MM)" : `must match ${bound}`;
    case "required": {
      const value = asRecord(schemaAt(args, segments(instanceLocation)));
      const absent = Array.isArray(bound) && bound.find((name) => !Object.hasOwn(value, name));
      return absent ? `${absent} is missing` : error;
    }
    case "anyOf":
    case "oneOf": {
      const words = Array.isArray(bound) ? bound.map(alternative) : [null];
      return words.includes(null)
        ? "fits none of the allowed forms"
        : `must be ${words.join(" or ")}`;
    }
    default:
      return error;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The JSON Schema that forces a first reply: one tool with its arguments, or none.
import type { ToolSchema } from "../../../message.ts";
import { recordOf } from "../../json.ts";
import { datedAs, daySchema, monthSchema } from "./days.ts";
import { resolved } from "./references.ts";

type Schema = Record<string, unknown>;

/** Without bounds small models write lists and texts that never end. */
const most = {
  text: 300,
  longText: 2000,
  items: 10,
  moreItems: 50,
  depth: 6,
  properties: 40,
  choices: 200,
};

/** Text forms that llama-server's grammar knows; it ignores others without a word. */
const formats = new Set(["time", "date-time", "uuid"]);

/** What a choice may be, for the tools in their order; `none` is the name for no tool. */
export function pickSchema(
  tools: readonly ToolSchema[],
  { today, none }: { today: Date; none: string },
): Schema {
  const choice = (name: string, args: Schema | null): Schema => ({
    type: "object",
    properties: { tool: { const: name }, ...(args && { arguments: args }) },
    required: args ? ["tool", "arguments"] : ["tool"],
    additionalProperties: false,
  });
  const choices = tools.map(({ name, parameters }) => {
    const forcing = new Forcing(parameters, today);
    return choice(name, hasParameters(parameters) ? forcing.schema(parameters) : null);
  });
  return { anyOf: [...choices, choice(none, null)] };
}

/** A choice of the tool has arguments beside its name. */
export function hasParameters(parameters: Schema): boolean {
  const properties = recordOf(parameters.properties);
  if (properties) return Object.keys(properties).length > 0;
  return parameters.additionalProperties !== false;
}

/** One tool's schema with only what a grammar can force; the registry checks the rest. */
class Forcing {
  readonly #root: Schema;
  readonly #today: Date;

  constructor(root: Schema, today: Date) {
    this.#root = root;
    this.#today = today;
  }

  schema(given: unknown, depth = 0): Schema {
    const about = resolved(given, this.#root);
    if (depth > most.depth) return {};
    const inner = (one: unknown) => this.schema(one, depth + 1);
    if (Object.hasOwn(about, "const")) return { const: about.const };
    const choices = Array.isArray(about.enum) ? about.enum.slice(0, most.choices) : [];
    if (choices.length > 0) return { enum: choices };
    const some = [about.anyOf, about.oneOf].find((list) => Array.isArray(list) && list.length > 0);
    if (Array.isArray(some)) return alternatives(some.map(inner));
    const { allOf } = about;
    if (Array.isArray(allOf) && allOf.length > 0)
      return inner({ ...about, allOf: undefined, ...merged(allOf) });
    if (Array.isArray(about.type))
      return alternatives(about.type.map((type) => inner({ ...about, type })));
    return this.#typed(about, inner);
  }

  #typed(about: Schema, inner: (one: unknown) => Schema): Schema {
    switch (about.type ?? (about.properties ? "object" : about.items ? "array" : null)) {
      case "string":
        return this.#text(about);
      case "integer":
        return { type: "integer", ...bounds(about) };
      case "number":
        return { type: "number" };
      case "boolean":
        return { type: "boolean" };
      case "null":
        return { type: "null" };
      case "array":
        return {
          type: "array",
          items: inner(about.items),
          ...(isCount(about.minItems) && { minItems: Math.min(about.minItems, most.moreItems) }),
          maxItems: Math.min(isCount(about.maxItems) ? about.maxItems : most.items, most.moreItems),
        };
      case "object":
        return this.#object(about, inner);
      default:
        return {};
    }
  }

  #object(about: Schema, inner: (one: unknown) => Schema): Schema {
    const named = Object.entries(recordOf(about.properties) ?? {});
    if (named.length === 0) return { type: "object" };
    const names = new Set(named.map(([name]) => name));
    const wanted = Array.isArray(about.required) ? about.required : [];
    const required = wanted.filter((name) => typeof name === "string" && names.has(name));
    // A model writes what is needed first, while it still has the question in mind.
    const order = [
      ...named.filter(([name]) => required.includes(name)),
      ...named.filter(([name]) => !required.includes(name)),
    ].slice(0, Math.max(most.properties, required.length));
    const properties = Object.fromEntries(order.map(([name, one]) => [name, inner(one)]));
    return { type: "object", properties, required, additionalProperties: false };
  }

  #text(about: Schema): Schema {
    const dated = datedAs(about);
    if (dated !== null) return dated === "day" ? daySchema(this.#today) : monthSchema();
    const { pattern, format } = about;
    if (typeof pattern === "string") {
      const known = forcible(pattern);
      if (known !== null) return { type: "string", pattern: known };
    }
    if (typeof format === "string" && formats.has(format)) return { type: "string", format };
    const longest = isCount(about.maxLength) ? Math.min(about.maxLength, most.longText) : most.text;
    const least = isCount(about.minLength) ? Math.min(about.minLength, longest) : 0;
    return { type: "string", ...(least > 0 && { minLength: least }), maxLength: longest };
  }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

/** Null is left out where there is something else: what is not known is not written. */
function alternatives(given: readonly Schema[]): Schema {
  const some = given.filter((one) => one.type !== "null" && one.const !== null);
  if (some.length === 0) return { type: "null" };
  return some.length === 1 ? (some[0] ?? {}) : { anyOf: some };
}

/** Objects of an allOf as one. */
function merged(parts: readonly unknown[]): Schema {
  const all = parts.map((part) => recordOf(part) ?? {});
  const properties = Object.assign({}, ...all.map((part) => recordOf(part.properties) ?? {}));
  const required = all.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  const some = Object.keys(properties).length > 0;
  return { ...Object.assign({}, ...all), ...(some && { properties, required }) };
}

/** Bounds of an integer, those that it may not reach turned into those that it may. */
function bounds(about: Schema): Schema {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = about;
  const least = typeof above === "number" ? Math.floor(above) + 1 : minimum;
  const greatest = typeof below === "number" ? Math.ceil(below) - 1 : maximum;
  return {
    ...(typeof least === "number" && { minimum: Math.ceil(least) }),
    ...(typeof greatest === "number" && { maximum: Math.floor(greatest) }),
  };
}

/** The pattern as a grammar can force it, or null: a whole one, with classes and no looking around. */
function forcible(pattern: string): string | null {
  if (!/^\^.*\$$/s.test(pattern) || pattern.length > 200) return null;
  const plain = pattern.replaceAll(/\\d/g, "[0-9]").replaceAll(/\\w/g, "[A-Za-z0-9_]");
  const classInClass = /\[[^\]]*\[(?:0-9|A-Za-z0-9_)\]/.test(plain);
  return classInClass || /\(\?|\\[a-zA-Z0-9]/.test(plain) ? null : plain;
}

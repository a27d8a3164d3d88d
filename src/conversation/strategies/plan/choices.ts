// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The JSON Schema that forces a first reply: one tool with its arguments, or none.
import type { ToolSchema } from "../../../message.ts";
import { recordOf } from "../../json.ts";
import { datedAs, daySchema, monthSchema } from "./days.ts";
import { forcible } from "./patterns.ts";
import { onlyOne, resolved } from "./references.ts";
import { type AskedAs, askedAs, orUnsaid, requiredOf } from "./unsaid.ts";

type Schema = Record<string, unknown>;

/** Without bounds small models write lists and texts that never end. */
const most = {
  text: 300,
  longText: 1900,
  items: 10,
  moreItems: 50,
  depth: 6,
  properties: 40,
  choices: 200,
  parts: 400,
};

/** How deep a part of a schema lies, and how many parts it may have: it may lead back to itself. */
type Space = { depth: number; room: number };
const whole: Space = { depth: 0, room: most.parts };
/** For one of so many parts inside. */
type Within = (one: unknown, count?: number) => Schema;

/** Text forms that llama-server's grammar knows; it ignores others without a word. */
const formats = new Set(["time", "date-time", "uuid"]);

/** What a choice may be, for the tools in their order; `none` are the names for no tool. */
export function pickSchema(
  tools: readonly ToolSchema[],
  { today, none }: { today: Date; none: readonly string[] },
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
  return { anyOf: [...choices, ...none.map((name) => choice(name, null))] };
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

  schema(given: unknown, { depth, room }: Space = whole): Schema {
    const about = resolved(given, this.#root);
    if (Object.hasOwn(about, "const")) return { const: about.const };
    const choices = Array.isArray(about.enum) ? about.enum.slice(0, most.choices) : [];
    if (choices.length > 0) return { enum: choices };
    const within = (one: unknown, count = 1) =>
      this.schema(one, { depth: depth + 1, room: (room - 1) / count });
    const deep = depth > most.depth || room < 1;
    const some = [about.anyOf, about.oneOf].find((list) => Array.isArray(list) && list.length > 0);
    if (Array.isArray(some))
      return deep ? {} : alternatives(some.map((one) => within(one, some.length)));
    const { allOf, type } = about;
    if (Array.isArray(allOf) && allOf.length > 0) {
      const all = allOf.map((one) => resolved(one, this.#root));
      return deep ? {} : within({ ...about, allOf: undefined, ...merged(all) });
    }
    if (Array.isArray(type))
      return deep
        ? {}
        : alternatives(type.map((one) => within({ ...about, type: one }, type.length)));
    return this.#typed(about, deep ? null : within);
  }

  /** `within`: for what lies inside; null: it is too deep for that. */
  #typed(about: Schema, within: Within | null): Schema {
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
        return within ? list(about, within) : {};
      case "object":
        return within ? this.#object(about, within) : {};
      default:
        return {};
    }
  }

  #object(about: Schema, within: Within): Schema {
    const named = Object.entries(recordOf(about.properties) ?? {});
    if (named.length === 0) return { type: "object" };
    const names = new Set(named.map(([name]) => name));
    const required = requiredOf(about).filter((name) => names.has(name));
    const all = named.map(([name, one]) => {
      const needed = required.includes(name);
      return { name, one, needed, asked: needed ? null : askedAs(onlyOne(one, this.#root)) };
    });
    // A model writes what is needed first, while it still has the question in mind.
    const isDate = ({ asked }: { asked: AskedAs | null }) => asked === "day" || asked === "month";
    const order = [
      ...all.filter(({ needed }) => needed),
      ...all.filter(isDate),
      ...all.filter((one) => !one.needed && !isDate(one)),
    ].slice(0, Math.max(most.properties, required.length));
    const properties = Object.fromEntries(
      order.map(({ name, one, asked }) => {
        const schema = within(one, order.length);
        return [name, asked === null ? schema : orUnsaid(asked, schema)];
      }),
    );
    const written = order.filter(({ needed, asked }) => needed || asked !== null);
    return {
      type: "object",
      properties,
      required: written.map(({ name }) => name),
      additionalProperties: false,
    };
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
    const least = isCount(about.minLength) ? Math.min(about.minLength, most.longText) : 0;
    const wanted = isCount(about.maxLength) ? Math.min(about.maxLength, most.longText) : most.text;
    const longest = Math.max(least, wanted);
    return { type: "string", ...(least > 0 && { minLength: least }), maxLength: longest };
  }
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

function list(about: Schema, within: Within): Schema {
  const least = isCount(about.minItems) ? Math.min(about.minItems, most.moreItems) : 0;
  const wanted = isCount(about.maxItems) ? Math.min(about.maxItems, most.moreItems) : most.items;
  return {
    type: "array",
    items: within(about.items),
    ...(least > 0 && { minItems: least }),
    maxItems: Math.max(least, wanted),
  };
}

/** Null is left out where there is something else: what is not known is not written. */
function alternatives(given: readonly Schema[]): Schema {
  const some = given.filter((one) => one.type !== "null" && one.const !== null);
  if (some.length === 0) return given.length === 0 ? {} : { type: "null" };
  return some.length === 1 ? (some[0] ?? {}) : { anyOf: some };
}

/** Objects of an allOf as one. */
function merged(parts: readonly unknown[]): Schema {
  const all = parts.map((part) => recordOf(part) ?? {});
  const properties = Object.fromEntries(
    all.flatMap((part) => Object.entries(recordOf(part.properties) ?? {})),
  );
  const required = all.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  const some = Object.keys(properties).length > 0;
  return { ...Object.assign({}, ...all), ...(some && { properties, required }) };
}

/** Bounds of an integer, those that it may not reach turned into those that it may. */
function bounds(about: Schema): Schema {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = about;
  const numbers = (some: unknown[]) => some.filter((one) => typeof one === "number");
  const from = Math.max(
    ...numbers([minimum]).map(Math.ceil),
    ...numbers([above]).map((one) => Math.floor(one) + 1),
  );
  const to = Math.min(
    ...numbers([maximum]).map(Math.floor),
    ...numbers([below]).map((one) => Math.ceil(one) - 1),
  );
  if (from > to) return {};
  // Of larger numbers a server's own reading may go wrong.
  return {
    ...(Number.isSafeInteger(from) && { minimum: from }),
    ...(Number.isSafeInteger(to) && { maximum: to }),
  };
}

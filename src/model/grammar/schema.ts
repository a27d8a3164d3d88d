// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A JSON Schema as a grammar for llama-server whose every text is compact JSON that passes the schema.
import { isRecord, type JsonRecord, recordAt } from "../json.ts";
import { either, Inexpressible, type Part, Rules, row, text } from "./gbnf.ts";
import { anyObject, anyValue, boolean, list, number, record, string } from "./json.ts";
import { formats, pattern } from "./pattern.ts";
import { integers } from "./range.ts";

const deepest = 32;
/** A larger one costs more to read than free whitespace does. */
const longest = 200_000;

const notes = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$schema",
  "$comment",
  "$defs",
  "definitions",
];
/** What each type can be held to; the words for another type say nothing about it. */
const words: Record<string, readonly string[]> = {
  string: ["minLength", "maxLength", "pattern", "format"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  number: [],
  boolean: [],
  null: [],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};
const known = new Set(["type", ...notes, ...Object.values(words).flat()]);

const made = new WeakMap<JsonRecord, string | null>();

/**
 * The grammar, or null when the schema has something that a grammar cannot hold exactly. Objects
 * with properties are closed, in their order; of `oneOf` any may be.
 * The same object is read once.
 */
export function grammarOf(schema: JsonRecord): string | null {
  const earlier = made.get(schema);
  if (earlier !== undefined) return earlier;
  const grammar = read(schema);
  made.set(schema, grammar);
  return grammar;
}

function read(schema: JsonRecord): string | null {
  try {
    const reader = new Reader(schema);
    const grammar = reader.whole();
    return grammar.length > longest ? null : grammar;
  } catch (thrown) {
    if (thrown instanceof Inexpressible) return null;
    throw thrown;
  }
}

class Reader {
  readonly #root: JsonRecord;
  readonly #rules = new Rules();
  /** By their pointer; null while it is read, when it would hold itself. */
  readonly #references = new Map<string, Part | null>();

  constructor(root: JsonRecord) {
    this.#root = root;
  }

  whole(): string {
    return this.#rules.write(this.#part(this.#root, 0));
  }

  #part(given: unknown, depth: number): Part {
    if (given === true) return anyValue(this.#rules);
    if (!isRecord(given) || depth > deepest) throw new Inexpressible("no schema");
    if (typeof given.$ref === "string") return this.#reference(given, given.$ref, depth);
    if (Object.hasOwn(given, "const")) return literals(given, [given.const], "const");
    if (Array.isArray(given.enum)) return literals(given, given.enum, "enum");
    for (const word of ["anyOf", "oneOf"]) {
      const some = given[word];
      if (!Array.isArray(some)) continue;
      onlyWords(given, [word]);
      if (some.length === 0) throw new Inexpressible(word);
      return either(...some.map((one) => this.#part(one, depth + 1)));
    }
    for (const word of Object.keys(given)) if (!known.has(word)) throw new Inexpressible(word);
    const { type } = given;
    if (Array.isArray(type) && type.length > 0)
      return either(...type.map((one) => this.#typed(given, one, depth)));
    return this.#typed(given, type ?? this.#typeOf(given), depth);
  }

  /** Some leave the type out where the words tell it. */
  #typeOf(given: JsonRecord): string {
    if (given.properties !== undefined) return "object";
    if (given.items !== undefined) return "array";
    onlyWords(given, []);
    return "any";
  }

  #typed(given: JsonRecord, type: unknown, depth: number): Part {
    switch (type) {
      case "any":
        return anyValue(this.#rules);
      case "string":
        return this.#once(given, "string", () => this.#string(given));
      case "integer":
        return this.#once(given, "integer", () => this.#rules.share(integer(given)));
      case "number":
        // Bounds on fractions are no matter of digits.
        for (const word of words.integer ?? [])
          if (given[word] !== undefined) throw new Inexpressible(word);
        return this.#rules.define(number);
      case "boolean":
        return boolean;
      case "null":
        return text("null");
      case "array":
        return this.#array(given, depth);
      case "object":
        return this.#object(given, depth);
      default:
        throw new Inexpressible("type");
    }
  }

  #once(given: JsonRecord, type: string, make: () => Part): Part {
    const bounds = (words[type] ?? []).map((word) => given[word]);
    return this.#rules.once(`${type} ${JSON.stringify(bounds)}`, make);
  }

  #array(given: JsonRecord, depth: number): Part {
    const item = this.#part(given.items ?? true, depth + 1);
    return list(this.#rules, item, counts(given, "minItems", "maxItems"));
  }

  #string(given: JsonRecord): Part {
    const bounds = (words.string ?? []).filter((word) => given[word] !== undefined);
    const formed = bounds.includes("pattern") || bounds.includes("format");
    if (!formed)
      return this.#rules.define(string(this.#rules, counts(given, "minLength", "maxLength")));
    const source = given.pattern ?? formats.get(String(given.format));
    // Two bounds at once are no matter of one rule.
    if (typeof source !== "string" || bounds.length > 1) throw new Inexpressible("string");
    return row(text('"'), pattern(source, this.#rules), text('"'));
  }

  #object(given: JsonRecord, depth: number): Part {
    const { additionalProperties: more, required = [] } = given;
    const properties = Object.entries(recordAt(given, "properties") ?? {});
    const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
    const needed = properties.filter(([name]) => isNeeded(name)).length;
    if (!Array.isArray(required) || new Set(required).size !== needed)
      throw new Inexpressible("required");
    if (properties.length === 0) {
      if (more === false) return text("{}");
      if (more === undefined || more === true) return anyObject(this.#rules);
      return record(this.#rules, this.#part(more, depth + 1));
    }
    if (more !== undefined && more !== false) throw new Inexpressible("additionalProperties");
    const fields = properties.map(([name, one]) => ({
      part: row(text(`${JSON.stringify(name)}:`), this.#rules.share(this.#part(one, depth + 1))),
      needed: isNeeded(name),
    }));
    return row(text("{"), this.#fields(fields), text("}"));
  }

  /** In their order; those that are not needed may be left out. */
  #fields(fields: readonly { part: Part; needed: boolean }[]): Part {
    // What follows the first field, and what follows where none has been written yet.
    let [after, first]: [Part, Part] = [text(""), text("")];
    for (const { part, needed } of fields.toReversed()) {
      const more = row(text(","), part, after);
      const begun = row(part, after);
      first = this.#rules.share(needed ? begun : either(begun, first));
      after = this.#rules.share(needed ? more : either(more, after));
    }
    return first;
  }

  /** Only inside the schema, and none that holds itself. */
  #reference(given: JsonRecord, pointer: string, depth: number): Part {
    onlyWords(given, ["$ref"]);
    const earlier = this.#references.get(pointer);
    if (earlier) return earlier;
    if (earlier === null || !pointer.startsWith("#/")) throw new Inexpressible(pointer);
    this.#references.set(pointer, null);
    let found: unknown = this.#root;
    for (const part of pointer.slice(2).split("/")) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    const part = this.#part(found, depth + 1);
    this.#references.set(pointer, part);
    return part;
  }
}

function onlyWords(given: JsonRecord, allowed: readonly string[]): void {
  const other = Object.keys(given).find((word) => !allowed.includes(word) && !notes.includes(word));
  if (other !== undefined) throw new Inexpressible(other);
}

/** Those values that have the schema's type, if it names one. */
function literals(given: JsonRecord, values: readonly unknown[], word: string): Part {
  onlyWords(given, [word, "type"]);
  const types = given.type === undefined ? null : [given.type].flat();
  const fits = (type: string): boolean =>
    types === null || types.includes(type) || (type === "integer" && fits("number"));
  const fitting = values.filter((value) => fits(typeOf(value)));
  if (fitting.length === 0) throw new Inexpressible(word);
  return either(...fitting.map((value) => text(JSON.stringify(value))));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function integer(given: JsonRecord): Part {
  const bounds = (word: string): number[] => {
    const value = given[word];
    if (value === undefined) return [];
    if (typeof value !== "number" || !Number.isFinite(value)) throw new Inexpressible(word);
    return [value];
  };
  const least = [
    ...bounds("minimum").map(Math.ceil),
    ...bounds("exclusiveMinimum").map((value) => Math.floor(value) + 1),
  ];
  const most = [
    ...bounds("maximum").map(Math.floor),
    ...bounds("exclusiveMaximum").map((value) => Math.ceil(value) - 1),
  ];
  const part = integers(
    least.length > 0 ? Math.max(...least) : null,
    most.length > 0 ? Math.min(...most) : null,
  );
  if (part === null) throw new Inexpressible("no such number");
  return part;
}

function counts(given: JsonRecord, fewest: string, greatest: string) {
  const count = (word: string, otherwise: number): number => {
    const value = given[word] ?? otherwise;
    if (typeof value !== "number" || value < 0) throw new Inexpressible(word);
    return value;
  };
  const least = count(fewest, 0);
  const most = count(greatest, Number.POSITIVE_INFINITY);
  if (!Number.isInteger(least) || (Number.isFinite(most) && !Number.isInteger(most)))
    throw new Inexpressible(fewest);
  if (least > most) throw new Inexpressible(greatest);
  return { least, most };
}

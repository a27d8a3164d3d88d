// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Whether the grammar of a schema accepts what a validator accepts.
import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { grammarOf } from "../../src/model/grammar/schema.ts";
import { readGrammar } from "../support/gbnf.ts";

export type Schema = Record<string, unknown>;

/** The same numbers each time: a test that fails fails again. */
function picker(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

export function grammar(schema: Schema) {
  const source = grammarOf(schema);
  assert.ok(source, `no grammar: ${JSON.stringify(schema)}`);
  return readGrammar(source);
}

/** The grammar's verdict on the values as compact JSON is the validator's, and its own texts pass. */
export function agree(schema: Schema, values: readonly unknown[] = []): void {
  const made = grammar(schema);
  const judge = new Validator(schema as object, "2020-12");
  for (const value of values) {
    const json = JSON.stringify(value);
    assert.equal(made.accepts(json), judge.validate(value).valid, json);
  }
  const pick = picker(7);
  for (let count = 0; count < 150; count += 1) {
    const json = made.example(pick);
    assert.ok(judge.validate(JSON.parse(json)).valid, `${json} of ${JSON.stringify(schema)}`);
    assert.ok(made.accepts(json), json);
  }
}

export const span = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
export const integer = (minimum?: number, maximum?: number): Schema => ({
  type: "integer",
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});
export const closed = (properties: Schema, required: string[] = []): Schema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
export const of = (pattern: string): Schema => ({ type: "string", pattern });

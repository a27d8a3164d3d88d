// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// References inside a tool's own JSON Schema, followed to what they stand for.
import { recordOf } from "../../json.ts";

type Schema = Record<string, unknown>;

/** More steps than this are a circle. */
const mostSteps = 6;

/** A part of a schema without a reference at its top; one that leads nowhere allows anything. */
export function resolved(part: unknown, root: Schema): Schema {
  let about = recordOf(part) ?? {};
  for (let step = 0; typeof about.$ref === "string"; step += 1) {
    if (step > mostSteps) return {};
    let found: unknown = about.$ref.startsWith("#") ? root : null;
    for (const key of about.$ref.split("/").slice(1))
      found = at(found, decoded(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    about = withDefault(recordOf(found) ?? {}, about);
  }
  return about;
}

/**
 * A part as what a value of it is, when it can be only one thing: what it refers to, the one
 * alternative beside null, and a list that is written as alternatives. A part that leaves a choice is given as it is.
 */
export function onlyOne(part: unknown, root: Schema, depth = 0): Schema {
  const about = resolved(part, root);
  const lists = [about.anyOf, about.oneOf, about.allOf].filter(Array.isArray);
  const some = lists.flat().filter((one) => !isNull(resolved(one, root)));
  const choices = some.map((one) => choicesOf(resolved(one, root)));
  if (choices.length > 1 && !about.allOf && choices.every((one) => one !== null))
    return { ...about, anyOf: undefined, oneOf: undefined, enum: choices.flat() };
  if (some.length !== 1 || depth >= mostSteps) return about;
  return withDefault(onlyOne(some[0], root, depth + 1), about);
}

/** A default stands beside what it is for. */
const withDefault = (about: Schema, outer: Schema): Schema =>
  outer.default === undefined ? about : { ...about, default: outer.default };

const choicesOf = (about: Schema): unknown[] | null => {
  if (Object.hasOwn(about, "const")) return [about.const];
  return Array.isArray(about.enum) ? about.enum : null;
};

const isNull = (about: Schema) => about.type === "null" || about.const === null;

const at = (value: unknown, key: string): unknown =>
  Array.isArray(value) ? value[Number(key)] : recordOf(value)?.[key];

/** A reference is part of an address, so its keys may be written as there. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (fault) {
    if (fault instanceof URIError) return key;
    throw fault;
  }
}

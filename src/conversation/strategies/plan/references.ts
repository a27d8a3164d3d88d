// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// References inside a tool's own JSON Schema, followed to what they stand for.
import { recordOf } from "../../json.ts";

type Schema = Record<string, unknown>;

/** More steps than this are a circle. */
const mostSteps = 6;

/** A part of a schema without a reference at its top; one that leads nowhere allows anything. */
export function resolved(part: unknown, root: Schema): Schema {
  const given = recordOf(part) ?? {};
  let about = given;
  for (let step = 0; typeof about.$ref === "string"; step += 1) {
    if (step > mostSteps) return {};
    let found: unknown = about.$ref.startsWith("#") ? root : null;
    for (const key of about.$ref.split("/").slice(1))
      found = at(found, decoded(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    about = recordOf(found) ?? {};
  }
  return withDefault(about, given);
}

/**
 * A part as what a value of it is, when it can be only one thing: what it refers to, and the one
 * alternative beside null. A part that leaves a choice is given as it is.
 */
export function onlyOne(part: unknown, root: Schema, depth = 0): Schema {
  const about = resolved(part, root);
  const lists = [about.anyOf, about.oneOf, about.allOf].filter(Array.isArray);
  const some = lists.flat().filter((one) => !isNull(resolved(one, root)));
  if (some.length !== 1 || depth >= mostSteps) return about;
  return withDefault(onlyOne(some[0], root, depth + 1), about);
}

/** A default stands beside what it is for. */
const withDefault = (about: Schema, outer: Schema): Schema =>
  about === outer || outer.default === undefined ? about : { ...about, default: outer.default };

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

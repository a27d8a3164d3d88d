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
    about = recordOf(found) ?? {};
  }
  return about;
}

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

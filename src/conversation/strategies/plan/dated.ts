// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Arguments with their days and months put otherwise, wherever the tool's schema has one.
import { recordOf } from "../../json.ts";
import { datedAs } from "./days.ts";
import { resolved } from "./references.ts";

type Schema = Record<string, unknown>;
type Change = (text: string, as: "day" | "month") => string;

/** Schemas may lead back to themselves. */
const deepest = 12;

/** The value, with every text changed for which the schema (or one of its alternatives) wants a date. */
export function dated(
  value: unknown,
  part: unknown,
  { root, change }: { root: Schema; change: Change },
  depth = 0,
): unknown {
  if (depth > deepest) return value;
  const about = resolved(part, root);
  const inner = (one: unknown, of: unknown) => dated(one, of, { root, change }, depth + 1);
  let made = value;
  for (const list of [about.anyOf, about.oneOf, about.allOf])
    if (Array.isArray(list)) for (const one of list) made = inner(made, one);
  if (typeof made === "string") {
    const as = datedAs(about);
    return as === null ? made : change(made, as);
  }
  if (Array.isArray(made)) return made.map((one) => inner(one, about.items));
  const record = recordOf(made);
  const properties = recordOf(about.properties);
  if (!record || !properties) return made;
  return Object.fromEntries(
    Object.entries(record).map(([name, one]) => [
      name,
      Object.hasOwn(properties, name) ? inner(one, properties[name]) : one,
    ]),
  );
}

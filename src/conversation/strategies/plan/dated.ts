// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Arguments with their days and months put otherwise, wherever the tool's schema has one.
import { recordOf } from "../../json.ts";
import { datedAs } from "./days.ts";
import { onlyOne, resolved } from "./references.ts";
import { isUnsaidChoice, requiredOf } from "./unsaid.ts";

type Schema = Record<string, unknown>;
/** Null: it is left out. */
type Change = (text: string, as: "day" | "month") => string | null;

/** Schemas may lead back to themselves, and in many ways at once. */
const most = { depth: 12, steps: 2000 };

/**
 * The value, with every text changed for which the schema (or one of its alternatives) wants a date, and
 * without the choices that were not said.
 */
export function dated(value: unknown, root: Schema, change: Change): unknown {
  let steps = 0;
  const inner = (given: unknown, part: unknown, depth: number): unknown => {
    steps += 1;
    if (depth > most.depth || steps > most.steps) return given;
    const about = resolved(part, root);
    let made = given;
    for (const list of [about.anyOf, about.oneOf, about.allOf])
      if (Array.isArray(list)) for (const one of list) made = inner(made, one, depth + 1);
    if (typeof made === "string") {
      const as = datedAs(about);
      return as === null ? made : change(made, as);
    }
    if (Array.isArray(made)) return made.map((one) => inner(one, about.items, depth + 1));
    const record = recordOf(made);
    const properties = recordOf(about.properties);
    if (!record || !properties) return made;
    const required = requiredOf(about);
    return Object.fromEntries(
      Object.entries(record).flatMap(([name, one]) => {
        if (!Object.hasOwn(properties, name)) return [[name, one]];
        const isOptional = !required.includes(name);
        if (isOptional && isUnsaidChoice(one, onlyOne(properties[name], root))) return [];
        const changed = inner(one, properties[name], depth + 1);
        return changed === null && one !== null ? [] : [[name, changed]];
      }),
    );
  };
  return inner(value, root, 0);
}

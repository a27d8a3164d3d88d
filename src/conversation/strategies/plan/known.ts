// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which arguments of a choice the person has really said, and which have to be asked for.
import type { ToolSchema } from "../../../message.ts";
import { recordOf } from "../../json.ts";

type Arguments = Record<string, unknown>;

const requiredOf = ({ parameters }: ToolSchema): string[] =>
  Array.isArray(parameters.required)
    ? parameters.required.filter((name) => typeof name === "string")
    : [];

/** Written where a value should stand, and none. */
const isBlank = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && /^[\s?…._-]*$/.test(value));

/** What is needed and not there, as "name (what it is)". */
export function absent(tool: ToolSchema, args: Arguments): string[] {
  const properties = recordOf(tool.parameters.properties) ?? {};
  return requiredOf(tool)
    .filter((name) => isBlank(args[name]))
    .map((name) => {
      const description = recordOf(properties[name])?.description;
      return typeof description === "string" && description !== ""
        ? `${name} (${description})`
        : name;
    });
}

/** The arguments that stand, and what is missing. */
export function sift(
  args: Arguments,
  tool: ToolSchema,
  _said: () => string,
): { known: Arguments; missing: string[] } {
  const required = requiredOf(tool);
  const known = Object.fromEntries(
    Object.entries(args).filter(([name, value]) => !required.includes(name) || !isBlank(value)),
  );
  return { known, missing: absent(tool, known) };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tool as a model is shown it: whole, for the tools array of a request, or as one plain line.
import type { ToolSchema } from "../message.ts";
import { asRecord } from "./schema.ts";
import type { WholeTool } from "./tool.ts";

type Shown = Pick<WholeTool, "name" | "description" | "parameters">;

/** As a chat request offers it. */
export const schemaOf = ({ name, description, parameters }: Shown): ToolSchema => ({
  name,
  description,
  parameters: { ...parameters },
});

/** "calendar(start: date, days?: integer): what it tells": name, arguments, purpose. */
export function lineOf({ name, description, parameters }: Shown): string {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const args = Object.entries(asRecord(parameters.properties)).map(([param, about]) => {
    const { type, format, enum: choices } = asRecord(about);
    const kind = Array.isArray(choices)
      ? choices.map(String).join("|")
      : String(format ?? (Array.isArray(type) ? type.join("|") : (type ?? "any")));
    return `${param}${required.includes(param) ? "" : "?"}: ${kind}`;
  });
  return `${name}(${args.join(", ")}): ${description}`;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The 300 tools as schemas, as they are or blown up to the size that generated servers have.
import type { ToolSchema } from "../../../src/message.ts";
import { home } from "./home.ts";
import { work } from "./work.ts";

const linesOf = (text: string) => text.trim().split("\n");

function toolOf(line: string): ToolSchema {
  const [name = "", description = "", params = ""] = line.split("|").map((part) => part.trim());
  const required: string[] = [];
  const properties: Record<string, unknown> = {};
  for (const part of params.split(",").map((text) => text.trim())) {
    const [, param, mark, type, about] = /^(\w+)(!?) (\w+) ?(.*)$/.exec(part) ?? [];
    if (!param) continue;
    if (mark) required.push(param);
    properties[param] = { type, ...(about && { description: about }) };
  }
  return { name, description, parameters: { type: "object", properties, required } };
}

/** What a server that was made from a description of a service adds to every tool. */
const baggage: Record<string, unknown> = {
  request_context: {
    type: "object",
    description: `Optional. ${"Passed on with the request as it is and not looked at. ".repeat(14)}`,
    properties: {
      trace: { type: "string", description: "Identifies the request across services. ".repeat(6) },
      tenant: {
        type: "string",
        description: "Which tenant is meant, if there are any. ".repeat(6),
      },
    },
  },
  fields_mask: {
    type: "array",
    items: { type: "string" },
    description: `Optional. ${"Bounds what comes back to the fields that are named here. ".repeat(8)}`,
  },
};

export const manyTools: readonly ToolSchema[] = [...linesOf(work), ...linesOf(home)].map(toolOf);

/** The same, each with about 2 kB of schema. */
export const bigTools: readonly ToolSchema[] = manyTools.map((tool) => ({
  ...tool,
  parameters: {
    ...tool.parameters,
    properties: { ...Object(tool.parameters.properties), ...baggage },
  },
}));

/** What is said, and the names any of which is right. */
export const casesOf = (text: string) =>
  linesOf(text).map((line) => {
    const [said = "", names = ""] = line.split(" | ");
    return { said: said.trim(), right: names.trim().split("|") };
  });

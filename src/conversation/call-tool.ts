// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The one tool by which a model reaches those that found no room in its prompt.
import type { ToolSchema } from "../message.ts";
import type { ModelCall } from "../model/model.ts";
import { parseRecord, recordOf } from "./json.ts";

/** It is called otherwise where a tool of the person's own has that name. */
export function reachName(taken: (name: string) => boolean): string {
  let name = "call_tool";
  while (taken(name)) name += "_by_name";
  return name;
}

export const callTool = (name: string): ToolSchema => ({
  name,
  description: "Calls a tool that is not in this list, by its name",
  parameters: {
    type: "object",
    properties: {
      name: { type: "string", description: "the tool's name" },
      arguments: { type: "object", description: "its arguments by name" },
    },
    required: ["name", "arguments"],
  },
});

/** The call that is meant: what stands inside a call of `reach`, else the call itself. */
export function meantCall(call: ModelCall, reach: string): ModelCall {
  if (call.name !== reach || !call.whole) return call;
  const outer = parseRecord(call.arguments);
  if (!outer || typeof outer.name !== "string") return call;
  const { arguments: given } = outer;
  // Small models write the inner arguments as a text, or beside the name.
  const { name: _, arguments: __, ...beside } = outer;
  const inner = typeof given === "string" ? given : JSON.stringify(recordOf(given) ?? beside);
  return { ...call, name: outer.name.trim(), arguments: inner };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The choice in a first reply, whatever stands around it where a server forces no schema.
import type { Reply } from "../../../model/model.ts";
import { parseRecord, recordOf } from "../../json.ts";
import { jsonEnd } from "../json-text.ts";

type Choice = { name: string; args: Record<string, unknown> };

/** A choice that lies deeper in a text is none; it also keeps the search short. */
const most = { characters: 10_000, openings: 50 };

const thoughts = /^\s*<think>.*?<\/think>/s;

/** Some servers take a choice for a call of their own kind. */
export function choiceOf({ text, calls: [call] }: Reply): Choice | null {
  const found = choiceIn(text);
  if (found || !call?.whole) return found;
  return { name: call.name, args: parseRecord(call.arguments) ?? {} };
}

/** The first whole object that names a tool; null when there is none. */
export function choiceIn(text: string): Choice | null {
  const given = text.slice(0, most.characters).replace(thoughts, "");
  let from = given.indexOf("{");
  for (let tried = 0; from >= 0 && tried < most.openings; tried += 1) {
    const end = jsonEnd(given, from);
    const found = typeof end === "number" ? parseRecord(given.slice(from, end)) : null;
    const choice = found && asChoice(found);
    if (choice) return choice;
    from = given.indexOf("{", from + 1);
  }
  return null;
}

function asChoice(found: Record<string, unknown>): Choice | null {
  const { tool, name, arguments: given, parameters, ...beside } = found;
  const named = tool ?? name;
  if (typeof named !== "string") return null;
  // Unforced, models write arguments as a text, or beside the name.
  const written = given ?? parameters ?? (tool === undefined ? {} : beside);
  const args = typeof written === "string" ? parseRecord(written) : recordOf(written);
  return { name: named.trim(), args: args ?? {} };
}

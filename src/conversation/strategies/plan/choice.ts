// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The choice in a first reply, whatever stands around it where a server forces no schema.
import type { Reply } from "../../../model/model.ts";
import { parseRecord, recordOf } from "../../json.ts";
import { jsonEnd } from "../json-text.ts";

type Choice = { name: string; args: Record<string, unknown> };

/** A choice that lies deeper in a text is none; it also keeps the search short. */
const most = { characters: 10_000, openings: 50 };

/** A template may have opened them in the prompt, and a reply that was cut off may hold nothing else. */
const thoughts = /^\s*<think>.*?(?:<\/think>|$)|^(?!\s*(?:```\w*\s*)?[{[]).*?<\/think>/s;

/** Some servers take a choice for a call of their own kind. `names` are those that it may be. */
export function choiceOf(
  { text, calls: [call] }: Reply,
  names: ReadonlySet<string>,
): Choice | null {
  const found = choiceIn(text, names);
  if (found || !call?.whole) return found;
  return { name: call.name, args: parseRecord(call.arguments) ?? {} };
}

/** The first whole object that names one of `names` as a tool; null when there is none. */
export function choiceIn(text: string, names: ReadonlySet<string>): Choice | null {
  const given = text.replace(thoughts, "").slice(0, most.characters);
  let from = given.indexOf("{");
  for (let tried = 0; from >= 0 && tried < most.openings; tried += 1) {
    const end = jsonEnd(given, from);
    // What stands inside of a choice that was cut off is a part of it.
    if (end === "open") return null;
    const found = end === "broken" ? null : parseRecord(given.slice(from, end));
    const choice = found && asChoice(found);
    if (choice && names.has(choice.name)) return choice;
    const whole = end !== "broken" && found !== null && isChoice(found);
    from = given.indexOf("{", whole ? end : from + 1);
  }
  return null;
}

/** What stands inside of it are arguments, and no choice. */
const isChoice = (found: object) =>
  ["tool", "arguments", "parameters"].some((key) => Object.hasOwn(found, key));

function asChoice(found: Record<string, unknown>): Choice | null {
  const { tool, name, arguments: given, parameters, ...beside } = found;
  const named = tool ?? name;
  if (typeof named !== "string") return null;
  // Unforced, models write arguments as a text, or beside the name.
  const written = given ?? parameters ?? (tool === undefined ? {} : beside);
  const args = typeof written === "string" ? parseRecord(written) : recordOf(written);
  return { name: named.trim(), args: args ?? {} };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A call that a model wrote as its whole answer, instead of using the server's tool calls.
import { randomUUID } from "node:crypto";
import type { ModelCall } from "../../model/model.ts";
import { meantCall } from "../call-tool.ts";
import { parseRecord, recordOf } from "../json.ts";
import type { OfferedTool } from "./strategy.ts";

/** What may stand around the one JSON object. Qwen2.5-Coder also takes the tag of its tool list. */
const tags = ["tool_call", "tools"];
const openTag = /^<(?:tool_call|tools)>\s*/;
const wrappings: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [openTag, /\s*<\/(?:tool_call|tools)>$/],
  [/^```[a-z_]*\s*/, /\s*```$/],
];

function unwrap(text: string): string {
  let inner = text.trim();
  for (const [open, close] of wrappings) {
    if (open.test(inner) && close.test(inner)) inner = inner.replace(open, "").replace(close, "");
  }
  // Qwen2.5-Coder's template shows calls as {{"name": …}}, and the model does as it was shown.
  return /^\{\s*\{.*\}\s*\}$/s.test(inner) ? inner.slice(1, -1).trim() : inner;
}

/** The object's fields as a call, when it has a call's fields and no others. */
function callFields(
  value: Record<string, unknown>,
): { name: string; args: Record<string, unknown> } | null {
  const { name, arguments: given, parameters, ...others } = value;
  if (typeof name !== "string" || Object.keys(others).some((key) => key !== "type" && key !== "id"))
    return null;
  const raw = given ?? parameters ?? {};
  const args = typeof raw === "string" ? parseRecord(raw) : recordOf(raw);
  return args && { name, args };
}

/**
 * The call, if the whole text (unfenced) is exactly one JSON object that names an offered tool which
 * changes nothing and whose schema its arguments pass; otherwise null. For a call by name this is asked
 * of the tool inside. A call quoted inside a longer text is text, and so is one that could not be held
 * back from the screen.
 */
export function rescue(text: string, offered: readonly OfferedTool[]): ModelCall | null {
  if (!mayBeCall(text, offered)) return null;
  const value = parseRecord(unwrap(text));
  const written = value && callFields(value);
  const outer = written && offered.find((one) => one.name === written.name.trim());
  if (!outer) return null;
  const call: ModelCall = {
    id: `call_${randomUUID()}`,
    name: outer.name,
    arguments: JSON.stringify(written.args),
    whole: true,
  };
  const meant = outer.reach ? meantCall(call, outer.name) : call;
  const tool = offered.find((one) => one.name === meant.name);
  const args = parseRecord(meant.arguments);
  if (!tool || tool.reach || tool.effect === "change" || !args) return null;
  return tool.fault(args) === null ? call : null;
}

/** Longer than any call that a schema with bounds allows, in UTF-16 units. */
const longestCall = 8000;
/** A call's first key is one of these; anything else is JSON that the person asked for. */
const firstKeys = ['"name"', '"arguments"', '"parameters"', '"type"', '"id"'];
const openings = ["```", ...tags.map((tag) => `<${tag}>`)];
const closings = tags.flatMap((tag) => [`\`\`\`</${tag}>`, `</${tag}>`]);
const startsAlike = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);

/** What stands behind the object that the text begins with; null while it is still open. */
function afterObject(text: string): string | null {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{") depth += 1;
    else if (char === "}") {
      depth -= 1;
      if (depth === 0) return text.slice(at + 1);
    }
  }
  return null;
}

/** True while the text so far may still become exactly one call, so that it is not shown yet. */
export function mayBeCall(text: string, offered: readonly OfferedTool[]): boolean {
  if (offered.length === 0 || text.length > longestCall) return false;
  const start = text.trimStart();
  if (openings.some((opening) => opening.startsWith(start))) return true;
  const body = start.replace(openTag, "").replace(/^```[a-z_]*\s*/, "");
  if (body === "") return true;
  if (!body.startsWith("{")) return false;
  const keys = body.replace(/^\{\s*\{?/, "").trimStart();
  if (!firstKeys.some((key) => startsAlike(key, keys))) return false;
  const rest = afterObject(body)?.replaceAll(/\s+/g, "");
  return rest === undefined || closings.some((closing) => closing.startsWith(rest));
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A server's list of tools, read with care: one bad entry never hides the others.
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { asRecord, type Schema } from "../schema.ts";
import { oneLine } from "./one-line.ts";
import { offeredSchema, tooDeepFault } from "./schema.ts";

const longestDescription = 300;
const longestName = 256;
/** Millions of characters that the schemas of one server may have; they are kept, and read at each start. */
const mostTogether = 2;
/** Milliseconds; then others have their turn. */
const oneStep = 20;

/** Fingerprints of what the server said, in full, whatever of it is offered. */
export type Marks = { description: string; parameters: string };

export type Listed = {
  /** As the server calls it. */
  name: string;
  description: string;
  parameters: Schema;
  marks: Marks;
  /** Why it cannot be offered, or "". */
  fault: string;
};

/** The same for the same value, in whatever order its keys came. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return { of: entries.map(([key, inner]) => [key, sorted(inner)]) };
}

function markOf(value: unknown): string {
  const text = JSON.stringify(sorted(value)) ?? "";
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

export const sameMarks = (one: Marks, other: Marks) =>
  one.description === other.description && one.parameters === other.parameters;

/** What a model is told of it: its description, else its title, else its name. */
function wordsOf(name: string, sent: Record<string, unknown>): string {
  const { description, title } = sent;
  for (const text of [description, title])
    if (typeof text === "string" && oneLine(text, longestDescription) !== "") return text;
  return name;
}

function read(sent: Record<string, unknown>, name: string): Listed {
  const words = wordsOf(name, sent);
  const about = { name, description: oneLine(words, longestDescription) || "(no description)" };
  try {
    const { schema, fault } = offeredSchema(sent.inputSchema);
    const marks = { description: markOf(words), parameters: markOf(sent.inputSchema ?? null) };
    return { ...about, parameters: schema, marks, fault };
  } catch (thrown) {
    // Nested beyond what can be walked: JSON knows no bound, the stack does.
    if (!(thrown instanceof RangeError)) throw thrown;
    const parameters = { type: "object", properties: {} };
    const marks = { description: markOf(words), parameters: "" };
    return { ...about, parameters, marks, fault: tooDeepFault };
  }
}

/** Entries without a usable name are left out; two of one name are no tool unless they are the same. */
export async function readList(entries: readonly unknown[]): Promise<Listed[]> {
  const tools = new Map<string, Listed>();
  let together = 0;
  let since = performance.now();
  for (const entry of entries) {
    const sent = asRecord(entry);
    const { name } = sent;
    if (typeof name !== "string" || name === "" || name.length > longestName) continue;
    const tool = read(sent, name);
    if (tool.fault === "") together += JSON.stringify(tool.parameters).length;
    const before = tools.get(name);
    if (before && !sameMarks(before.marks, tool.marks))
      tools.set(name, { ...tool, fault: "the server lists two of this name" });
    else if (tool.fault === "" && together > mostTogether * 1_000_000)
      tools.set(name, { ...tool, fault: tooMuch });
    else tools.set(name, tool);
    if (performance.now() - since < oneStep) continue;
    await nextTurn();
    since = performance.now();
  }
  return [...tools.values()];
}

const tooMuch = `the server's schemas have more than ${mostTogether} million characters together`;

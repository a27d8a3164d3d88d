// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A list that a server sent, put beside what is known of it: what is new, changed, gone, or as it was.
import { asRecord, type Schema } from "../schema.ts";
import { type Listed, type Marks, sameMarks } from "./listed.ts";
import type { Seen, Shelf } from "./remembered.ts";

/** Tools that are gone are forgotten beyond this many, oldest first. */
const mostGone = 500;

export type News = { kind: "new"; tool: Seen } | { kind: "changed"; tool: Seen; what: string };

export const isChanged = ({ marks, accepted }: Seen) => !sameMarks(marks, accepted);

/** "its description and its parameters" */
export function changeOf({ marks, accepted }: { marks: Marks; accepted: Marks }): string {
  const parts = [
    ...(marks.description === accepted.description ? [] : ["its description"]),
    ...(marks.parameters === accepted.parameters ? [] : ["its parameters"]),
  ];
  return parts.join(" and ");
}

/** The names of parameters that are not as they were. */
function parametersChanged(before: Schema, after: Schema): string[] {
  const [old, now] = [asRecord(before.properties), asRecord(after.properties)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
}

/**
 * `shelf` is what is known of this very server, or null when it is seen for the first time: then all
 * of its tools are accepted, since the person has just written it into the file. `wanted` are the
 * tools that the person listed, or null for all.
 */
export function shelve(options: {
  shelf: Shelf | null;
  fingerprint: string;
  listed: readonly Listed[];
  wanted: readonly string[] | null;
}): { shelf: Shelf; news: News[] } {
  const { shelf, fingerprint, listed, wanted } = options;
  const known = new Map(shelf?.tools.map((tool) => [tool.name, tool]));
  const news: News[] = [];
  const tools: Seen[] = [];
  for (const { fault, ...one } of listed) {
    if (fault !== "" || (wanted && !wanted.includes(one.name))) continue;
    const old = known.get(one.name);
    const tool: Seen = { ...one, accepted: old?.accepted ?? one.marks, present: true };
    tools.push(tool);
    known.delete(one.name);
    if (!old && shelf && !wanted) news.push({ kind: "new", tool });
    const told = old && sameMarks(old.marks, tool.marks);
    if (old && !told && isChanged(tool)) {
      const names = parametersChanged(old.parameters, tool.parameters).slice(0, 8).join(", ");
      const what = changeOf(tool) + (names && ` (${names})`);
      news.push({ kind: "changed", tool, what });
    }
  }
  const gone = [...known.values()].map((tool) => ({ ...tool, present: false }));
  // By name, whatever order the server is in the mood for.
  const sorted = tools.sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    shelf: { fingerprint, listed: true, tools: [...sorted, ...gone.slice(-mostGone)] },
    news,
  };
}

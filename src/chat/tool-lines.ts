// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools and the MCP servers as lines for people, and which of them have a fault.
import type { ServerItem, ToolItem } from "../message.ts";
import { cleanLine } from "./clean.ts";
import { type Line, span, style } from "./line.ts";
import { fit } from "./width.ts";
import { wrap } from "./wrap.ts";

export type Listed = { items: readonly ToolItem[]; servers: readonly ServerItem[] };

/** The person has to do something about it. What they left out themselves is no fault. */
const isFaulty = ({ state }: ToolItem | ServerItem) =>
  state === "broken" || state === "changed" || state === "failed";

/** Those with a fault, and those that are still not there when all was looked at. */
export function faultsOf({ items, servers }: Listed): Listed {
  const faulty = (item: ToolItem | ServerItem) => isFaulty(item) || item.state === "starting";
  const remarked = ({ remarks = [] }: ToolItem) => remarks.length > 0;
  return {
    items: items.filter((item) => faulty(item) || remarked(item)),
    servers: servers.filter(faulty),
  };
}

function whyLines(item: { error: string; hint: string }, columns: number): Line[] {
  return [item.error, item.hint]
    .map(cleanLine)
    .filter((text) => text !== "")
    .flatMap((text) => wrap([span(text, style.dim)], columns, { first: [span("    ")] }));
}

function toolLines(item: ToolItem, columns: number, widest: number): Line[] {
  const ready = item.state === "ready";
  const from = item.source === "mcp" ? `mcp ${item.from}` : item.source;
  const about = cleanLine([item.effect ?? "", from, item.state].filter(Boolean).join(", "));
  const name = cleanLine(item.name).padEnd(widest);
  const head: Line = [
    span(ready ? "· " : "! ", ready ? style.good : style.warn),
    span(name, style.bold),
    span(`  ${about}`, ready ? style.dim : style.warn),
  ];
  const room = Math.max(8, columns - widest - about.length - 6);
  head.push(span(fit(`  ${cleanLine(item.description)}`, room)));
  const remarks = (item.remarks ?? []).flatMap(({ message, hint }) =>
    whyLines({ error: message, hint }, columns),
  );
  // Of a ready tool it is what its last call failed with, which is told with that call.
  return [head, ...(ready ? [] : whyLines(item, columns)), ...remarks];
}

function serverLines(item: ServerItem, columns: number): Line[] {
  const ready = item.state === "ready";
  const tools = item.tools === 1 ? "1 tool" : `${item.tools} tools`;
  const text = cleanLine(`mcp server ${item.server}: ${item.state}, ${tools}`);
  const mark = span(ready ? "· " : "! ", ready ? style.good : style.warn);
  const look = ready ? style.dim : style.warn;
  return [[mark, span(fit(text, columns - 2), look)], ...(ready ? [] : whyLines(item, columns))];
}

/** Name, effect, source, state and description; of what is not ready why, and what to do. */
export function toolListLines({ items, servers }: Listed, columns: number): Line[] {
  const widest = Math.min(40, Math.max(0, ...items.map(({ name }) => cleanLine(name).length)));
  return [
    ...items.flatMap((item) => toolLines(item, columns, widest)),
    ...servers.flatMap((item) => serverLines(item, columns)),
  ];
}

/** "tools: 12 ready, 1 broken; servers: 1 failed", or null when nothing has a fault. */
export function faultCounts(listed: Listed): string | null {
  const { items, servers } = listed;
  if (![...items, ...servers].some(isFaulty)) return null;
  const parts = [
    ["tools", items],
    ["servers", servers],
  ] as const;
  return parts
    .filter(([, all]) => all.length > 0)
    .map(([what, all]) => `${what}: ${counted(all)}`)
    .join("; ");
}

function counted(all: readonly { state: string }[]): string {
  const counts = new Map<string, number>();
  for (const { state } of all) counts.set(state, (counts.get(state) ?? 0) + 1);
  return Array.from(counts, ([state, count]) => `${count} ${state}`).join(", ");
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Lists of conversations, hits and models as lines for people.
import type { Item, ModelItem } from "../protocol/events.ts";
import { size } from "./bar.ts";
import { cleanLine } from "./clean.ts";
import { type Line, type Span, span, style } from "./line.ts";
import { fit } from "./width.ts";

/** "today 14:05", "Mon 09:30", "2026-11-02"; both times in Unix seconds, in the local zone. */
export function when(seconds: number, now: number): string {
  const date = new Date(seconds * 1000);
  const day = (time: number) => new Date(time * 1000).toDateString();
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (day(seconds) === day(now)) return `today ${clock}`;
  if (seconds <= now && now - seconds < 6 * 86_400)
    return `${date.toDateString().slice(0, 3)} ${clock}`;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function itemLines(items: readonly Item[], columns: number, now: number): Line[] {
  const widest = Math.max(0, ...items.map((item) => String(item.id).length));
  return items.map((item) => {
    const head = `${String(item.id).padStart(widest)}  ${when(item.updated, now).padEnd(11)}  `;
    const title = cleanLine(item.title) || "(no title)";
    return [span(head, style.dim), span(fit(title, Math.max(8, columns - head.length)))];
  });
}

/** A snippet marks its matches with two stars. */
function marked(snippet: string): Span[] {
  return snippet.split("**").map((part, at) => span(part, at % 2 === 1 ? style.bold : style.none));
}

export function resultLines(
  items: readonly { id: number; title: string; snippet: string }[],
  columns: number,
): Line[] {
  return items.flatMap((item): Line[] => [
    [span(`${item.id}  `, style.dim), span(fit(cleanLine(item.title), columns - 10), style.bold)],
    [span("   "), ...marked(fit(cleanLine(item.snippet), columns + 4))],
  ]);
}

const text = (value: unknown) => (typeof value === "string" ? cleanLine(value) : "");

/** How a model calls tools, in a few words; "" when that is not known. */
function toolsWords(strategy: unknown): string {
  if (strategy === "native") return "calls tools itself";
  return strategy === "plan" ? "picks tools by plan" : "";
}

export function modelLines(items: readonly ModelItem[], columns: number): Line[] {
  const widest = Math.max(0, ...items.map((item) => item.model.length));
  return items.map((item) => {
    const bytes = typeof item.size === "number" && item.size > 0 ? size(item.size) : "";
    const { licence, good_for, strategy } = item;
    const about = [
      cleanLine(item.status),
      bytes,
      toolsWords(strategy),
      text(licence),
      text(good_for),
    ]
      .filter((part) => part !== "")
      .join(", ");
    const where = item.source === "engine" ? "" : `  ${cleanLine(item.source)}`;
    const name = cleanLine(item.model).padEnd(widest);
    return [
      span(item.used ? "* " : "  ", style.good),
      span(name, item.used ? style.bold : style.none),
      span(fit(`  ${about}${where}`, Math.max(8, columns - widest - 2)), style.dim),
    ];
  });
}

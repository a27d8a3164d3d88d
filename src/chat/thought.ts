// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is shown of a turn besides its answer: the thinking, folded or not, and the tools with their times.
import { duration } from "./bar.ts";
import { clean, cleanLine } from "./clean.ts";
import { type Line, span, style } from "./line.ts";
import { fit } from "./width.ts";
import { wrap } from "./wrap.ts";

export type ToolCall = {
  name: string;
  arguments: Record<string, unknown>;
  /** Absent while it runs. */
  ok?: boolean | undefined;
  text?: string | undefined;
  latencyMs?: number | undefined;
};

/** Lines of a result that are shown beside the answer; the rest comes with the unfolding. */
const resultLines = 3;

/** `hint` says how to see what is folded, where that can be done. */
export function foldedThought(thought: string, hint = ""): Line[] {
  const length = Array.from(thought.trim()).length;
  const shown = length === 1 ? "1 character" : `${length.toLocaleString("en")} characters`;
  return [[span(`Thought: ${shown}${hint}`, style.dim)]];
}

export function wholeThought(thought: string, columns: number): Line[] {
  return wrap([span(clean(thought).trim(), style.dim)], columns, {
    first: [span("│ ", style.dim)],
  });
}

function argumentsText(args: Record<string, unknown>): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

function toolHead(call: ToolCall, columns: number): string {
  return fit(cleanLine(`${call.name} ${argumentsText(call.arguments)}`), Math.max(8, columns));
}

/** A tool that runs; its time so far is not shown, so that nothing has to be drawn for it. */
export function runningTool(call: ToolCall, columns: number): Line {
  return [span("· ", style.warn), span(toolHead(call, columns - 6)), span(" …", style.dim)];
}

/** A tool that has ended: name, arguments, time, and the beginning of what the model read. */
export function endedTool(
  call: ToolCall,
  columns: number,
  options: { whole?: boolean; hint?: string } = {},
): Line[] {
  const time = call.latencyMs === undefined ? "" : `  ${duration(call.latencyMs)}`;
  const good = call.ok !== false;
  const head: Line = [
    span(good ? "· " : "! ", good ? style.good : style.bad),
    span(toolHead(call, columns - 2 - time.length)),
    span(time, style.dim),
  ];
  const text = clean(call.text ?? "").trim();
  if (text === "") return [head];
  const lines = wrap([span(text, good ? style.dim : style.bad)], columns, { first: [span("  ")] });
  if (options.whole || lines.length <= resultLines) return [head, ...lines];
  const left = lines.length - resultLines + 1;
  return [
    head,
    ...lines.slice(0, resultLines - 1),
    [span(`  … ${left} more lines${options.hint ?? ""}`, style.dim)],
  ];
}

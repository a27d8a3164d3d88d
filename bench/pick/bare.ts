// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The shortest way to a choice, without the daemon: one constrained request straight to the model server.
import type { ToolSchema } from "../../src/message.ts";
import { comingDays, isoDay } from "../../src/tools/day.ts";
import { headersFor, type Place } from "../place.ts";
import type { Case } from "./cases.ts";
import { clock, usualResult } from "./home.ts";
import type { Measured } from "./result.ts";

type Chat = { role: string; content: string }[];

const rules =
  "Answer in the language the person writes. Markdown is rendered: use lists, tables and fenced code when they help. Be as short as the question allows. Facts about the person's computer, devices, accounts, mail, calendar or money come only from a tool; if none can tell, say so. Never guess.";
const none =
  "- none: no tool. For small talk, thanks, writing, translating, explaining words or ideas, general advice.";
const order =
  'For each message, first pick one tool or none, as JSON: {"tool": name, "arguments": {...}}. Then, when told to, answer in plain text.';
const withResult =
  "Answer my question in plain text, with the names, dates and numbers of the result.";
const withoutTool = "No tool is needed. Answer me in plain text.";

function week(): string {
  const named = comingDays(new Date(clock)).map(
    (day) => `${day.toLocaleDateString("en", { weekday: "long" })} ${isoDay(day)}`,
  );
  return `Today is ${named[0]}. Next days: ${named.slice(1, 7).join(", ")}.`;
}

const parts = ({ parameters }: ToolSchema) => {
  const { properties, required } = parameters;
  const named = Object.entries<unknown>(Object(properties));
  return { named, needed: new Set<unknown>(Array.isArray(required) ? required : []) };
};

function kind(schema: unknown): string {
  const { enum: choices, format, type, minimum, maximum } = Object(schema);
  if (Array.isArray(choices)) return choices.join("|");
  return `${format ?? type}${minimum === undefined ? "" : ` ${minimum} to ${maximum}`}`;
}

function line(tool: ToolSchema): string {
  const { named, needed } = parts(tool);
  const shown = named.map(([name, schema]) => {
    const { description } = Object(schema);
    return `${name}${needed.has(name) ? "" : "?"}: ${kind(schema)}${description ? ` (${description})` : ""}`;
  });
  return `- ${tool.name}(${shown.join(", ")}): ${tool.description}`;
}

function choice(tool: ToolSchema): Record<string, unknown> {
  const { named, needed } = parts(tool);
  const ordered = [
    ...named.filter(([name]) => needed.has(name)),
    ...named.filter(([name]) => !needed.has(name)),
  ];
  const inner = {
    ...tool.parameters,
    properties: Object.fromEntries(ordered),
    additionalProperties: false,
  };
  return closed({ tool: { const: tool.name }, arguments: inner });
}

const closed = (properties: Record<string, unknown>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** One conversation after another; past results are replaced in what is sent later. */
export class Bare {
  readonly #place: Place;
  readonly #system: string;
  readonly #schema: Record<string, unknown>;
  #earlier: Chat = [];

  constructor(place: Place, tools: readonly ToolSchema[]) {
    this.#place = place;
    this.#system = `${rules}\n${week()}\n\nTools:\n${tools.map(line).join("\n")}\n${none}\n\n${order}`;
    this.#schema = { anyOf: [...tools.map(choice), closed({ tool: { const: "none" } })] };
  }

  fresh(): void {
    this.#earlier = [];
  }

  async ask({ question, result }: Pick<Case, "question" | "result">): Promise<Measured> {
    const asking = { role: "user", content: question };
    const messages = [{ role: "system", content: this.#system }, ...this.#earlier, asking];
    const json_schema = { name: "pick", schema: this.#schema };
    const pick = await this.#post({
      messages,
      max_tokens: 300,
      response_format: { type: "json_schema", json_schema },
    });
    const { tool, arguments: given } = Object(readPick(pick.text));
    const call =
      typeof tool === "string" && tool !== "none"
        ? { name: tool, arguments: { ...Object(given) } }
        : null;
    const returned = call && (result ?? usualResult(call.name));
    const picked = { role: "assistant", content: pick.text };
    const told = (text: string) => ({
      role: "user",
      content: call ? `Result of ${call.name}: ${text}\n${withResult}` : withoutTool,
    });
    const end = await this.#post({
      messages: [...messages, picked, told(returned ?? "")],
      max_tokens: 60,
    });
    const answered = { role: "assistant", content: end.text };
    this.#earlier.push(asking, picked, told("(shown to the user at the time)"), answered);
    const { ms, read, cached, output } = pick;
    return { call, answer: end.text, error: "", ms, read, cached, output, added: null };
  }

  async #post(body: Record<string, unknown>) {
    const begun = performance.now();
    const response = await fetch(`${this.#place.url}/chat/completions`, {
      method: "POST",
      headers: headersFor(this.#place),
      body: JSON.stringify({ temperature: 0, cache_prompt: true, ...body }),
    });
    const text = await response.text();
    const ms = performance.now() - begun;
    if (!response.ok) throw new Error(`the model server answers ${response.status}: ${text}`);
    const { choices, timings } = Object(JSON.parse(text));
    const { content } = Object(Object(Array.isArray(choices) ? choices[0] : null).message);
    const { prompt_n, cache_n, predicted_n } = Object(timings);
    const count = (value: unknown) => (typeof value === "number" ? value : null);
    return {
      text: String(content ?? ""),
      ms,
      read: count(prompt_n),
      cached: count(cache_n),
      output: count(predicted_n),
    };
  }
}

/** Null when the tokens ran out before the end. */
function readPick(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

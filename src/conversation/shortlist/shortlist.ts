// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools that fit a question among those that found no room in the list, as lines of text.
import type { ToolSchema } from "../../message.ts";
import { asRecord } from "../../tools/schema.ts";
import { Ranking } from "./ranking.ts";

/** So many are told with what they do; the later ones by name and needed arguments alone. */
const told = 6;
/** Most characters of a purpose, of a fixed list's choices, and of all arguments. */
const most = { purpose: 80, choices: 60, args: 120 };

/** A shortlist for each question; its words are looked up once. */
export class Shortlist {
  readonly #ranking: Ranking;
  readonly #reach: string;
  readonly #room: number;

  /** `reach` is the tool by which they are called, `room` the bytes that a shortlist may take. */
  constructor(tools: readonly ToolSchema[], { reach, room }: { reach: string; room: number }) {
    this.#ranking = new Ranking(tools);
    this.#reach = reach;
    this.#room = room;
  }

  /** Stands after the question; "" when nothing fits. */
  text(question: string, earlier: readonly string[]): string {
    const head = `\n\n[More tools that may fit, to be called by ${this.#reach} with name and arguments:`;
    let text = head;
    for (const [at, tool] of this.#ranking.rank(question, earlier).entries()) {
      const line = `\n${at < told ? wholeLine(tool) : signature(tool, { optional: false })}`;
      // A line that does not fit ends it: shorter ones after it fit the question less.
      if (Buffer.byteLength(`${text}${line}]`) > this.#room) break;
      text += line;
    }
    return text === head ? "" : `${text}]`;
  }
}

const wholeLine = (tool: ToolSchema) =>
  `${signature(tool, { optional: true })}: ${cut(unbracketed(tool.description), most.purpose)}`;

/** A server's words must not end the list and go on as if they were the person's. */
const unbracketed = (text: string) => text.replaceAll("[", "(").replaceAll("]", ")");

/** "play(query, device?: kitchen|hall)": a type is said when it is not a text; "…" for what is left out. */
function signature({ name, parameters }: ToolSchema, { optional }: { optional: boolean }): string {
  const properties = Object.entries(asRecord(parameters.properties));
  const needed = Array.isArray(parameters.required) ? parameters.required : [];
  const first = properties.filter(([param]) => needed.includes(param));
  const rest = properties.filter(([param]) => !needed.includes(param));
  let args = "";
  for (const [param, about] of optional ? [...first, ...rest] : first) {
    const next = `${args === "" ? "" : `${args}, `}${param}${needed.includes(param) ? "" : "?"}${kind(about)}`;
    if (next.length > most.args) return `${name}(${args}, …)`;
    args = next;
  }
  const left = !optional && rest.length > 0 ? `${args === "" ? "" : ", "}…` : "";
  return `${name}(${args}${left})`;
}

function kind(about: unknown): string {
  const { type, format, pattern, enum: choices } = asRecord(about);
  if (Array.isArray(choices)) return `: ${cut(choices.map(String).join("|"), most.choices)}`;
  const known = format ?? (Array.isArray(type) ? type.join("|") : type);
  if (typeof known !== "string" || (known === "string" && pattern === undefined)) return "";
  return `: ${known}`;
}

/** One line, cut between code points. */
function cut(text: string, length: number): string {
  const points = [...text.replaceAll(/\s+/g, " ").trim()];
  return points.length <= length ? points.join("") : `${points.slice(0, length - 1).join("")}…`;
}

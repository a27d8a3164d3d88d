// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A tool as a model is shown it: whole, for the tools array of a request, or as one plain line.
import type { ToolSchema } from "../message.ts";
import { asRecord } from "./schema.ts";
import type { WholeTool } from "./tool.ts";

type Shown = Pick<WholeTool, "name" | "description" | "parameters">;

/** As a chat request offers it. */
export const schemaOf = ({ name, description, parameters }: Shown): ToolSchema => ({
  name,
  description,
  parameters: { ...parameters },
});

/** Most characters of a purpose, of a fixed list's choices, of all arguments, of a name and of a type. */
const most = { purpose: 80, choices: 60, args: 120, name: 64, type: 40 };

/** Name, arguments and purpose: "calendar(start: date, days?: integer): Appointments of a day". */
export const lineOf = (tool: Shown): string =>
  `${signatureOf(tool)}: ${cut(unbracketed(tool.description), most.purpose)}`;

/** Name and purpose: "calendar: Appointments of a day". */
export const purposeOf = ({ name, description }: Shown): string =>
  `${name}: ${cut(description, entry.purpose)}`;

/** Most characters of a purpose and of what an argument is, in a list that a model chooses from. */
const entry = { purpose: 240, about: 100, args: 900 };

/**
 * Name, arguments with what they are, and purpose: "calendar(start?: date (first day)): Appointments".
 * `kindOf` may say otherwise what a parameter is, by its schema and the one that it stands in.
 */
export function entryOf(
  tool: Shown,
  kindOf: (about: Record<string, unknown>, root: Record<string, unknown>) => string | null,
): string {
  const purpose = cut(tool.description, entry.purpose);
  let args = "";
  for (const { name, about } of inOrder(tool)) {
    const { description } = about;
    const what = typeof description === "string" ? cut(description, entry.about) : "";
    const own = kindOf(about, tool.parameters);
    const type = own === null ? kind(about) + range(about) : `: ${own}`;
    const next = `${name}${type}${what && ` (${what})`}`;
    if (args.length + next.length > entry.args) return `${tool.name}(${args}, …): ${purpose}`;
    args += (args === "" ? "" : ", ") + next;
  }
  return `${tool.name}(${args}): ${purpose}`;
}

/** The parameters, needed ones first; the name of one that is not needed ends with "?". */
function inOrder({ parameters }: Shown) {
  const needed = Array.isArray(parameters.required) ? parameters.required : [];
  const all = Object.entries(asRecord(parameters.properties)).map(([param, about]) => {
    const required = needed.includes(param);
    const name = cut(param, most.name);
    return { name: required ? name : `${name}?`, about: asRecord(about), required };
  });
  return [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)];
}

function range({ minimum, maximum }: Record<string, unknown>): string {
  return typeof minimum === "number" && typeof maximum === "number"
    ? ` ${minimum} to ${maximum}`
    : "";
}

/** A server's words must not end the list and go on as if they were the person's. */
const unbracketed = (text: string) => text.replaceAll("[", "(").replaceAll("]", ")");

/** "play(query, device?: kitchen|hall)": a type is said when it is not a text; "…" for what is left out. */
export function signatureOf(tool: Shown, { optional = true } = {}): string {
  const all = inOrder(tool);
  const some = optional ? all : all.filter(({ required }) => required);
  let args = "";
  for (const { name, about } of some) {
    const next = `${args === "" ? "" : `${args}, `}${unbracketed(name + kind(about))}`;
    if (next.length > most.args) return `${tool.name}(${args}, …)`;
    args = next;
  }
  const left = some.length < all.length ? `${args === "" ? "" : ", "}…` : "";
  return `${tool.name}(${args}${left})`;
}

function kind({ type, format, pattern, enum: choices }: Record<string, unknown>): string {
  if (Array.isArray(choices)) return `: ${cut(choices.map(String).join("|"), most.choices)}`;
  const known = format ?? (Array.isArray(type) ? type.join("|") : type);
  if (typeof known !== "string" || (known === "string" && pattern === undefined)) return "";
  return `: ${cut(known, most.type)}`;
}

/** One line, cut between code points. */
function cut(text: string, length: number): string {
  const points = [...text.replaceAll(/\s+/g, " ").trim()];
  return points.length <= length ? points.join("") : `${points.slice(0, length - 1).join("")}…`;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a forced choice asks for although it may be left out, and the words by which it is left out.
import { datedAs } from "./days.ts";

/** The names that an object's schema requires. */
export const requiredOf = ({ required }: Readonly<Record<string, unknown>>): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];

/**
 * Asked for each, a small model leaves out nothing of a few words that was said. Measured on 65 questions
 * with a day or month in seven languages, after turns without arguments ("What do I have on Thursday?"):
 * 40 right when it may leave them out, 48 when it is asked.
 */
const unsaid = { day: "any day", month: "any month", choice: "any" } as const;
export type AskedAs = keyof typeof unsaid;

/** What of it is asked for: a day, a month, one of a list. Null: nothing, as where the tool tells what else holds. */
export function askedAs(about: Readonly<Record<string, unknown>>): AskedAs | null {
  const dated = datedAs(about);
  if (dated !== null) return dated;
  const list = Array.isArray(about.enum) ? about.enum.filter((one) => one !== null) : [];
  if (list.length === 0 || hasDefault(about)) return null;
  const taken = list.some((one) => String(one).toLowerCase() === unsaid.choice);
  return taken ? null : "choice";
}

/** Null as a default is none: what is not given. */
export const hasDefault = ({ default: value }: Readonly<Record<string, unknown>>) =>
  value !== undefined && value !== null;

/** A value's schema, with the word for "not said" before it. */
export const orUnsaid = (as: AskedAs, schema: object) => ({
  anyOf: [{ enum: [unsaid[as]] }, schema],
});

export const isUnsaid = (as: "day" | "month", text: string) => text === unsaid[as];

export const isUnsaidChoice = (value: unknown, about: Readonly<Record<string, unknown>>) =>
  value === unsaid.choice && askedAs(about) === "choice";

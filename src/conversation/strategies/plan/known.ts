// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which arguments of a choice the person has really said, and which have to be asked for.
import type { ToolSchema } from "../../../message.ts";
import { recordOf } from "../../json.ts";
import { datedAs } from "./days.ts";
import { onlyOne } from "./references.ts";
import { mayBeMistaken, type SaidDays, saidFor } from "./said-days.ts";
import { alike, wordsIn } from "./spoken.ts";
import { hasDefault, requiredOf } from "./unsaid.ts";

type Arguments = Record<string, unknown>;

/** Written where a value should stand, and none. */
const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === "string" && /^[\s?…]*$/.test(value));

/** What is needed and not there, as "name (what it is)". */
export function absent(tool: ToolSchema, args: Arguments): string[] {
  const properties = recordOf(tool.parameters.properties) ?? {};
  return requiredOf(tool.parameters)
    .filter((name) => isBlank(args[name]))
    .map((name) => {
      const description = recordOf(properties[name])?.description;
      return typeof description === "string" && description !== ""
        ? `${name} (${description})`
        : name;
    });
}

/**
 * Below this a value of which the person has said nothing counts as made up. Measured on 32 requests in
 * four languages to Qwen2.5-Coder 1.5B: the made-up values had from 0.13 to 0.76 ("John Doe", 10 minutes),
 * the rightly concluded ones 1.00 ("half an hour": 30, "seven": 07:00, Apple: AAPL).
 */
const sure = 0.8;

/** Of yes and no less than this is a guess. */
const sureOfYes = 0.6;

/**
 * Below this an optional value gives way to the parameter's default where neither of it nor of what it is
 * about anything was said: a yes or no, and others where the question's words would be theirs, in English. Measured on 68 functions with defaults: the wrong ones had
 * up to 0.93 ("seconds" for "N/A"), the right ones from 0.96 on.
 */
const sureAgainstDefault = 0.95;

/**
 * Below this a day gives way to the one that the question says. Measured on 81 days and months in seven
 * languages: the wrong ones had up to 0.97 ("übermorgen": tomorrow), and what was said was always right.
 */
const certain = 0.98;

/** What the person has said: all their words, and the days, months and language (a code) of the question. */
export type Said = { words: () => string; days: () => SaidDays; language: string | null };
/** How sure the model was of each argument, by its name, from 0 to 1. */
type Sureness = ReadonlyMap<string, number>;

/**
 * The arguments that stand, and what is missing: a value that is needed is made up when nothing of it was
 * said and the model was not sure of it; one that is not needed is left out then. Nothing is held to be
 * made up without the odds.
 */
export function sift(
  given: Arguments,
  tool: ToolSchema,
  { said, sureness, today }: { said: Said; sureness: Sureness; today: Date },
): { known: Arguments; missing: string[] } {
  const required = requiredOf(tool.parameters);
  const parts = partsOf(tool);
  const days = said.days();
  const meant = (name: string) => saidFor(parts.get(name) ?? {}, days, today);
  let made: Set<string> | null = null;
  const there = () => (made ??= new Set(wordsIn(said.words())));
  const isSaid = (value: unknown) => hasEnoughOf(value, there());
  const isSpokenOf = (name: string) => longWords(name).some((word) => isIn(word, there()));
  const stands = ([name, value]: [string, unknown]) => {
    const needed = required.includes(name);
    const part = parts.get(name) ?? {};
    if (needed && isBlank(value)) return false;
    const certainty = sureness.get(name) ?? 1;
    if (datedAs(part) !== null || (needed && !isFree(part))) return true;
    const againstDefault = !needed && hasDefault(part) && !isSpokenOf(name);
    if (part.type === "boolean")
      return certainty >= (againstDefault ? sureAgainstDefault : sureOfYes);
    const bound = againstDefault && mayBeEnglish(said) ? sureAgainstDefault : sure;
    if (certainty >= bound) return true;
    return isSaid(value) || value === meant(name) || mayTranslate(value, said);
  };
  const args = withDays(given, [...parts.keys()], {
    numbers: days.numbers,
    sureness,
    meant,
    today,
  });
  const known = Object.fromEntries(Object.entries(args).filter(stands));
  return { known, missing: absent(tool, known) };
}

/** What can be said of each parameter. */
const partsOf = ({ parameters }: ToolSchema) =>
  new Map(
    Object.entries(recordOf(parameters.properties) ?? {}).map(([name, part]) => [
      name,
      onlyOne(part, parameters),
    ]),
  );

/** With the day or month that the question says, where only one parameter can be meant. */
function withDays(
  args: Arguments,
  names: readonly string[],
  {
    numbers,
    sureness,
    meant,
    today,
  }: {
    numbers: SaidDays["numbers"];
    sureness: Sureness;
    meant: (name: string) => unknown;
    today: Date;
  },
): Arguments {
  const some = names.filter((name) => meant(name) !== null);
  const [name] = some;
  if (name === undefined || some.length > 1) return args;
  const bound = isBlank(args[name]) ? sure : certain;
  const givesWay = (sureness.get(name) ?? 1) < bound;
  const mistaken = mayBeMistaken(args[name], { said: meant(name), numbers, today });
  return givesWay && mistaken ? { ...args, [name]: meant(name) } : args;
}

/** It can be anything: of a fixed list the words of the question are seldom the value's. */
const isFree = (about: Record<string, unknown>) =>
  !Array.isArray(about.enum) && !Object.hasOwn(about, "const") && about.type !== "boolean";

/** Some words in small letters, of a script that has others: no name, address or number. */
const phrase = /^\p{Ll}[\p{Ll}\p{M}'’-]*(?: [\p{Ll}\p{M}'’-]+){2,}$/u;

/** Asked in another language, a small model looks up in English: "new phone reviews". */
const mayTranslate = (value: unknown, { language }: Said) =>
  typeof value === "string" && !mayBeEnglish({ language }) && phrase.test(value);

const mayBeEnglish = ({ language }: Pick<Said, "language">) =>
  language === "en" || language === null;

/** So much of a value's words has to be said: of a made-up address 3 of 18 words stood in the question. */
const enough = 0.2;

/** Of the words and numbers of the value some are said, or words that begin like them. */
function hasEnoughOf(value: unknown, there: ReadonlySet<string>): boolean {
  const wanted = wordsIn(typeof value === "object" ? JSON.stringify(value) : String(value));
  const some = wanted.filter((word) => isIn(word, there));
  return some.length >= enough * wanted.length && (some.length > 0 || wanted.length === 0);
}

const isIn = (word: string, there: ReadonlySet<string>) =>
  there.has(word) || (word.length >= 4 && there.values().some((other) => alike(word, other)));

/** Of a parameter's name, those that say what it is about: "free_entry", "hasParking". */
const longWords = (name: string) =>
  wordsIn(name.replaceAll(/[_-]|(?<=\p{Ll})(?=\p{Lu})/gu, " ")).filter((word) => word.length >= 4);

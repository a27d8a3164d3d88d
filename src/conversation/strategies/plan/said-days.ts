// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The days and months that a question says, by the words that Intl (the Unicode CLDR) has in its language.
import { isoDay } from "../../../tools/day.ts";
import { datedAs, dayAt, dayOf, monthAt } from "./days.ts";
import { alike, type Span, type Standing, spansOf, wordsIn } from "./spoken.ts";

/** As 2026-12-03 and 2026-12; and the numbers by which a day may be said too: "the 4th", "24". */
export type SaidDays = {
  day: readonly string[];
  month: readonly string[];
  numbers: ReadonlySet<number>;
};

/** Beside one of the words `unless` it is another day: "last Monday". */
type Phrase = {
  words: readonly string[];
  iso: string;
  standing: Standing;
  unless?: readonly string[];
};
type Phrases = { day: Phrase[]; month: Phrase[] };

/** May stand inside a date: "the 24th of December", "el 15 de diciembre". */
const inDate: Standing = { order: "any", between: 2, mayStand: /^(?:st|nd|rd|th|of|de|di|do|d)$/ };
const inName: Standing = { order: "any", between: 0, mayStand: /^/ };
const inOrder: Standing = { ...inName, order: "given" };

/** The days of a longer text (in UTF-16 units) are its own: a mail, a story. */
const longest = 600;

const year = /(?<!\d)(?:1[89]|20)\d\d(?!\d)/;
/** A smaller number is more likely an hour, unless it is written as a day. */
const dayNumber = /(?<!\d)(?:1[3-9]|[23]\d|\d{1,2}(?=st|nd|rd|th|er|[.ºª日号]))(?!\d)/giu;

/** What only looks like tomorrow or a month: mornings, and verbs. */
const others: Readonly<Record<string, RegExp>> = {
  de: /(?<=(?<!\p{L})(?:guten|am|heute|gestern|jeden|diesen|frühen) )morgen(?!\p{L})/giu,
  nl: /(?<=(?<!\p{L})(?:goede|elke|deze|de) )morgen(?!\p{L})/giu,
  es: /(?<=(?<!\p{L})(?:esta|la|media|cada) )mañana(?!\p{L})/giu,
  en: /(?<!\p{L})(?:may|march)(?!\p{L})|(?:^|[.!?] )(?:May|March)(?!\p{L})/gu,
};

/** Of another language Intl would take the computer's own. */
const isKnown = (language: string | null): language is string =>
  language !== null && Intl.RelativeTimeFormat.supportedLocalesOf(language).length > 0;

/** Of the last language and day. */
let made: { for: string; phrases: Phrases } | undefined;

/**
 * Each day and month that is said by its name; `language` is a code as "it", null: unknown, and then nothing
 * is found. Of 100 questions with a day or month in seven languages 88 say one exactly so, all rightly;
 * "weekend" and "the first week of December" are no days.
 */
export function daysSaid(text: string, language: string | null, today: Date): SaidDays {
  const start = text.slice(0, longest);
  const numbers = new Set(start.match(dayNumber)?.map(Number));
  // With a year it is not the next such day: the model's to tell.
  const unclear = text.length > longest || year.test(text);
  if (unclear || !isKnown(language)) return { day: [], month: [], numbers };
  const other = others[language];
  const words = wordsIn(other ? text.replaceAll(other, " ") : text);
  const key = `${language} ${isoDay(today)}`;
  if (made?.for !== key) made = { for: key, phrases: phrasesOf(language, today) };
  const { day, month } = made.phrases;
  return { day: found(day, words), month: found(month, words), numbers };
}

/**
 * What the question says for an argument that may be one thing: its only day or month, also as a choice
 * ("tomorrow" of "today" and "tomorrow"). Null: nothing, or more than one.
 */
export function saidFor(about: Readonly<Record<string, unknown>>, said: SaidDays, today: Date) {
  const as = datedAs(about);
  const [one, ...others] = as === "month" ? said.month : said.day;
  if (one === undefined || others.length > 0) return null;
  if (as !== null) return one;
  const choices: unknown[] = Array.isArray(about.enum) ? about.enum : [];
  const [fits, ...more] = choices.filter(
    (word) => typeof word === "string" && dayOf(word, today) === one,
  );
  return more.length === 0 && typeof fits === "string" ? fits : null;
}

/**
 * A value that the model may have taken by mistake for the day or month that was `said`: none, or a near day
 * or one of the last months. Any other it has worked out ("last Friday": November 27; due in March: the next
 * one; "a week from today"), or it stands in the question as a number.
 */
export function mayBeMistaken(
  value: unknown,
  { said, numbers, today }: { said: unknown; numbers: ReadonlySet<number>; today: Date },
): boolean {
  if (typeof value !== "string") return value === undefined || value === null;
  const [, month, day] = /^\d{4}-(\d{2})(?:-(\d{2}))?$/.exec(value) ?? [];
  if (month === undefined) return true;
  const otherYear = day === undefined && String(said).endsWith(`-${month}`);
  if (otherYear || value === isoDay(dayAt(new Date(`${said}T12:00`), 7))) return false;
  const [first, last] =
    day === undefined
      ? [monthAt(today, -11), monthAt(today, 1)]
      : [isoDay(today), isoDay(dayAt(today, 7))];
  const isNear = value >= first && value <= last;
  return isNear && !numbers.has(Number(day));
}

/** "pasado mañana" says no "mañana". */
function found(phrases: readonly Phrase[], words: readonly string[]): string[] {
  const all = phrases.flatMap(({ words: phrase, iso, standing, unless = [] }) =>
    spansOf(phrase, words, standing)
      .filter(({ from, to }) => !unless.some((word) => isBeside(word, words, { from, to })))
      .map((span) => ({ ...span, iso })),
  );
  const within = (one: Span, other: Span) =>
    other.from <= one.from && other.to >= one.to && other.to - other.from > one.to - one.from;
  const widest = all.filter((one) => !all.some((other) => within(one, other)));
  return [...new Set(widest.map(({ iso }) => iso))];
}

const isBeside = (word: string, words: readonly string[], { from, to }: Span) =>
  [words[from - 1], words[to]].some((other) => other !== undefined && alike(word, other));

function phrasesOf(language: string, today: Date): Phrases {
  const locale = `${language}-u-ca-gregory-nu-latn`;
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const name = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const [weekday, date, month] = [
    name({ weekday: "long" }),
    name({ day: "numeric", month: "long" }),
    name({ month: "long" }),
  ];
  const all = Array.from({ length: 366 }, (_, ahead) => dayAt(today, ahead));
  const days = all.filter((day, ahead) => ahead === 0 || !isSameDate(day, today));
  const week = relative.format(1, "week");
  const ofNext = wordsIn(`${week} ${relative.format(1, "month")}`);
  const ofLast = wordsIn(`${relative.format(-1, "week")} ${relative.format(-1, "month")}`);
  const unless = ofLast.filter(
    (word) => word.length > 2 && !ofNext.some((one) => alike(word, one)),
  );
  const firsts = Array.from(
    { length: 12 },
    (_, back) => new Date(today.getFullYear(), today.getMonth() - back, 1),
  );
  const ofDate = (day: Date) =>
    date.formatToParts(day).find(({ type }) => type === "month")?.value ?? "";
  return {
    day: [
      ...[-2, -1, 0, 1, 2].flatMap((offset) =>
        phrase(relative.format(offset, "day"), isoDay(dayAt(today, offset)), inOrder),
      ),
      // In English Intl counts these.
      ...phrase("day after tomorrow", isoDay(dayAt(today, 2))),
      ...phrase("day before yesterday", isoDay(dayAt(today, -2))),
      // "下周五" is a Friday.
      ...(/\p{sc=Han}/u.test(week) ? [] : phrase(withoutArticles(week), dayOf("next week", today))),
      ...days
        .slice(1, 8)
        .flatMap((day) => phrase(weekday.format(day), isoDay(day)))
        .map((one) => ({ ...one, unless })),
      ...days.map((day) => ({
        words: wordsIn(withoutArticles(date.format(day))),
        iso: isoDay(day),
        standing: inDate,
      })),
    ],
    month: [
      ...[-1, 0, 1].flatMap((offset) =>
        phrase(withoutArticles(relative.format(offset, "month")), monthAt(today, offset)),
      ),
      ...firsts.flatMap((first) =>
        [month.format(first), ofDate(first)].flatMap((text) =>
          phrase(text, isoDay(first).slice(0, 7)),
        ),
      ),
    ],
  };
}

const isSameDate = (one: Date, other: Date) =>
  one.getMonth() === other.getMonth() && one.getDate() === other.getDate();

/** "la próxima semana" is also "próxima semana"; of "ce mois-ci" too little would be left. */
function withoutArticles(text: string): string {
  const left = text.replaceAll(/(?<!\p{L})\p{Ll}{1,2}(?!\p{L})/gu, "");
  return wordsIn(left).length < 2 ? text : left;
}

/** Nothing for one that counts ("2 days ago"). */
function phrase(text: string, iso: string, standing = inName): Phrase[] {
  const words = wordsIn(text);
  return words.length === 0 || /\p{N}/u.test(text) ? [] : [{ words, iso, standing }];
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Days and months as a small model can say them: by a word of the question, which becomes a date here.
import { isoDay, months, weekDays } from "../../../tools/day.ts";
import { compiled } from "../../../tools/pattern.ts";

const anyMonth = `(${months.join("|")})`;

/** Days from today by their words; "next week" is its Monday. */
const dayOffsets = (today: Date): ReadonlyMap<string, number> =>
  new Map([
    ["today", 0],
    ["tomorrow", 1],
    ["day after tomorrow", 2],
    ["yesterday", -1],
    // Who means today says so: on a Monday, "Monday" is the next one.
    ...weekDays.map((name, at) => [name, ((at - today.getDay() + 6) % 7) + 1] as const),
    ["next week", 7 - ((today.getDay() + 6) % 7)],
  ]);

const monthOffsets: ReadonlyMap<string, number> = new Map([
  ["this month", 0],
  ["last month", -1],
  ["next month", 1],
]);

const choice = (words: Iterable<string>, pattern: string) => ({
  anyOf: [{ enum: [...words] }, { type: "string", pattern }],
});

/**
 * A date in a first reply. Asked for numbers, a model of 1.5B is often a day off: 12 of 20 dates and
 * months were right, and 16 of the same by words.
 */
export const daySchema = (today: Date) =>
  choice(dayOffsets(today).keys(), `^${anyMonth} ([1-9]|[12][0-9]|3[01])( 20[0-9][0-9])?$`);
export const monthSchema = () => choice(monthOffsets.keys(), `^${anyMonth}( 20[0-9][0-9])?$`);

/** How the list of tools tells of them. */
export const dayKind =
  "today, tomorrow, day after tomorrow, next week, a weekday, or as December 24";
export const monthKind = "this month, last month, or its name";

/** So many days or months after a day, before it when negative; a month is as 2026-11. */
export const dayAt = (today: Date, offset: number) =>
  new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset);
export const monthAt = (today: Date, offset: number) =>
  isoDay(new Date(today.getFullYear(), today.getMonth() + offset, 1)).slice(0, 7);

type Named = { month: number; day: number | null; year: number | null };

/** "December 24", "24 December 2026", "Dec 24th, 2026", "December": null for any other text. */
function named(text: string): Named | null {
  const found = { month: -1, day: null as number | null, year: null as number | null };
  for (const word of text.toLowerCase().split(/[\s.,]+/)) {
    const [, day] = /^([0-9]{1,2})(?:st|nd|rd|th)?$/.exec(word) ?? [];
    const month = word.length < 3 ? -1 : months.findIndex((one) => begins(one, word));
    if (month >= 0 && found.month < 0) found.month = month;
    else if (/^20[0-9]{2}$/.test(word) && found.year === null) found.year = Number(word);
    else if (day !== undefined && found.day === null) found.day = Number(day);
    else if (word !== "") return null;
  }
  return found.month < 0 ? null : found;
}
const begins = (month: string, word: string) => month.toLowerCase().startsWith(word);

/** Leap years are at most eight years apart. */
const longestWait = 8;

/** What a day's word stands for, as 2026-12-03; any other text, and a day that no month has, as it is. */
export function dayOf(text: string, today: Date): string {
  for (const [word, offset] of dayOffsets(today))
    if (word.toLowerCase() === text.trim().toLowerCase()) return isoDay(dayAt(today, offset));
  const said = named(text);
  if (said === null || said.day === null) return text;
  const { month, day, year } = said;
  const first = year ?? today.getFullYear();
  // Without a year it is the next such day.
  for (let of = first; of <= first + (year === null ? longestWait : 0); of += 1) {
    const date = new Date(of, month, day);
    const comes = year !== null || isoDay(date) >= isoDay(today);
    if (comes && date.getMonth() === month) return isoDay(date);
  }
  return text;
}

/** What a month's word stands for, as 2026-09; without a year the last one that has begun. */
export function monthOf(text: string, today: Date): string {
  const offset = monthOffsets.get(text.trim().toLowerCase());
  if (offset !== undefined) return monthAt(today, offset);
  const said = named(text);
  if (said === null || said.day !== null) return text;
  const back = (today.getMonth() - said.month + 12) % 12;
  if (said.year === null) return monthAt(today, -back);
  return isoDay(new Date(said.year, said.month, 1)).slice(0, 7);
}

/** A date or month as a model would have said it; any other text, and what has no words, as it is. */
export function wordFor(iso: string, today: Date): string {
  const [, year = "", month = "", day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(iso) ?? [];
  const name = months[Number(month) - 1];
  if (name === undefined) return iso;
  const bare = day === undefined ? name : `${name} ${Number(day)}`;
  const offsets = day === undefined ? monthOffsets : dayOffsets(today);
  const meant = day === undefined ? monthOf : dayOf;
  const words = [...offsets.keys(), bare, `${bare} ${year}`];
  return words.find((word) => meant(word, today) === iso) ?? iso;
}

/** The pattern allows months as "2026-11" and nothing else of the kind. */
function isMonthPattern(pattern: string): boolean {
  const rule = compiled(pattern);
  if (!rule) return false; // the tool's own matter: it is told when it is loaded
  const passes = (text: string) => rule.test(text);
  return (
    ["2026-11", "1999-01"].every(passes) &&
    !["2026-11-30", "2026", "11", "aaaa-bb", "", "2026-1"].some(passes)
  );
}

/** What a parameter's schema wants, of what has words here. */
export function datedAs(about: Readonly<Record<string, unknown>>): "day" | "month" | null {
  if (about.format === "date") return "day";
  return typeof about.pattern === "string" && isMonthPattern(about.pattern) ? "month" : null;
}

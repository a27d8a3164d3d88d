// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Days and months as a small model can write them: the word first, the number behind it forced.
import { isoDay } from "../../../tools/day.ts";

const two = (number: number) => String(number).padStart(2, "0");
const weekDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
/** Days ahead that have a word: a week, and its first day once more. */
const ahead = 7;
/** Months back and ahead that have a word. */
const around = 12;

const dayAt = (today: Date, offset: number) =>
  new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset);

/** "today 2026-11-30", "tomorrow 2026-12-01", "Wednesday 2026-12-02", …, "yesterday 2026-11-29". */
export function dayWords(today: Date): string[] {
  const words = Array.from({ length: ahead + 1 }, (_, offset) => {
    const day = dayAt(today, offset);
    const name = ["today", "tomorrow"][offset] ?? weekDays[day.getDay()];
    return `${name} ${isoDay(day)}`;
  });
  return [...words, `yesterday ${isoDay(dayAt(today, -1))}`];
}

/** "this month 2026-11", "last month 2026-10", "next month 2026-12", "September 2026-09", … */
export function monthWords(today: Date): string[] {
  const named = (offset: number) => {
    const first = new Date(today.getFullYear(), today.getMonth() + offset, 1);
    return {
      name: months[first.getMonth()],
      iso: `${first.getFullYear()}-${two(first.getMonth() + 1)}`,
    };
  };
  const all = Array.from({ length: 2 * around + 1 }, (_, at) => named(at - around));
  const near = [
    ["this month", 0],
    ["last month", -1],
    ["next month", 1],
  ] as const;
  return [
    ...near.map(([word, offset]) => `${word} ${named(offset).iso}`),
    ...all.map(({ name, iso }) => `${name} ${iso}`),
  ];
}

/** Any other day: a word in front here too, so that a model does not begin with a number it has to guess. */
export const otherDay = "^on [0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
export const otherMonth = "^in [0-9]{4}-(0[1-9]|1[0-2])$";

/** The number behind the word; any other text as it is. */
export const withoutWord = (text: string): string =>
  /^\p{L}[\p{L} ]* (\d{4}-\d{2}(?:-\d{2})?)$/u.exec(text)?.[1] ?? text;

/** The pattern allows months as "2026-11" and nothing else of the kind. */
export function isMonthPattern(pattern: string): boolean {
  try {
    const rule = new RegExp(pattern, "u");
    const passes = (text: string) => rule.test(text);
    return (
      ["2026-11", "1999-01"].every(passes) &&
      !["2026-11-30", "2026", "11", "aaaa-bb", "", "2026-1"].some(passes)
    );
  } catch (fault) {
    if (fault instanceof SyntaxError) return false; // the tool's own matter: it is told when it is loaded
    throw fault;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Days as models, notes and found conversations have them: 2026-11-30, in local time.

/** As Date.getDay() counts them. */
export const weekDays: readonly string[] = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
];
/** As Date.getMonth() counts them. */
export const months: readonly string[] = [
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

const two = (number: number) => String(number).padStart(2, "0");

export function isoDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Today and the seven days after it. */
export function comingDays(today: Date): Date[] {
  return Array.from(
    { length: 8 },
    (_, ahead) => new Date(today.getFullYear(), today.getMonth(), today.getDate() + ahead),
  );
}

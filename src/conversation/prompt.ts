// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The words in front of every conversation: the same bytes for a whole day and every session.
import { comingDays, isoDay, months, weekDays } from "../tools/day.ts";

export type Persona = {
  system: string;
  assistantName: string | null;
  person: { name: string | null; address: string | null };
};

const two = (number: number) => String(number).padStart(2, "0");

/** Small models cannot count days: with the dates of the week before them, "Friday" comes out right. */
function week(today: Date): string {
  const days = comingDays(today).map((date) => `${weekDays[date.getDay()]} ${isoDay(date)}`);
  const [first, ...rest] = days;
  return `Today is ${first}. Next days: ${rest.join(", ")}.`;
}

/** The system message of a day: dates may stand here, a clock may not. */
export function systemText({ system, assistantName, person }: Persona, today: Date): string {
  const lines = [system.trim()];
  if (assistantName) lines.push(`Your name is ${assistantName}.`);
  if (person.name) lines.push(`You speak with ${person.name}.`);
  if (person.address) lines.push(`Address the person as "${person.address}".`);
  lines.push(week(today));
  return lines.filter((line) => line !== "").join("\n");
}

/** What a stamp of this hour begins with: "[Monday 30 November 2026, 10:". */
export function stampOfHour(now: Date): string {
  const day = `${weekDays[now.getDay()]} ${now.getDate()} ${months[now.getMonth()]} ${now.getFullYear()}`;
  return `[${day}, ${two(now.getHours())}:`;
}

/** Stands before the newest question only: "[Monday 30 November 2026, 10:45] ". */
export const stamp = (now: Date) => `${stampOfHour(now)}${two(now.getMinutes())}] `;

/** Beside a question whose answer will be heard, not read. */
export const aloudInstruction =
  "(Your answer will be read aloud: short, plain sentences; no lists, tables, code or links.)";

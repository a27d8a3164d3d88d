// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A day as notes and found conversations have it: 2026-11-30, in local time.

const two = (number: number) => String(number).padStart(2, "0");

/** Of Unix seconds. */
export function dayOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

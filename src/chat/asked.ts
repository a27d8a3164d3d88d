// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A call that waits for the person's yes, as it stands above the line to type in.
import type { ConfirmQuestion } from "../message.ts";
import { cleanLine } from "./clean.ts";
import { exactTexts } from "./exact.ts";
import { type Line, span, style } from "./line.ts";
import { fit } from "./width.ts";
import { wrap, wrapExactly } from "./wrap.ts";
import type { Mode } from "./yes-no.ts";

const endings: Record<Mode, string> = {
  wait: "Run it?",
  busy: "Run it? Tab sets your line aside, then y or n.",
  open: "Run it? y/n",
};

/** Exactly what will run, all of it. */
export function exactLines(question: ConfirmQuestion, columns: number): Line[] {
  return exactTexts(question).flatMap((text) =>
    wrapExactly(span(text, style.code), columns, { first: [span("  ")] }),
  );
}

/** The tool and why it is asked; a reason that fills the screen would push the call off it. */
function head({ name, why }: ConfirmQuestion, columns: number): Line[] {
  const reason = fit(cleanLine(why), columns * 2);
  const text = [span(cleanLine(name), style.bold), span(` wants to run: ${reason}`)];
  return wrap(text, columns, { first: [span("? ", style.warn)], next: [span("  ")] }).slice(0, 3);
}

/** At most `rows` lines, but never less than four; `fits`: the call is shown whole. */
export function askedLines(
  question: ConfirmQuestion,
  options: { columns: number; rows: number; mode: Mode },
): { lines: Line[]; fits: boolean } {
  const { columns, rows, mode } = options;
  const first = head(question, columns);
  const exact = exactLines(question, columns);
  const ending = wrap([span(endings[mode], style.bold)], columns);
  const room = Math.max(1, rows - first.length - ending.length);
  const fits = exact.length <= room;
  const shown = fits ? exact : exact.slice(0, Math.max(1, room - 1));
  const left = exact.length - shown.length;
  const more: Line[] = fits
    ? []
    : [[span(`  … ${left} more ${left === 1 ? "line" : "lines"}: v shows all`, style.warn)]];
  return { lines: [...first, ...shown, ...more, ...ending], fits };
}

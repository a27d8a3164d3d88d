// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What an answer cost, in one line: the wait, the reading and the writing, as far as the daemon tells.
import type { TurnStats } from "../message.ts";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A daemon of another version, or its server, may leave out any of them. */
const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);

function wait(milliseconds: unknown): string {
  return isNumber(milliseconds) ? `first word ${fine.format(milliseconds / 1000)} s` : "";
}

function reading(prompt: unknown, cached: unknown): string {
  if (!isNumber(prompt) || prompt <= 0) return "";
  const read = isNumber(cached) ? `${whole.format(Math.max(0, prompt - cached))} of ` : "";
  return `${read}${whole.format(prompt)} tokens read`;
}

function writing(speed: unknown): string {
  if (!isNumber(speed) || speed <= 0) return "";
  return `${(speed < 10 ? fine : whole).format(speed)} tokens/s`;
}

/** "" when nothing is known. */
export function statsText(stats: Partial<TurnStats> | undefined): string {
  if (typeof stats !== "object" || stats === null) return "";
  const { first_token_ms, prompt_tokens, cached_tokens, tokens_per_second } = stats;
  return [wait(first_token_ms), reading(prompt_tokens, cached_tokens), writing(tokens_per_second)]
    .filter((part) => part !== "")
    .join(", ");
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a turn cost, as its `done` tells.
import type { CallRecord, TurnStats } from "../message.ts";
import type { Usage } from "../model/model.ts";

/** Of one request. `wroteMs` is from its first word or thought to its last; null: not measured. */
export type Cost = { usage: Usage; wroteMs: number | null };

/** A reply that came at once, in milliseconds, was not written as it came: its speed is unknown. */
const leastMeasured = 50;

/** `begun` and `firstToken` as performance.now() gives them; no `firstToken`: nothing was shown. */
export function statsOf(turn: {
  begun: number;
  firstToken: number | null;
  costs: readonly Cost[];
  calls: readonly CallRecord[];
}): TurnStats {
  const { begun, firstToken, costs, calls } = turn;
  const usages = costs.map(({ usage }) => usage);
  const told = usages.length > 0 && usages.every((usage) => usage.cached !== null);
  return {
    first_token_ms: firstToken === null ? null : Math.round(firstToken - begun),
    total_ms: Math.round(performance.now() - begun),
    prompt_tokens: sum(usages.map((usage) => usage.prompt)),
    cached_tokens: told ? sum(usages.map((usage) => usage.cached ?? 0)) : null,
    output_tokens: sum(usages.map((usage) => usage.output)),
    tools: calls.map(({ name, ok, latency_ms }) => ({ name, ok, latency_ms })),
    tokens_per_second: speedOf(costs),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Of the writing, by what the server says, else as it was seen; one decimal. */
function speedOf(costs: readonly Cost[]): number | null {
  const told = costs.flatMap(({ usage: { output, outputMs } }) =>
    outputMs === null ? [] : [{ tokens: output, ms: outputMs }],
  );
  // Between n tokens there are n - 1 pauses.
  const seen = costs.flatMap(({ usage, wroteMs }) =>
    wroteMs === null ? [] : [{ tokens: usage.output - 1, ms: wroteMs }],
  );
  const some = told.length > 0 ? told : seen;
  const tokens = sum(some.map((one) => one.tokens));
  const ms = sum(some.map((one) => one.ms));
  const enough = told.length > 0 ? ms > 0 : ms >= leastMeasured;
  return enough && tokens > 0 ? Math.round((tokens / ms) * 10_000) / 10 : null;
}

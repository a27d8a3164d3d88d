// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a turn cost, as its `done` tells.
import type { CallRecord, TurnStats } from "../message.ts";
import type { Usage } from "../model/model.ts";

/** `begun` and `firstToken` as performance.now() gives them; no `firstToken`: nothing was shown. */
export function statsOf(turn: {
  begun: number;
  firstToken: number | null;
  usages: readonly Usage[];
  calls: readonly CallRecord[];
}): TurnStats {
  const { begun, firstToken, usages, calls } = turn;
  const sum = (pick: (usage: Usage) => number) =>
    usages.reduce((total, usage) => total + pick(usage), 0);
  const told = usages.length > 0 && usages.every((usage) => usage.cached !== null);
  return {
    first_token_ms: firstToken === null ? null : Math.round(firstToken - begun),
    total_ms: Math.round(performance.now() - begun),
    prompt_tokens: sum((usage) => usage.prompt),
    cached_tokens: told ? sum((usage) => usage.cached ?? 0) : null,
    output_tokens: sum((usage) => usage.output),
    tools: calls.map(({ name, ok, latency_ms }) => ({ name, ok, latency_ms })),
  };
}

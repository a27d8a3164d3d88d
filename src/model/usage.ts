// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Token counts, wherever a server puts them.
import { countAt, recordAt } from "./json.ts";
import type { ModelEvent, Usage } from "./model.ts";

/**
 * From a chunk's `usage` and a llama-server's `timings`, either of which may be missing; null when
 * neither says how long the prompt was. llama-server counts cached tokens in timings.cache_n.
 */
export function readUsage(usage: unknown, timings: unknown): Usage | null {
  const fresh = countAt(timings, "prompt_n");
  const kept = countAt(timings, "cache_n");
  const prompt = countAt(usage, "prompt_tokens") ?? (fresh === null ? null : fresh + (kept ?? 0));
  if (prompt === null) return null;
  return {
    prompt,
    cached: kept ?? countAt(recordAt(usage, "prompt_tokens_details"), "cached_tokens"),
    output: countAt(usage, "completion_tokens") ?? countAt(timings, "predicted_n") ?? 0,
    readMs: countAt(timings, "prompt_ms"),
    outputMs: countAt(timings, "predicted_ms"),
  };
}

/** llama-server's `prompt_progress` (return_progress); null when it is no such thing. */
export function readProgress(value: unknown): ModelEvent | null {
  const processed = countAt(value, "processed");
  const total = countAt(value, "total");
  if (processed === null || total === null) return null;
  return { type: "progress", processed, total, cached: countAt(value, "cache") ?? 0 };
}

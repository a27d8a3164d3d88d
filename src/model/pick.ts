// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Decides which of a server's models answers, so that nobody's model is swapped out.
import { ReadableError } from "../errors.ts";
import type { ModelRow } from "./survey.ts";

export type Wishes = {
  /** Picked by the person while the program runs. */
  used: string | null;
  /** `model` in config.toml. */
  configured: string | null;
  /** The one that answered last time. */
  remembered: string | null;
  /** Whether a model may be loaded when none is. */
  loadIfNone: boolean;
};

export type Pick = {
  model: string | null;
  row: ModelRow | null;
  /** It has to be loaded by an explicit request first. */
  load: boolean;
  /** How it was chosen, as the end of a sentence. */
  why: string;
  /** The person's wish that could not be met because another model is loaded; null: none. */
  passedOver: string | null;
};

/** Throws ReadableError "no_model" or "not_loaded" (nothing is loaded and nothing may be). */
export function pickModel(rows: readonly ModelRow[], wishes: Wishes): Pick {
  const { used, configured, remembered, loadIfNone } = wishes;
  const wished = used ?? configured;
  const find = (id: string | null) => rows.find((row) => row.id === id) ?? null;
  const result = (row: ModelRow | null, why: string, load = false): Pick => ({
    model: row?.id ?? null,
    row,
    load,
    why,
    passedOver: wished !== null && row?.id !== wished ? wished : null,
  });
  const because = used !== null ? "the model you picked" : "the one in config.toml";

  const telling = rows.some((row) => row.status !== "unknown");
  if (!telling) {
    // Nothing is known of what is loaded: a name that the person gave is taken at its word.
    if (wished !== null) {
      return { model: wished, row: find(wished), load: false, why: because, passedOver: null };
    }
    return result(rows[0] ?? null, rows.length > 1 ? "the first in its list" : "its only model");
  }
  const present = rows.filter((row) => row.status !== "unloaded");
  if (present.length > 0) {
    const there = (id: string | null) => present.find((row) => row.id === id) ?? null;
    const wish = there(wished);
    if (wish) return result(wish, because);
    return result(there(remembered) ?? present[0] ?? null, "loaded there");
  }
  const loadable = find(wished) ?? find(remembered) ?? rows[0] ?? null;
  if (!loadable) {
    throw new ReadableError("no_model", "the model server has no models", {
      hint: "Give it a model, or set llm in config.toml to another server.",
    });
  }
  if (!loadIfNone) {
    throw new ReadableError("not_loaded", "no model is loaded, and load_if_none is false", {
      hint: `Type: desktop-assistant model use ${loadable.id} --load`,
    });
  }
  return result(loadable, "loaded because none was", true);
}

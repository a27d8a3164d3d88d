// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// From a server's address to a model that is ready to answer there.
import type { Notice } from "../message.ts";
import type { Address } from "./address.ts";
import type { EngineSlot } from "./embedded.ts";
import { loadModel } from "./load.ts";
import { whileLoading } from "./patience.ts";
import { pickModel, type Wishes } from "./pick.ts";
import type { Chosen } from "./served.ts";
import { measure, survey } from "./survey.ts";

/** A server that answers, and how it was found (the beginning of a sentence). */
export type Found = {
  address: Address;
  apiKey: string | null;
  how: string;
  engine: boolean;
  /** Of the engine, if it has one. */
  slot: EngineSlot | null;
};

export type SettleOptions = {
  wishes: Wishes;
  signal: AbortSignal;
  /** Milliseconds without a byte. */
  stall: number;
  onLoading: () => void;
  onNotice: (notice: Notice) => void;
  /** Asked when a model must be loaded first; false: nobody waits for an answer, so nothing is. */
  mayLoad: () => boolean;
  /** Wraps the load, so that its progress can be told. */
  loading: (model: string, load: (signal: AbortSignal) => Promise<void>) => Promise<void>;
};

/**
 * Resolves with null when a model had to be loaded and may not be now. Rejects with ReadableError or
 * the signal's reason.
 */
export async function settle(found: Found, options: SettleOptions): Promise<Chosen | null> {
  const { signal, stall, onLoading, onNotice } = options;
  const asking = { address: found.address, apiKey: found.apiKey, signal, stall };
  const seen = await whileLoading(() => survey(asking), { signal, onLoading });
  const { kind } = seen;
  const { model, row, load, why, passedOver } = pickModel(seen.rows, options.wishes);
  if (load && model !== null) {
    if (!options.mayLoad()) return null;
    onNotice({
      code: "loading_model",
      message: `No model is loaded at ${found.address.v1}, so ${model} is being loaded.`,
      hint: "A large model may take some minutes. load_if_none = false in config.toml prevents this.",
    });
    onLoading();
    await options.loading(model, (stop) => loadModel({ ...asking, signal: stop }, kind, model));
  } else if (passedOver !== null) {
    onNotice({
      code: "model_not_loaded",
      message: `${passedOver} is not loaded at ${found.address.v1}; ${model ?? "its model"} answers.`,
      hint: `To displace it, type: desktop-assistant model use ${passedOver} --load`,
    });
  }
  if (row?.status === "loading") onLoading();
  const size = await whileLoading(() => measure(asking, kind, row), { signal, onLoading });
  const what = model === null ? "it names no model" : `${model} is ${why}`;
  return {
    address: found.address,
    apiKey: found.apiKey,
    kind,
    model,
    ...size,
    loaded: load || row?.status === "loaded" || row?.status === "loading",
    why: `${found.how}; ${what}`,
  };
}

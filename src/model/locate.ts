// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Where the model server is: the configured address, the first that answers here, or our own engine.
import { parseAddress } from "./address.ts";
import type { Engine } from "./embedded.ts";
import { findServer, usualAddresses } from "./find.ts";
import type { Found } from "./settle.ts";

/** Without the embedded engine; null when none answers. A configured one is not asked. */
export async function locateServer(options: {
  llm: string | null;
  apiKey: string | null;
  candidates?: readonly string[] | undefined;
  /** Milliseconds that a candidate has. */
  within?: number | undefined;
  signal: AbortSignal;
}): Promise<Found | null> {
  const { llm, apiKey, candidates = usualAddresses, within, signal } = options;
  if (llm !== null) {
    const how = "config.toml names this server";
    return { address: parseAddress(llm), apiKey, how, engine: false, slot: null };
  }
  const address = await findServer(candidates, { apiKey, signal, within });
  const how = "it is the first server that answered here";
  return address && { address, apiKey, how, engine: false, slot: null };
}

/** Starts the embedded engine, after fetching what is missing. Its key is its own. */
export async function startEngine(
  engine: Engine,
  options: { picked: boolean; signal: AbortSignal },
): Promise<Found> {
  const { url, apiKey, slot = null } = await engine.ready(options.signal);
  const how = options.picked
    ? "you picked the built-in engine"
    : "no other model server was found, so the built-in engine answers";
  return { address: parseAddress(url), apiKey, how, engine: true, slot };
}

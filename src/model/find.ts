// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Finds a model server on this machine when config.toml names none.
import { ReadableError } from "../errors.ts";
import { type Address, parseAddress } from "./address.ts";
import { listModels } from "./survey.ts";

/** In order: the earlier daemon's default, llama-server, Ollama, LM Studio. */
export const usualAddresses: readonly string[] = [
  "http://localhost:8181/v1",
  "http://localhost:8080/v1",
  "http://localhost:11434/v1",
  "http://localhost:1234/v1",
];

/** Milliseconds in which a server on this machine has answered, if there is one. */
const patience = 300;

/** True when it lists at least one model, or says that it is still loading. */
async function answers(
  address: Address,
  apiKey: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const rows = await listModels({ address, apiKey, signal, stall: patience });
    return rows.length > 0;
  } catch (thrown) {
    if (thrown instanceof ReadableError) return thrown.code === "loading";
    if (signal.aborted) return false;
    throw thrown;
  }
}

/**
 * Asks all at once and takes the first in the list that answers within 300 ms; null when none does.
 * Rejects with the signal's reason.
 */
export async function findServer(
  candidates: readonly string[],
  options: { apiKey: string | null; signal: AbortSignal },
): Promise<Address | null> {
  const { apiKey, signal } = options;
  signal.throwIfAborted();
  const enough = new AbortController();
  const limit = AbortSignal.any([signal, enough.signal, AbortSignal.timeout(patience)]);
  const asked = candidates.map((candidate) => {
    const address = parseAddress(candidate);
    return { address, answer: answers(address, apiKey, limit) };
  });
  try {
    for (const { address, answer } of asked) {
      if (await answer) return address;
    }
  } finally {
    enough.abort();
    await Promise.allSettled(asked.map((one) => one.answer));
  }
  signal.throwIfAborted();
  return null;
}

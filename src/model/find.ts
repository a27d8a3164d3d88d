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
/** The patience is counted in as many steps, so that a busy moment of our own costs one step only. */
const steps = 6;

/** Milliseconds; the limit below ends it long before. */
const longestStall = 60_000;

/** Aborts after so many milliseconds in which the event loop was free to read what has come. */
function limitOf(milliseconds: number): { signal: AbortSignal; clear: () => void } {
  const limit = new AbortController();
  let left = steps;
  const step = () => {
    left -= 1;
    if (left < 0) limit.abort();
    else timer = setTimeout(step, milliseconds / steps);
  };
  let timer: NodeJS.Timeout | undefined;
  step();
  return { signal: limit.signal, clear: () => clearTimeout(timer) };
}

/** True when it lists at least one model, or says that it is still loading. */
async function answers(
  address: Address,
  apiKey: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const rows = await listModels({ address, apiKey, signal, stall: longestStall });
    return rows.length > 0;
  } catch (thrown) {
    if (thrown instanceof ReadableError) return thrown.code === "loading";
    if (signal.aborted) return false;
    throw thrown;
  }
}

/**
 * Asks all at once and takes the first in the list that answers `within` 300 ms; null when none does.
 * Rejects with the signal's reason.
 */
export async function findServer(
  candidates: readonly string[],
  options: { apiKey: string | null; signal: AbortSignal; within?: number | undefined },
): Promise<Address | null> {
  const { apiKey, signal, within = patience } = options;
  signal.throwIfAborted();
  const enough = new AbortController();
  const limit = limitOf(within);
  const over = AbortSignal.any([signal, enough.signal, limit.signal]);
  const asked = candidates.map((candidate) => {
    const address = parseAddress(candidate);
    return { address, answer: answers(address, apiKey, over) };
  });
  try {
    for (const { address, answer } of asked) {
      if (await answer) return address;
    }
  } finally {
    limit.clear();
    enough.abort();
    await Promise.allSettled(asked.map((one) => one.answer));
  }
  signal.throwIfAborted();
  return null;
}

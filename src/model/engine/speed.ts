// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How fast a model reads on this machine, as its requests have shown, and the batch that follows from it.
import { isRecord } from "../json.ts";
import type { Learned } from "../learned.ts";
import type { Usage } from "../model.ts";
import type { Machine } from "./machine.ts";

/** Tokens; what a shorter read takes is mostly not reading. */
const fewest = 200;
/** Seconds. A server looks at an abort only between batches, so a stop waits that long at most. */
const batchTime = 0.5;
/** How many models are remembered. */
const longest = 50;

const isSpeed = (value: unknown): value is number =>
  typeof value === "number" && value > 0 && value < 1e6;

/** Tokens a second by the model's name. */
export class Speeds {
  readonly #learned: Learned;

  constructor(learned: Learned) {
    this.#learned = learned;
  }

  /** Null: not measured yet. */
  of(model: string): number | null {
    return this.#read().get(model) ?? null;
  }

  /** Takes in what a request has read; what differs by less than a tenth is not worth a write. */
  learn(model: string, usage: Usage): void {
    const { prompt, cached, readMs } = usage;
    if (cached === null || readMs === null || prompt - cached < fewest) return;
    const seen = Math.round(((prompt - cached) / readMs) * 10_000) / 10;
    if (!isSpeed(seen)) return;
    const speeds = this.#read();
    const before = speeds.get(model);
    if (before !== undefined && Math.abs(seen - before) <= before / 10) return;
    speeds.delete(model);
    speeds.set(model, seen);
    this.#learned.set(Object.fromEntries([...speeds].slice(-longest)));
  }

  #read(): Map<string, number> {
    const value = this.#learned.get();
    const entries = isRecord(value) ? Object.entries(value) : [];
    return new Map(entries.flatMap(([name, speed]) => (isSpeed(speed) ? [[name, speed]] : [])));
  }
}

/** Tokens that llama-server reads in one step: half a second's worth. */
export function batchFor(speed: number | null, machine: Machine): number {
  if (speed === null) return machine.gpuMemory > 0 ? 512 : 64;
  return Math.min(2048, Math.max(16, Math.round((speed * batchTime) / 16) * 16));
}

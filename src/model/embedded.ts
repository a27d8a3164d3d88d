// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the backend needs of the embedded engine, so that it can be tested without one.
import type { Job } from "../message.ts";
import type { Completion, Usage } from "./model.ts";

export type EngineModel = {
  name: string;
  /** Bytes. */
  size: number;
  licence: string;
  good_for: string;
  on_disk: boolean;
  used: boolean;
  /** It is fetched when the engine is needed, since there is none to start yet. */
  first: boolean;
};

export type EngineState = "absent" | "fetching" | "starting" | "loading" | "ready" | "lost";

/** The one place in the engine where a request is worked on; it may still hold what the next one needs. */
export interface EngineSlot {
  /** To be awaited before a request goes out; no other may be under way. Rejects only with the signal's reason. */
  before(completion: Completion, signal: AbortSignal): Promise<void>;
  /** True when the beginning of such a request could be kept over a restart, and is not. */
  lacks(completion: Completion): boolean;
  /** To be awaited when it has gone well, before another goes out. Never rejects. */
  after(completion: Completion, usage: Usage | null, signal: AbortSignal): Promise<void>;
}

export interface Engine {
  readonly state: EngineState;
  /** Program and model are on disk: it can start without fetching anything. */
  installed(): boolean;
  /** Fetches what is missing, starts, waits until it answers; an abort ends only the wait. */
  ready(
    signal: AbortSignal,
  ): Promise<{ url: string; apiKey: string; model: string; slot?: EngineSlot }>;
  models(): Promise<EngineModel[]>;
  /** Begins a fetch and returns its job. */
  fetch(name: string): string;
  /** Rejects when it is not on disk. */
  use(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Throws ReadableError when there is no such job. */
  cancel(job: string): void;
  jobs(): Job[];
  close(): Promise<void>;
}

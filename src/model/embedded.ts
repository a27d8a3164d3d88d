// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the backend needs of the embedded engine, so that it can be tested without one.
import type { Job } from "../message.ts";

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

export interface Engine {
  readonly state: EngineState;
  /** Program and model are on disk: it can start without fetching anything. */
  installed(): boolean;
  /** Fetches what is missing, starts, waits until it answers; an abort ends only the wait. */
  ready(signal: AbortSignal): Promise<{ url: string; apiKey: string; model: string }>;
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

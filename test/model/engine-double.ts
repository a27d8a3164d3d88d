// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A scripted stand-in for the embedded engine: its server is a scripted model server.
import { ReadableError } from "../../src/errors.ts";
import type { Job } from "../../src/message.ts";
import type { Engine, EngineModel, EngineSlot, EngineState } from "../../src/model/embedded.ts";

export class EngineDouble implements Engine {
  state: EngineState = "absent";
  onDisk = true;
  starts = 0;
  closed = false;
  used: string | null = null;
  /** Where it is when it has started; null: it can't start. */
  url: string | null;
  slot: EngineSlot | undefined;
  readonly calls: string[] = [];
  readonly apiKey = "engine-key";
  /** Awaited by each start. */
  gate: Promise<void> = Promise.resolve();

  constructor(url: string | null = null) {
    this.url = url;
  }

  installed(): boolean {
    return this.onDisk;
  }

  async ready(signal: AbortSignal) {
    this.starts += 1;
    await this.gate;
    signal.throwIfAborted();
    if (!this.url) throw new ReadableError("no_engine", "there is no engine");
    this.onDisk = true;
    const place = { url: this.url, apiKey: this.apiKey, model: "scripted" };
    return this.slot ? { ...place, slot: this.slot } : place;
  }

  async models(): Promise<EngineModel[]> {
    const fields = { size: 5, licence: "Apache-2.0", good_for: "tests", used: false, first: false };
    return [
      { name: "scripted", on_disk: this.onDisk, ...fields },
      { name: "other", on_disk: false, ...fields },
    ];
  }

  fetch(name: string): string {
    this.calls.push(`fetch ${name}`);
    return "job-1";
  }

  async use(name: string): Promise<void> {
    this.calls.push(`use ${name}`);
  }

  async remove(name: string): Promise<void> {
    this.calls.push(`remove ${name}`);
  }

  cancel(job: string): void {
    this.calls.push(`cancel ${job}`);
  }

  jobs(): Job[] {
    return [];
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

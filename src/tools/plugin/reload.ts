// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One plugin file over time: a new content is loaded while the old tools stay, which then are let go.

import { basename } from "node:path";
import type { Known } from "../source.ts";
import { stemOf } from "./names.ts";
import { type Left, Plugin, type PluginOptions } from "./plugin.ts";

export type ReloadOptions = PluginOptions & {
  /** A load has ended: what it left out. */
  onLoaded: (left: readonly Left[]) => void;
};

export class PluginFile {
  readonly #options: ReloadOptions;
  #current: Plugin | null = null;
  #next: Plugin | null = null;
  /** Not wanted any more, but not ended yet. */
  readonly #leaving = new Set<Plugin>();

  constructor(options: ReloadOptions) {
    this.#options = options;
  }

  /** The file holds this now. */
  renew(text: string): void {
    if (this.#next) this.#leave(this.#next);
    const next = new Plugin(text, this.#options);
    this.#next = next;
    void next.loaded.then(() => {
      if (this.#next !== next) return;
      if (this.#current) this.#leave(this.#current);
      this.#current = next;
      this.#next = null;
      this.#options.onLoaded(next.left);
    });
  }

  get stale(): boolean {
    return (this.#next ?? this.#current)?.stale ?? false;
  }

  /** True when nothing of it can be called. */
  get broken(): boolean {
    return !this.loading && this.#current?.tools?.length === 0;
  }

  get loading(): boolean {
    return this.#next !== null;
  }

  /** As it is now, each with its tool. */
  known(): Known[] {
    const from = this.#options.path;
    const about = { source: "plugin", from, description: "", error: "", hint: "" } as const;
    const stem = stemOf(basename(from));
    if (!this.#current) return [{ ...about, name: stem, state: "starting", tool: null }];
    const ready = (this.#current.tools ?? []).map(
      (tool): Known => ({
        ...about,
        name: tool.name,
        description: tool.description,
        state: "ready",
        tool,
      }),
    );
    const left = this.#current.left.map(
      ({ name, message, hint }): Known => ({
        ...about,
        name: name || stem,
        state: "broken",
        error: message,
        hint,
        tool: null,
      }),
    );
    return [...ready, ...left];
  }

  /** Resolves when nothing loads any more. */
  async settled(): Promise<void> {
    while (this.#next) await this.#next.loaded;
  }

  /** The file is gone: calls that run may end. */
  async remove(): Promise<void> {
    for (const plugin of [this.#current, this.#next]) if (plugin) this.#leave(plugin);
    this.#next = null;
    await Promise.all([...this.#leaving].map((plugin) => plugin.end({ wait: true })));
  }

  async close(): Promise<void> {
    const all = [this.#current, this.#next, ...this.#leaving];
    this.#next = null;
    await Promise.all(all.map((plugin) => plugin?.end()));
  }

  #leave(plugin: Plugin): void {
    this.#leaving.add(plugin);
    void plugin.end({ wait: true }).finally(() => this.#leaving.delete(plugin));
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What is kept of each server while the program runs, so that one that is come back to is still known.
import type { Lane } from "./lane.ts";
import type { Chosen, Untaken } from "./served.ts";
import { laneFor } from "./slots.ts";

export type Kept = { lane: Lane; untaken: Untaken };

export class Servers {
  readonly #kept = new Map<string, Kept>();

  /** `current` tells the choice that stands when something has to be asked later. */
  of(chosen: Chosen, current: () => Chosen | null): Kept {
    const name = `${chosen.kind} ${chosen.address.v1}`;
    const now = () => {
      const other = current();
      return other?.address.v1 === chosen.address.v1 ? other : chosen;
    };
    const kept = this.#kept.get(name) ?? {
      lane: laneFor(chosen, now),
      untaken: { grammar: new Set(), schema: new Set() },
    };
    this.#kept.set(name, kept);
    return kept;
  }

  /** Aborts what runs and turns away what waits. */
  close(): void {
    for (const { lane } of this.#kept.values()) lane.close();
  }
}

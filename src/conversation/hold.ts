// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a turn's state shows beside plain thinking while its request cannot go out yet.
import type { RunningTurn } from "./turn.ts";

export class Hold {
  readonly #turn: RunningTurn;
  #on = false;

  constructor(turn: RunningTurn) {
    this.#turn = turn;
  }

  on(why: { waiting: true } | { loading: true }): void {
    this.#on = true;
    this.#turn.emit({ type: "state", state: "thinking", ...why });
  }

  off(): void {
    if (this.#on) this.#turn.emit({ type: "state", state: "thinking" });
    this.#on = false;
  }
}

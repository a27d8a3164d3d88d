// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What of a streaming reply the person sees at once, and what is held back while it may be a call.
import type { RunningTurn } from "./turn.ts";

/** The visible side of one reply. */
export class Shown {
  readonly #turn: RunningTurn;
  readonly #mayBeCall: (text: string) => boolean;
  readonly #onFirst: () => void;
  #held: string[] = [];
  #text = "";
  #holding: boolean;
  #gap: boolean;

  /** `mayBeCall` is true while a text is to be held back. */
  constructor(turn: RunningTurn, mayBeCall: (text: string) => boolean, onFirst: () => void) {
    this.#turn = turn;
    this.#onFirst = onFirst;
    this.#mayBeCall = mayBeCall;
    this.#holding = this.#mayBeCall("");
    const before = turn.value.reply;
    this.#gap = before !== "" && !before.endsWith("\n");
  }

  text(delta: string): void {
    if (!this.#holding) {
      this.#show(delta);
      return;
    }
    this.#held.push(delta);
    this.#text += delta;
    if (!this.#mayBeCall(this.#text)) this.release();
  }

  /** The reply is text after all: shows what was held, delta by delta, or the words that count of it. */
  release(words?: string): void {
    const held = this.#held;
    const whole = words === undefined || !this.#holding || this.#text === words;
    this.#held = [];
    this.#text = "";
    this.#holding = false;
    for (const delta of whole ? held : [words]) this.#show(delta);
  }

  #show(delta: string): void {
    if (this.#gap) {
      // Text of an earlier round stands before this: a new paragraph.
      this.#gap = false;
      this.#turn.emit({ type: "token", delta: "\n\n" });
    }
    this.#onFirst();
    this.#turn.emit({ type: "token", delta });
  }
}

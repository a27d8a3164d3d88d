// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Lets servers start a few at a time: twenty programs at once would take the machine from the first question.

/** How many may be starting, as long as they do it quickly. */
const abreast = 3;
/** Milliseconds after which the next one need not wait for a slow one. */
const patienceMs = 300;

export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  /** Resolves when it is one's turn, with what to call when one is through. Nobody waits for long. */
  async enter(): Promise<() => void> {
    if (this.#inside < abreast) this.#inside += 1;
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    let through = false;
    const leave = () => {
      clearTimeout(timer);
      if (through) return;
      through = true;
      // Its place goes to the next one, or is free.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    };
    const timer = setTimeout(leave, patienceMs);
    return leave;
  }
}

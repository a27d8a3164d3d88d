// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the daemon has for the model while nobody asks, and when there is something new of it.
import type { Stored } from "../conversation/entry.ts";
import type { Served } from "../model/model.ts";
import { isoDay } from "../tools/day.ts";
import type { Session } from "./session.ts";

/** Milliseconds; a new day brings other dates into every prompt. A suspended machine counts none of them. */
const dayPace = 60_000;

type Options = {
  /** The session where a question was asked or a conversation chosen last. */
  recent: () => Session;
  now: () => Date;
  /** There is something new to do. */
  rest: () => void;
  /** A conversation has got its title. */
  onTitle: (session: Session, stored: Stored) => void;
};

export class IdleWork {
  readonly #options: Options;
  readonly #timer: NodeJS.Timeout;
  #day: string;

  constructor(options: Options) {
    this.#options = options;
    this.#day = isoDay(options.now());
    this.#timer = setInterval(() => this.#look(), dayPace);
    this.#timer.unref();
  }

  #look(): void {
    const day = isoDay(this.#options.now());
    if (day === this.#day) return;
    this.#day = day;
    this.#options.rest();
  }

  /** See IdleOptions. */
  async run(served: Served, signal: AbortSignal): Promise<void> {
    if (!served.local) return; // somebody may count the requests
    const session = this.#options.recent();
    const { conversation } = session;
    const stored = await conversation.entitle(served, signal);
    if (stored) this.#options.onTitle(session, stored);
    await conversation.readAhead(served, signal);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The waits for a person's yes: asked once, answered once, and no when nobody can answer.
import type { Verdict } from "../conversation/policy.ts";
import { ReadableError } from "../errors.ts";
import type { Confirmed, ConfirmQuestion, ConfirmRequest } from "../message.ts";

/** Milliseconds that a question stays open. */
const usualLife = 120_000;

/** A question that waits, until a time in milliseconds. */
type Open = { settle(allow: boolean): void; expire(): void; until: number };

/** Where a question is heard. */
export type Hearers = {
  /** A client that can answer is there now. */
  present(): boolean;
  tell(event: ({ type: "confirm" } & ConfirmRequest) | ({ type: "confirmed" } & Confirmed)): void;
};

export class Confirmations {
  readonly #open = new Map<string, Open>();
  readonly #life: number;
  readonly #now: () => number;

  constructor({ life = usualLife, now = Date.now } = {}) {
    this.#life = life;
    this.#now = now;
  }

  /**
   * Asks those who hear, and waits for the first answer. No at once when nobody can answer, no when
   * the time is over, also when the last who could has left. Rejects only with the signal's reason.
   */
  async ask(
    key: string,
    question: ConfirmQuestion,
    hearers: Hearers,
    signal: AbortSignal,
  ): Promise<Verdict> {
    signal.throwIfAborted();
    if (!hearers.present()) return { allow: false, reason: "nobody" };
    const { call } = question;
    const id = idOf(key, call);
    const { promise, resolve, reject } = Promise.withResolvers<
      Verdict & Pick<Confirmed, "reason">
    >();
    const onAbort = () => {
      this.#open.delete(id); // an answer behind the stop is late, in the same moment too
      reject(signal.reason);
    };
    const expire = () => resolve({ allow: false, reason: "expired" });
    const until = this.#now() + this.#life;
    this.#open.set(id, { settle: (allow) => resolve({ allow, reason: "answer" }), expire, until });
    signal.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(expire, this.#life);
    const expires = Math.floor(until / 1000);
    try {
      hearers.tell({ type: "confirm", ...question, expires });
      const verdict = await promise;
      hearers.tell({ type: "confirmed", call, ...verdict });
      return verdict;
    } finally {
      this.#open.delete(id);
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Takes an answer. Throws ReadableError "not_open" when there is no such question, or no longer. */
  answer(key: string, call: string, allow: boolean): void {
    const open = this.#open.get(idOf(key, call));
    this.#open.delete(idOf(key, call));
    // The timer stands still while the machine sleeps, the clock does not.
    const late = open !== undefined && this.#now() > open.until;
    if (late) open.expire();
    if (!open || late) {
      throw new ReadableError("not_open", "that question is not open", {
        hint: "It was answered, it expired, or its turn was stopped.",
      });
    }
    open.settle(allow);
  }
}

const idOf = (key: string, call: string) => JSON.stringify([key, call]);

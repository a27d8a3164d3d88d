// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a plugin still has to answer: each order by its number, settled once, at the latest by its end.

/** JSON text of what was returned, or why nothing was. */
export type Reply = { json: string } | { message: string };

export class Replies {
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #count = 0;
  #end: Reply | null = null;

  /** A number for an order, and its reply. */
  next(): { id: number; reply: Promise<Reply> } {
    this.#count += 1;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    if (this.#end) resolve(this.#end);
    else this.#waiting.set(this.#count, resolve);
    return { id: this.#count, reply: promise };
  }

  settle(id: number, reply: Reply): void {
    this.#waiting.get(id)?.(reply);
    this.#waiting.delete(id);
  }

  /** All that wait, and all to come. */
  end(message: string): void {
    this.#end = { message };
    for (const id of [...this.#waiting.keys()]) this.settle(id, this.#end);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What of a conversation is in the history: its number, its title, and the turns that are not there yet.
import { describe, ReadableError } from "../errors.ts";
import type { Turn } from "../message.ts";
import type { Rooms } from "./rooms.ts";

/** A stored conversation, as the rest of the program may want to know it. */
export type Stored = { id: number; title: string; updated: number };

/** A finished turn that is not yet on disk, and the key of the stored turn that it replaces. */
type Unsaved = { turn: Turn; replace: string | undefined };

type Needs = Pick<Rooms, "history" | "unsaved" | "notice" | "log">;

/** What a person is told of a thrown thing; a bug of ours also goes to the log with its stack. */
export function described(thrown: unknown, log: Rooms["log"]): ReturnType<typeof describe> {
  const fault = describe(thrown);
  if (fault.code === "internal") log(`bug: ${thrown instanceof Error ? thrown.stack : thrown}`);
  return fault;
}

/** A model that writes no title this often writes none. */
const mostTitles = 3;

/** Of a private conversation it keeps nothing, and takes nothing. */
export class Entry {
  readonly private: boolean;
  /** Null until the first turn is stored; always null when private. */
  id: number | null;
  title: string;
  /** The title is more than the first words of the first question. */
  titled: boolean;
  readonly #needs: Needs;
  #unsaved: Unsaved[] = [];
  /** How often the model has come to no title. */
  #inVain = 0;

  constructor(
    needs: Needs,
    from: { id?: number | null; title?: string; titled?: boolean; private?: boolean },
  ) {
    this.#needs = needs;
    this.private = from.private ?? false;
    this.id = from.id ?? null;
    this.title = from.title ?? "";
    this.titled = from.titled ?? false;
  }

  /** All turns are on disk. */
  get saved(): boolean {
    return this.#unsaved.length === 0;
  }

  /** As it stood when only these turns were there. */
  before(turns: readonly Turn[]): Entry {
    const earlier = new Entry(this.#needs, this);
    earlier.#unsaved = this.#unsaved.filter((one) => turns.includes(one.turn));
    return earlier;
  }

  /** The key of the turn on disk in whose place this one stands. */
  storedKey(turn: Turn): string | undefined {
    const unsaved = this.#unsaved.find((one) => one.turn === turn);
    return unsaved ? unsaved.replace : turn.key;
  }

  /** A question was asked: it is on disk before the model is. */
  begin(question: { key: string; text: string; at: number }): void {
    this.#quietly(() => this.#needs.history.begin({ ...question, id: this.id }));
  }

  /** A question came to nothing. */
  drop(key: string): void {
    this.#quietly(() => this.#needs.history.drop(key));
  }

  /** A history that cannot be written must not stop an answer; when the turn cannot be stored, it is told. */
  #quietly(write: () => void): void {
    if (this.private) return;
    try {
      write();
    } catch (thrown) {
      const { log } = this.#needs;
      if (thrown instanceof ReadableError) log(`history: ${thrown.message}`);
      else described(thrown, log);
    }
  }

  /** Stores a finished turn in the place of another; null when it could not be. */
  store(turn: Turn, replace: string | undefined): Stored | null {
    if (this.private) return null;
    this.#unsaved.push({ turn, replace });
    const stored = this.save();
    // The file takes writes again: so it does for conversations that were left meanwhile.
    if (this.saved) for (const other of [...this.#needs.unsaved]) other.save();
    return stored;
  }

  /** Stores what is not on disk yet, oldest first; what cannot be stored waits for the next try. */
  save(): Stored | null {
    const { history, unsaved, notice, log } = this.#needs;
    let stored: Stored | null = null;
    try {
      for (let next = this.#unsaved[0]; next; next = this.#unsaved[0]) {
        const { turn, replace } = next;
        stored = history.finish(this.id, turn, replace === undefined ? {} : { replace });
        this.id = stored.id;
        this.title = stored.title;
        this.#unsaved.shift();
      }
    } catch (thrown) {
      // The person has read the answer: whatever is wrong with the history, the turn is no failure.
      const { code, message, hint } = described(thrown, log);
      const why = code === "not_saved" ? "" : `: ${message}`;
      notice({ code, message: `the answer was not saved in the history${why}`, hint });
      if (code !== "not_saved") this.#unsaved.shift(); // it would stand before all later ones for ever
    }
    if (this.saved) unsaved.delete(this);
    else unsaved.add(this);
    return stored;
  }

  /** The model may write the title. */
  get nameable(): boolean {
    return this.id !== null && this.saved && !this.titled && this.#inVain < mostTitles;
  }

  /** The model came to no title. */
  untitled(): null {
    this.#inVain += 1;
    return null;
  }

  /** Stores a title that the model wrote; null when there is one already, or no conversation any more. */
  entitle(title: string): Stored | null {
    if (this.id === null || this.titled) return null;
    const stored = this.#needs.history.title(this.id, title, "model");
    // Otherwise the person has set one meanwhile, and the next answer tells it.
    this.titled = true;
    if (stored) this.title = stored.title;
    return stored;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the history promises to the rest of the program.
import type { Turn } from "../message.ts";

export type ConversationItem = { id: number; title: string; updated: number };
/** Who writes a title. */
export type Titler = "model" | "person";
/** A conversation, or a part of it; `titled`: its title is more than the first words of its first question. */
export type Loaded = { id: number; title: string; titled: boolean; turns: Turn[]; more: boolean };
export type Found = { id: number; title: string; snippet: string };

export interface History {
  /** Newest `updated` first; `before` is an `updated` value; no limit: all. */
  list(options?: { limit?: number; before?: number }): ConversationItem[];
  /**
   * Null when there is no such conversation. The last `limit` turns before `beforeKey`, oldest first.
   * Throws ReadableError "no_turn" for a `beforeKey` that is not in it. This and every other read
   * throws "history_damaged" when it meets a damaged part of the file.
   */
  load(id: number, options?: { limit?: number; beforeKey?: string }): Loaded | null;
  /**
   * The question is on disk before the model is asked. Throws ReadableError "not_saved" when it cannot
   * be: then nothing is stored, and it may be asked all the same.
   */
  begin(question: { key: string; text: string; at: number; id: number | null }): void;
  /**
   * Stores a finished turn in one transaction and forgets its unfinished question. A null id makes the
   * conversation (its title: the first six words). With `replace`, that turn and what followed it move
   * to the superseded ones in the same transaction. Throws ReadableError "not_saved" (disk full,
   * read-only, I/O, its conversation deleted meanwhile), "no_turn" for an unknown `replace`; the turn
   * is then not stored, and later calls may work again. A call without its result is a bug: Error.
   */
  finish(id: number | null, turn: Turn, options?: { replace?: string }): ConversationItem;
  /**
   * Gives a conversation its title; its `updated` stays. Null when there is no such conversation, and
   * for the model also when somebody has given it one. Throws ReadableError "not_saved" as `finish` does.
   */
  title(id: number, title: string, by: Titler): ConversationItem | null;
  /** Forgets an unfinished question: its turn was stopped or failed. */
  drop(key: string): void;
  /** One hit a conversation, best first, at most 30. `reason` says why nothing was found. */
  search(q: string): Promise<{ items: Found[]; reason?: string }>;
  /**
   * False when there was none. The words are removed from the file too (a big file is cleaned between
   * other work). Throws ReadableError "not_deleted" when the file cannot be written.
   */
  delete(id: number): boolean;
  /** Counts for `status`. */
  counts(): { conversations: number; turns: number };
  close(): void;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The history as the rest of the program has it: one open file that mends itself and says so.
import { ReadableError } from "../errors.ts";
import type { Notice } from "../message.ts";
import { suspect } from "./damage.ts";
import { openDatabase, openForWriting } from "./database.ts";
import { isCorrupt, isDamage, isUnwritable } from "./faults.ts";
import { cleanWords, deleteConversation, deleteInCopies } from "./forget.ts";
import { indexRebuilt, mendIndexes } from "./index-health.ts";
import { unpaired } from "./repair.ts";
import { searchTurns } from "./search.ts";
import { transaction } from "./sql.ts";
import {
  beginQuestion,
  countAll,
  dropQuestion,
  listConversations,
  loadConversation,
  storeTitle,
  storeTurn,
} from "./store.ts";
import type { History } from "./turns.ts";

type Refusal = "not_saved" | "not_deleted";

function refusal(code: Refusal, cause: unknown): ReadableError {
  const what = code === "not_saved" ? "not saved in the history" : "not deleted from the history";
  const hint =
    cause instanceof ReadableError
      ? cause.hint
      : "Check that the disk has space and that the history's file and folder are writable.";
  return new ReadableError(code, `this was ${what}`, { hint, cause });
}

const isDamagedHistory = (thrown: unknown) =>
  thrown instanceof ReadableError && thrown.code === "history_damaged";

/**
 * Opens the history at `path`, whatever state it is in; its folder is made private. `onNotice` is
 * called during the opening, and later when something was mended.
 */
export function openHistory(
  path: string,
  { onNotice }: { onNotice: (notice: Notice) => void },
): History {
  let opened = openDatabase(path, onNotice);
  let stopCleaning: (() => void) | null = null;

  /** Runs `work`; if the search index turns out to be damaged, mends it and runs it again. */
  function mending<T>(work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      if (!isCorrupt(thrown)) throw thrown;
      try {
        if (opened.writable && mendIndexes(opened.db)) {
          onNotice(indexRebuilt);
          return work();
        }
      } catch (again) {
        if (!isDamage(again)) throw again;
      }
      suspect(path);
      throw new ReadableError("history_damaged", "the history's file is damaged", {
        hint: "Restart the assistant: it keeps the damaged file and saves what can be read of it.",
        cause: thrown,
      });
    }
  }

  /** A file that could not be written at the start may be writable by now. */
  function openAgain(): void {
    const fresh = openForWriting(path, onNotice);
    opened.db.close();
    opened = fresh;
  }

  function write<T>(code: Refusal, work: () => T, options: { synced?: boolean } = {}): T {
    try {
      if (!opened.writable) openAgain();
      return mending(() => transaction(opened.db, work, options));
    } catch (thrown) {
      if (isUnwritable(thrown) || isCorrupt(thrown) || isDamagedHistory(thrown)) {
        throw refusal(code, thrown);
      }
      throw thrown;
    }
  }

  /** What cannot be cleaned now stays noted in the file and is tried again at the next start. */
  function cleanLater(thrown: unknown): void {
    if (!isUnwritable(thrown) && !isCorrupt(thrown)) throw thrown;
    if (!isCorrupt(thrown)) return;
    try {
      if (!mendIndexes(opened.db)) return;
    } catch (again) {
      if (!isUnwritable(again) && !isCorrupt(again)) throw again;
      suspect(path);
      return;
    }
    onNotice(indexRebuilt);
    clean();
  }

  function clean(): void {
    stopCleaning?.();
    try {
      stopCleaning = cleanWords(opened.db, path, cleanLater);
    } catch (thrown) {
      cleanLater(thrown);
    }
  }

  if (opened.writable) clean();

  return {
    list: (options) => mending(() => listConversations(opened.db, options)),
    load: (id, options) => mending(() => loadConversation(opened.db, id, options)),
    // The first token waits for this one, so not for the disk: 0.4 ms, and 10 ms when it is busy.
    begin: (question) =>
      write("not_saved", () => beginQuestion(opened.db, question), { synced: false }),
    drop(key) {
      // What cannot be written has no unfinished question of this run.
      if (opened.writable)
        write("not_saved", () => dropQuestion(opened.db, key), { synced: false });
    },
    finish(id, turn, { replace } = {}) {
      const lonely = unpaired(turn.messages);
      if (lonely !== null) throw new Error(`turn ${turn.key}: call ${lonely} has no result`);
      if (id === null && replace !== undefined) {
        throw new Error(`turn ${turn.key}: nothing to replace in a new conversation`);
      }
      return write("not_saved", () => storeTurn(opened.db, id, turn, replace));
    },
    title: (id, title, by) => write("not_saved", () => storeTitle(opened.db, { id, title, by })),
    search: async (q) => mending(() => searchTurns(opened.db, q)),
    delete(id) {
      const gone = write("not_deleted", () => deleteConversation(opened.db, id));
      if (gone === null) return false;
      try {
        deleteInCopies(opened.db, path, gone);
      } catch (thrown) {
        // A copy that cannot be changed stays as it is: the conversation itself is deleted.
        if (!isUnwritable(thrown) && !isDamage(thrown)) throw thrown;
      }
      clean();
      return true;
    },
    counts: () => mending(() => countAll(opened.db)),
    close() {
      stopCleaning?.();
      if (opened.db.isOpen) opened.db.close();
    },
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Deletes a conversation so that its words are gone from every file of ours, not only from view.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDamage, isUnwritable } from "./faults.ts";
import { numberOf } from "./sql.ts";

const chore = "forget";
/** Up to this size the index is cleaned at once (under 50 ms); a bigger one in small steps when idle. */
const atOnce = 8 * 1024 * 1024;
const pagesOfStep = 200;
const indexes = ["turns_fts", "superseded_fts"];

/** Deletes the rows and notes, in the same transaction, that the words are still to be cleaned away. */
export function deleteConversation(db: DatabaseSync, id: number): boolean {
  const { changes } = db.prepare("DELETE FROM conversations WHERE id = ?").run(id);
  if (Number(changes) === 0) return false;
  db.prepare("INSERT OR IGNORE INTO chores(name) VALUES (?)").run(chore);
  return true;
}

function pragma(db: DatabaseSync, name: string): number {
  return numberOf(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function isPending(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM chores WHERE name = ?").get(chore) !== undefined;
}

/** The write-ahead file still holds the old pages; false when another program is reading them. */
function emptyLog(db: DatabaseSync): boolean {
  return numberOf(db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy) === 0;
}

function finishChore(db: DatabaseSync): void {
  if (!emptyLog(db)) return;
  db.prepare("DELETE FROM chores WHERE name = ?").run(chore);
}

/** One bounded piece of merging; true when the index has nothing more to merge. */
function mergeStep(db: DatabaseSync, index: string, pages: number): boolean {
  const total = () => numberOf(db.prepare("SELECT total_changes() AS n").get()?.n);
  const before = total();
  db.prepare(`INSERT INTO ${index}(${index}, rank) VALUES ('merge', ?)`).run(pages);
  return total() - before < 2;
}

/**
 * Cleans the words of deleted rows out of the search index and the write-ahead file. A small file is
 * clean on return. A big one is cleaned step by step between other work; an end of the process before
 * that is done is made up for at the next start. Returns a function that ends the steps.
 */
export function cleanWords(db: DatabaseSync, onFault: (thrown: unknown) => void): () => void {
  let next: NodeJS.Immediate | null = null;
  const stop = () => {
    if (next) clearImmediate(next);
    next = null;
  };
  if (!isPending(db)) return stop;
  if (pragma(db, "page_count") * pragma(db, "page_size") <= atOnce) {
    for (const index of indexes) db.exec(`INSERT INTO ${index}(${index}) VALUES ('optimize')`);
    finishChore(db);
    return stop;
  }
  const todo = [...indexes];
  let first = true;
  const step = () => {
    next = null;
    const index = todo[0];
    try {
      if (index === undefined) return finishChore(db);
      // A negative count first brings all segments to one level, so that all of them are merged.
      const done = mergeStep(db, index, first ? -pagesOfStep : pagesOfStep) && !first;
      if (done) todo.shift();
      first = done;
      next = setImmediate(step).unref();
    } catch (thrown) {
      onFault(thrown);
    }
  };
  next = setImmediate(step).unref();
  return stop;
}

function forgetInCopy(file: string, { id, created }: { id: number; created: number | null }): void {
  let copy: DatabaseSync | null = null;
  try {
    copy = new DatabaseSync(file);
    copy.exec("PRAGMA secure_delete = ON");
    const { changes } = copy
      .prepare("DELETE FROM conversations WHERE id = ? AND created IS ?")
      .run(id, created);
    if (Number(changes) > 0) copy.exec("INSERT INTO turns_fts(turns_fts) VALUES ('optimize')");
  } finally {
    copy?.close();
  }
}

/** Copies kept before a migration hold the conversation too, under the same id and time. */
export function forgetInCopies(path: string, conversation: { id: number; created: number | null }) {
  const stem = `${basename(path)}.before.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(stem) || !/^\d+$/.test(name.slice(stem.length))) continue;
      forgetInCopy(join(dirname(path), name), conversation);
    }
  } catch (thrown) {
    // A copy that cannot be changed stays as it is: the delete itself has happened.
    if (!isDamage(thrown) && !isUnwritable(thrown)) throw thrown;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Deletes a conversation so that its words are gone from every file of ours, not only from view.
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { numberOf, textOf } from "./sql.ts";

/** The chore of cleaning our own file; that of a copy has the copy's file name. */
const ownFile = "forget";
const indexes = ["turns_fts", "superseded_fts"];
/** Up to this size (bytes) all is cleaned at once; a bigger file in small steps when idle. */
const atOnce = 8 * 1024 * 1024;
/** Pages merged in one step: about 10 ms. */
const pagesOfStep = 50;

type Conversation = { id: number; created: number | null };

/** Remembers that the words of deleted rows are to be cleaned out of our own file, or of a copy. */
export function noteChore(db: DatabaseSync, name: string): void {
  db.prepare("INSERT OR IGNORE INTO chores(name) VALUES (?)").run(name);
}

/** Deletes the rows and notes, in the same transaction, that the words are still to be cleaned away. */
export function deleteConversation(db: DatabaseSync, id: number): Conversation | null {
  const row = db.prepare("SELECT created FROM conversations WHERE id = ?").get(id);
  if (!row) return null;
  db.prepare("DELETE FROM conversations WHERE id = ?").run(id);
  noteChore(db, ownFile);
  return { id, created: typeof row.created === "number" ? row.created : null };
}

function openCopy(file: string): DatabaseSync {
  const copy = new DatabaseSync(file);
  copy.exec("PRAGMA secure_delete = ON");
  return copy;
}

/** Copies kept before a migration hold the conversation too, under the same id and time. */
export function deleteInCopies(db: DatabaseSync, path: string, { id, created }: Conversation) {
  const stem = `${basename(path)}.before.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(stem) || !/^\d+$/.test(name.slice(stem.length))) continue;
    const copy = openCopy(join(dirname(path), name));
    try {
      const found = copy
        .prepare("DELETE FROM conversations WHERE id = ? AND created IS ?")
        .run(id, created);
      if (Number(found.changes) > 0) noteChore(db, name);
    } finally {
      copy.close();
    }
  }
}

function pragma(db: DatabaseSync, name: string): number {
  return numberOf(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/**
 * Leaves no entry of a deleted row in an index. Not by "optimize": when all parts of an index are on
 * one level, FTS5 keeps the words of deleted rows as marks of their deletion (seen in small files).
 */
function* merge(db: DatabaseSync, index: string, whole: boolean): Generator<void> {
  if (whole) {
    db.exec(`INSERT INTO ${index}(${index}) VALUES ('rebuild')`);
    return;
  }
  const step = db.prepare(`INSERT INTO ${index}(${index}, rank) VALUES ('merge', ?)`);
  const total = () => numberOf(db.prepare("SELECT total_changes() AS n").get()?.n);
  // A negative count first brings all segments to one level, so that all of them are merged.
  step.run(-pagesOfStep);
  for (let before = -2; total() - before >= 2; ) {
    yield;
    before = total();
    step.run(pagesOfStep);
  }
}

/**
 * secure_delete clears what it frees, but when SQLite moves rows between pages old bytes can stay in
 * the gaps (seen, if rarely). Only writing every page anew removes them.
 */
function packAgain(db: DatabaseSync): void {
  db.exec("PRAGMA temp_store = MEMORY; VACUUM");
}

/** The write-ahead file still holds the old pages; false when another program is reading them. */
function emptyLog(db: DatabaseSync): boolean {
  return numberOf(db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy) === 0;
}

function* cleanCopy(file: string, whole: boolean): Generator<void> {
  if (!existsSync(file)) return;
  const copy = openCopy(file);
  try {
    // A copy of the earlier daemon's file has but one.
    const has = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?");
    for (const index of indexes) if (has.get(index)) yield* merge(copy, index, whole);
    if (whole) packAgain(copy);
  } finally {
    copy.close();
  }
}

/** The steps of all noted chores; `whole` does each index in one. Ended early, it closes its files. */
export function* cleaning(db: DatabaseSync, path: string, whole: boolean): Generator<void> {
  const chores = db.prepare("SELECT name FROM chores").all();
  for (const name of chores.map((row) => textOf(row.name))) {
    if (name === ownFile) {
      for (const index of indexes) yield* merge(db, index, whole);
      if (whole) packAgain(db);
    } else {
      yield* cleanCopy(join(dirname(path), name), whole);
    }
    if (emptyLog(db)) db.prepare("DELETE FROM chores WHERE name = ?").run(name);
  }
}

/**
 * Cleans the words of deleted rows out of the search index and the write-ahead file. A small file is
 * clean on return. A big one is cleaned step by step between other work, all but the gaps in its pages;
 * an end of the process before that is done is made up for at the next start. Returns a function that ends the steps.
 */
export function cleanWords(
  db: DatabaseSync,
  path: string,
  onFault: (thrown: unknown) => void,
): () => void {
  const whole = pragma(db, "page_count") * pragma(db, "page_size") <= atOnce;
  const steps = cleaning(db, path, whole);
  if (whole) for (const _ of steps);
  let next: NodeJS.Immediate | null = null;
  const step = () => {
    next = null;
    try {
      if (!steps.next().done) next = setImmediate(step).unref();
    } catch (thrown) {
      onFault(thrown);
    }
  };
  if (!whole) next = setImmediate(step).unref();
  return () => {
    if (next) clearImmediate(next);
    next = null;
    steps.return(undefined);
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The search index: is it sound, and how it is built again from the rows, which lose nothing by it.
import type { DatabaseSync } from "node:sqlite";
import type { Notice } from "../message.ts";
import { DamagedFile, isDamage } from "./faults.ts";
import { createTriggers, type Indexed, textOf, transaction, triggersOf } from "./sql.ts";

export const indexRebuilt: Notice = {
  code: "history_index_rebuilt",
  message: "the search index of the history was damaged and has been built again",
  hint: "Nothing was lost, and nothing needs to be done.",
};

function indexed(db: DatabaseSync): Indexed[] {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const have = new Set(names.map((row) => textOf(row.name)));
  const tables: Indexed[] = ["turns", "superseded"];
  return tables.filter((table) => have.has(table));
}

function isSound(db: DatabaseSync, table: Indexed): boolean {
  const index = `${table}_fts`;
  try {
    // The 1 compares the index with the rows, too.
    db.exec(`INSERT INTO ${index}(${index}, rank) VALUES ('integrity-check', 1)`);
    return true;
  } catch (thrown) {
    if (isDamage(thrown)) return false;
    throw thrown;
  }
}

/** DROP TABLE first opens the index, which a damaged one refuses: so it is taken out of the schema. */
function replaceIndex(db: DatabaseSync, table: Indexed): void {
  const index = `${table}_fts`;
  db.enableDefensive(false);
  db.exec("PRAGMA writable_schema = ON");
  try {
    transaction(db, () => {
      db.prepare("DELETE FROM sqlite_schema WHERE name = ?").run(index);
      db.exec("PRAGMA writable_schema = RESET");
      for (const part of ["data", "idx", "content", "docsize", "config"]) {
        db.exec(`DROP TABLE IF EXISTS ${index}_${part}`);
      }
      createTriggers(db, table);
    });
  } finally {
    // After a fault, too, the schema in memory must be the one of the file.
    db.exec("PRAGMA writable_schema = RESET");
    db.enableDefensive(true);
  }
}

/** Builds one index again; throws DamagedFile when the file does not even allow that. */
function rebuild(db: DatabaseSync, table: Indexed): void {
  const index = `${table}_fts`;
  try {
    db.exec(`INSERT INTO ${index}(${index}) VALUES ('rebuild')`);
    if (isSound(db, table)) return;
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
  }
  try {
    replaceIndex(db, table);
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    throw new DamagedFile(`${index} cannot be built again`, { cause: thrown });
  }
}

/** True when an index was unsound and is sound again. Costs about 8 ms a thousand turns. */
export function mendIndexes(db: DatabaseSync): boolean {
  const bad = indexed(db).filter((table) => !isSound(db, table));
  for (const table of bad) rebuild(db, table);
  return bad.length > 0;
}

/**
 * The earlier daemon may have given a file of ours its own triggers, under names we do not know; two
 * of a kind would index each turn twice. Keeps the first. True when the index had to be built again.
 */
export function singleTriggers(db: DatabaseSync): boolean {
  let mended = false;
  for (const table of indexed(db)) {
    const triggers = triggersOf(db, table);
    const spare = [...triggers.insert.slice(1), ...triggers.delete.slice(1)];
    if (spare.length === 0 && triggers.insert.length > 0 && triggers.delete.length > 0) continue;
    transaction(db, () => {
      for (const name of spare) db.exec(`DROP TRIGGER "${name.replaceAll('"', '""')}"`);
      createTriggers(db, table);
      db.exec(`INSERT INTO ${table}_fts(${table}_fts) VALUES ('rebuild')`);
    });
    mended = true;
  }
  return mended;
}

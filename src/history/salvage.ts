// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Copies what can still be read of a damaged file into the fresh one.
import { rmSync, statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { isDamage, isUnwritable } from "./faults.ts";
import { textOf, transaction } from "./sql.ts";
import { titleOf } from "./title.ts";

const tables = ["conversations", "turns", "superseded", "unfinished"];

const columnsOf = (db: DatabaseSync, table: string) =>
  db
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map((row) => textOf(row.name));

function copyTable(from: DatabaseSync, to: DatabaseSync, table: string): void {
  const have = new Set(columnsOf(from, table));
  const columns = columnsOf(to, table).filter((name) => have.has(name));
  if (columns.length === 0) return;
  const names = columns.join(", ");
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${table}(${names}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  // From both ends, because reading stops at the first damaged page.
  for (const order of ["ASC", "DESC"]) {
    try {
      const rows = from.prepare(`SELECT ${names} FROM ${table} ORDER BY rowid ${order}`).iterate();
      for (const row of rows) {
        const values: SQLInputValue[] = columns.map((name) => row[name] ?? null);
        insert.run(...values);
      }
      return;
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
    }
  }
}

/** Turns whose conversation could not be read get one again, named as a new one would be. */
function addMissingConversations(db: DatabaseSync): void {
  const orphans = db
    .prepare(
      `SELECT conv, max(at) AS at,
         (SELECT user FROM turns AS first WHERE first.conv = turns.conv ORDER BY seq LIMIT 1) AS user
       FROM turns WHERE conv NOT IN (SELECT id FROM conversations) GROUP BY conv`,
    )
    .all();
  const insert = db.prepare(
    "INSERT INTO conversations(id, title, created, updated) VALUES (?, ?, ?, ?)",
  );
  for (const { conv, user, at } of orphans) {
    const time = at ?? 0;
    insert.run(conv ?? null, titleOf(textOf(user)), time, time);
  }
  for (const table of ["superseded", "unfinished"]) {
    db.exec(`DELETE FROM ${table} WHERE conv NOT IN (SELECT id FROM conversations)`);
  }
  db.exec("DELETE FROM turns WHERE conv IS NULL");
}

/** The number of turns that were saved; 0 when nothing of the file at `path` can be read. */
export function salvage(path: string, fresh: DatabaseSync): number {
  let damaged: DatabaseSync | null = null;
  fresh.exec("PRAGMA foreign_keys = OFF");
  try {
    const from = new DatabaseSync(path, { readOnly: true });
    damaged = from;
    transaction(fresh, () => {
      for (const table of tables) copyTable(from, fresh, table);
      addMissingConversations(fresh);
    });
  } catch (thrown) {
    // The fresh file stays as it was; the damaged one is kept for whoever can do more with it.
    if (!isDamage(thrown) && !isUnwritable(thrown)) throw thrown;
  } finally {
    damaged?.close();
    // Reading made an empty write-ahead file and its index.
    if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size === 0) {
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
    }
    fresh.exec("PRAGMA foreign_keys = ON");
  }
  const count = fresh.prepare("SELECT count(*) AS count FROM turns").get()?.count;
  return typeof count === "number" ? count : 0;
}

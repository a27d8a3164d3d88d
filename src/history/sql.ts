// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What every SQL file of this room needs: a transaction, values out of rows, an indexed table.
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";

/**
 * Runs `work` in one transaction that has the write lock from its start; undone when it throws. Without
 * `synced` it outlives a kill -9 but not a power cut, and nobody waits for the disk.
 */
export function transaction<T>(db: DatabaseSync, work: () => T, { synced = true } = {}): T {
  if (!synced) db.exec("PRAGMA synchronous = NORMAL");
  try {
    db.exec("BEGIN IMMEDIATE");
    const result = work();
    db.exec("COMMIT");
    return result;
  } finally {
    // Still open only after a fault; after some of them SQLite has already undone it.
    if (db.isTransaction) db.exec("ROLLBACK");
    if (!synced) db.exec("PRAGMA synchronous = FULL");
  }
}

/** A column's text, whatever an older program stored there; absent is "". */
export function textOf(value: SQLOutputValue | undefined): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

/** A column's number; anything else is `otherwise`. */
export function numberOf(value: SQLOutputValue | undefined, otherwise = 0): number {
  return typeof value === "number" ? value : otherwise;
}

/** JSON of a column, or null when there is none or it is broken. */
export function jsonOf(value: SQLOutputValue | undefined): unknown {
  if (typeof value !== "string" || value === "") return null;
  try {
    return JSON.parse(value);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

/** True for a JSON object; arrays and null are none. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The tables with a search index beside them. */
export type Indexed = "turns" | "superseded";

const mentions = (db: DatabaseSync, table: Indexed, event: "insert" | "delete") =>
  db
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? ORDER BY rowid",
    )
    .all(table)
    .filter((row) => {
      const sql = textOf(row.sql).toLowerCase();
      return sql.includes(`${table}_fts`) && sql.includes(`after ${event}`);
    })
    .map((row) => textOf(row.name));

/** Names of the triggers that keep the index, oldest first. */
export const triggersOf = (db: DatabaseSync, table: Indexed) => ({
  insert: mentions(db, table, "insert"),
  delete: mentions(db, table, "delete"),
});

/** Makes the index of a table and its triggers where they are missing; true when one was made. */
export function createTriggers(db: DatabaseSync, table: Indexed): boolean {
  const index = `${table}_fts`;
  const have = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(index) !== undefined;
  if (!have) {
    db.exec(`CREATE VIRTUAL TABLE ${index} USING fts5(user, reply, content='${table}',
      content_rowid='id', tokenize='unicode61 remove_diacritics 2')`);
  }
  const triggers = triggersOf(db, table);
  if (triggers.insert.length === 0) {
    db.exec(`CREATE TRIGGER ${table}_ai AFTER INSERT ON ${table} BEGIN
      INSERT INTO ${index}(rowid, user, reply) VALUES (new.id, new.user, new.reply); END`);
  }
  if (triggers.delete.length === 0) {
    db.exec(`CREATE TRIGGER ${table}_ad AFTER DELETE ON ${table} BEGIN
      INSERT INTO ${index}(${index}, rowid, user, reply)
      VALUES ('delete', old.id, old.user, old.reply); END`);
  }
  const made = !have || triggers.insert.length === 0 || triggers.delete.length === 0;
  if (made) db.exec(`INSERT INTO ${index}(${index}) VALUES ('rebuild')`);
  return made;
}

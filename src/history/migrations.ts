// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The schema, as an append-only list of steps; the first one is the schema of the earlier daemon.
import { renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { freeName } from "./damage.ts";
import { noteChore } from "./forget.ts";
import { createTriggers, transaction } from "./sql.ts";

/** Adds the columns that a table has not yet; each is written as its name and its type. */
function addColumns(db: DatabaseSync, table: string, columns: readonly string[]): void {
  const have = new Set(
    db
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map((row) => row.name),
  );
  for (const column of columns) {
    const name = column.split(" ")[0] ?? "";
    if (!have.has(name)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column}`);
  }
}

/**
 * Never change a step that was released: add one. The earlier daemon must go on reading and deleting
 * in the file, so columns are nullable, tables cascade, and only functions built into an older SQLite
 * are used.
 */
const steps: ((db: DatabaseSync) => void)[] = [
  (db) => {
    db.exec(`
      CREATE TABLE IF NOT EXISTS conversations(
        id INTEGER PRIMARY KEY, title TEXT, created INTEGER, updated INTEGER);
      CREATE TABLE IF NOT EXISTS turns(
        id INTEGER PRIMARY KEY, conv INTEGER REFERENCES conversations ON DELETE CASCADE,
        seq INTEGER, user TEXT, reply TEXT, tools TEXT, messages TEXT)`);
    createTriggers(db, "turns");
  },
  (db) => {
    addColumns(db, "turns", ["key TEXT", "at INTEGER", "calls TEXT", "versions TEXT"]);
    db.exec(`
      CREATE UNIQUE INDEX turns_by_key ON turns(key) WHERE key IS NOT NULL;
      CREATE INDEX turns_by_conversation ON turns(conv, seq);
      CREATE INDEX conversations_by_updated ON conversations(updated);
      CREATE TABLE superseded(
        id INTEGER PRIMARY KEY, conv INTEGER REFERENCES conversations ON DELETE CASCADE,
        seq INTEGER, user TEXT, reply TEXT, tools TEXT, messages TEXT,
        key TEXT, at INTEGER, calls TEXT, versions TEXT, version TEXT, replaced_by TEXT);
      CREATE INDEX superseded_by_conversation ON superseded(conv, version);
      CREATE TABLE unfinished(
        key TEXT PRIMARY KEY, text TEXT, at INTEGER,
        conv INTEGER REFERENCES conversations ON DELETE CASCADE);
      CREATE INDEX unfinished_by_conversation ON unfinished(conv);
      CREATE TABLE chores(name TEXT PRIMARY KEY)`);
    createTriggers(db, "superseded");
  },
  (db) => {
    // Who wrote the title, "model" or "person"; null: it is the first words of the first question.
    addColumns(db, "conversations", ["titled TEXT"]);
    // 1: the question was asked to be answered aloud.
    for (const table of ["turns", "superseded"]) addColumns(db, table, ["aloud INTEGER"]);
  },
];

const isTable = (db: DatabaseSync, name: string) =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
  undefined;

function versionOf(db: DatabaseSync): number {
  if (!isTable(db, "migrations")) return 0;
  const newest = db.prepare("SELECT max(version) AS version FROM migrations").get()?.version;
  return typeof newest === "number" ? newest : 0;
}

function keepCopy(db: DatabaseSync, path: string): void {
  const copy = freeName(`${path}.before`);
  const growing = `${copy}.part`;
  rmSync(growing, { force: true });
  try {
    db.prepare("VACUUM INTO ?").run(growing);
    renameSync(growing, copy);
  } finally {
    rmSync(growing, { force: true });
  }
  // What was deleted and is not cleaned away yet has been copied, too.
  const unclean = isTable(db, "chores") && db.prepare("SELECT 1 FROM chores").get() !== undefined;
  if (unclean) noteChore(db, basename(copy));
}

/**
 * Runs the missing steps, each in one transaction, after a copy of an existing file was kept beside
 * it (`<path>.before.<time>`). An empty path means a database in memory.
 */
export function migrate(db: DatabaseSync, path: string): void {
  const version = versionOf(db);
  if (version >= steps.length) return;
  if (path !== "" && isTable(db, "turns")) keepCopy(db, path);
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    transaction(db, () => {
      // Another process may have been faster since the version was read.
      if (versionOf(db) > index) return;
      step(db);
      db.exec("CREATE TABLE IF NOT EXISTS migrations(version INTEGER PRIMARY KEY, at INTEGER)");
      const now = Math.floor(Date.now() / 1000);
      db.prepare("INSERT INTO migrations VALUES(?, ?)").run(index + 1, now);
    });
  }
}

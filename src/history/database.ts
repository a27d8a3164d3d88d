// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Opens the history's file: its modes, its settings, and what is done when it cannot be written.
import { chmodSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Notice } from "../message.ts";
import { checkAtStart, setAside } from "./damage.ts";
import { isDamage, isUnwritable } from "./faults.ts";
import { indexRebuilt, singleTriggers } from "./index-health.ts";
import { migrate } from "./migrations.ts";
import { salvage } from "./salvage.ts";

/** An open file. When not `writable`, `db` reads what could be read, or is an empty one in memory. */
export type Opened = { db: DatabaseSync; writable: boolean };

/** How long a call waits for another program's write, in milliseconds; the event loop stands still. */
const busyTimeout = 1000;

/** The files that SQLite keeps for one database. */
const filesOf = (path: string) => [path, `${path}-wal`, `${path}-shm`];

/** Takes the rights of others away and leaves the owner's: a file may be read-only on purpose. */
function closeToOthers(path: string): void {
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
}

function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const seen = lstatSync(folder);
  // A sticky folder is shared (/tmp): not ours to close.
  const shared = (seen.mode & 0o1000) !== 0 || seen.uid !== process.getuid?.();
  if (!shared) closeToOthers(folder);
}

/**
 * Opens for reading and writing, brings the schema up to date and checks small files.
 * Throws what SQLite or the file system throws; nothing stays open then.
 */
export function openForWriting(path: string, onNotice: (notice: Notice) => void): Opened {
  const umask = process.umask(0o077);
  let db: DatabaseSync | null = null;
  try {
    privateFolder(dirname(path));
    const before = lstatSync(path, { throwIfNoEntry: false });
    db = new DatabaseSync(path, { timeout: busyTimeout });
    filesOf(path).forEach(closeToOthers);
    // FULL: a finished turn survives a power cut; it costs about 1 ms a turn.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    // Takes the write lock once, so that a file of another owner is noticed now.
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    const rebuilt = before ? checkAtStart(db, path) : false;
    migrate(db, path);
    if (singleTriggers(db) || rebuilt) onNotice(indexRebuilt);
    return { db, writable: true };
  } catch (thrown) {
    db?.close();
    throw thrown;
  } finally {
    process.umask(umask);
  }
}

/** Columns that were not there from the beginning. */
const added = { turns: ["key", "at", "calls", "versions", "aloud"], conversations: ["titled"] };

/** An older file that cannot be changed lacks our columns; a view in memory stands in for its table. */
function showOlder(db: DatabaseSync): void {
  for (const [table, columns] of Object.entries(added)) {
    const have = new Set(
      db
        .prepare(`PRAGMA main.table_info(${table})`)
        .all()
        .map((row) => row.name),
    );
    const missing = columns.filter((name) => !have.has(name));
    // A table that is not there at all is for the reader to find.
    if (missing.length === 0 || have.size === 0) continue;
    const nulls = missing.map((name) => `NULL AS ${name}`).join(", ");
    db.exec(`PRAGMA temp_store = MEMORY;
      CREATE TEMP VIEW ${table} AS SELECT old.*, ${nulls} FROM main.${table} AS old`);
  }
}

function readable(address: string | URL): DatabaseSync | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(address, { readOnly: true, timeout: busyTimeout });
    showOlder(db);
    db.prepare("SELECT conv, key, at, calls, versions, aloud FROM turns LIMIT 1").get();
    db.prepare("SELECT title, titled, updated FROM conversations LIMIT 1").get();
    return db;
  } catch (thrown) {
    db?.close();
    if (isUnwritable(thrown) || isDamage(thrown)) return null;
    throw thrown;
  }
}

function openForReading(path: string, onNotice: (notice: Notice) => void): Opened {
  if (existsSync(path)) {
    // "immutable" needs no -shm file, which a folder without write permission cannot take.
    const immutable = pathToFileURL(path);
    immutable.searchParams.set("immutable", "1");
    const db = readable(path) ?? readable(immutable);
    if (db) {
      onNotice({
        code: "history_read_only",
        message: `the history can be read but not written: ${path}`,
        hint: "New answers are not saved until the file and its folder are writable and the disk has space.",
      });
      return { db, writable: false };
    }
  }
  const db = new DatabaseSync(":memory:");
  migrate(db, "");
  onNotice({
    code: "history_unavailable",
    message: `the history cannot be opened: ${path}`,
    hint: "Nothing is saved until the file and its folder are yours and the disk has space.",
  });
  return { db, writable: false };
}

function replaceDamaged(path: string, onNotice: (notice: Notice) => void): Opened {
  const kept = setAside(path);
  const opened = openForWriting(path, onNotice);
  const saved = salvage(kept, opened.db);
  onNotice({
    code: "history_damaged",
    message:
      saved === 0
        ? `the history was damaged; a new one was begun, the old file is kept as ${kept}`
        : `the history was damaged; ${saved} answers could be read and were kept, the old file is ${kept}`,
    hint: "If you have a backup of the history, put it in place while the assistant is not running.",
  });
  return opened;
}

/** Opens the history whatever state it is in; what a person should know goes to `onNotice`. */
export function openDatabase(path: string, onNotice: (notice: Notice) => void): Opened {
  try {
    return openForWriting(path, onNotice);
  } catch (thrown) {
    if (isUnwritable(thrown)) return openForReading(path, onNotice);
    if (!isDamage(thrown)) throw thrown;
  }
  try {
    return replaceDamaged(path, onNotice);
  } catch (thrown) {
    if (isUnwritable(thrown) || isDamage(thrown)) return openForReading(path, onNotice);
    throw thrown;
  }
}

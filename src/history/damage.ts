// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A damaged file: how it is found at the start, and how it is kept out of the way.
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { DamagedFile, isUnwritable } from "./faults.ts";
import { mendIndexes } from "./index-health.ts";
import { textOf } from "./sql.ts";

/**
 * Files up to this size (about 3,000 turns) are checked at every start, which costs about 8 ms a
 * megabyte. Bigger ones only when something damaged was met in them: the start must stay quick.
 */
const checkedAtStart = 4 * 1024 * 1024;

const suspectFile = (path: string) => `${path}.suspect`;

/** Has the next start check the whole file, however big it is. */
export function suspect(path: string): void {
  try {
    writeFileSync(suspectFile(path), "", { mode: 0o600 });
  } catch (thrown) {
    // Then a big file goes unchecked until it is met again; there is nobody else to tell.
    if (!isUnwritable(thrown)) throw thrown;
  }
}

/** A name that nothing has yet: `<stem>.<Unix seconds>`. */
export function freeName(stem: string): string {
  let time = Math.floor(Date.now() / 1000);
  while (existsSync(`${stem}.${time}`)) time += 1;
  return `${stem}.${time}`;
}

/** Renames the file with its -wal and -shm, so that SQLite still reads them as one; the new path. */
export function setAside(path: string): string {
  const kept = freeName(`${path}.corrupt`);
  // The -wal goes first: left alone beside a fresh file, it would be read into that.
  for (const end of ["-wal", "-shm", ""]) {
    if (existsSync(path + end)) renameSync(path + end, kept + end);
  }
  rmSync(suspectFile(path), { force: true });
  return kept;
}

function checkTables(db: DatabaseSync): void {
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\\_fts%' ESCAPE '\\'",
    )
    .all();
  for (const { name } of tables) {
    const table = textOf(name).replaceAll('"', '""');
    const found = db.prepare(`PRAGMA quick_check("${table}")`).get();
    if (found?.quick_check !== "ok") throw new DamagedFile(`${table}: ${found?.quick_check}`);
  }
}

/**
 * Checks the rows and the index of an existing file. Throws DamagedFile or SQLite's own fault when
 * rows are damaged; true when only the search index was, and has been built again.
 */
export function checkAtStart(db: DatabaseSync, path: string): boolean {
  // Reads the schema, so a file that is no database fails here whatever its size.
  db.prepare("SELECT count(*) FROM sqlite_schema").get();
  const suspected = existsSync(suspectFile(path));
  if (!suspected && statSync(path).size > checkedAtStart) return false;
  checkTables(db);
  const mended = mendIndexes(db);
  rmSync(suspectFile(path), { force: true });
  return mended;
}

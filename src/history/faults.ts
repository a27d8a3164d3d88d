// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What kind of fault SQLite or the file system reports, decided by its number, never by its words.
import { systemCode } from "../errors.ts";

// Primary result codes, https://sqlite.org/rescode.html
const sqliteError = 1;
const corrupt = 11;
const notADatabase = 26;
const unwritable = new Set([
  3, // PERM
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  13, // FULL
  14, // CANTOPEN
  18, // TOOBIG
  22, // NOLFS
]);
const unwritableSystem = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "ENOTDIR",
  "EISDIR",
  "EEXIST",
  "ELOOP",
  "ENAMETOOLONG",
  "EMFILE",
  "ENFILE",
]);

/** Found by our own check of a file. */
export class DamagedFile extends Error {}

/** SQLite's primary result code, or 0 when it did not come from SQLite. */
export function resultCode(thrown: unknown): number {
  const given = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : 0;
  return typeof given === "number" ? given & 0xff : 0;
}

/** The file, or a part of it, is no sound database. */
export function isCorrupt(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return thrown instanceof DamagedFile || code === corrupt || code === notADatabase;
}

/** As isCorrupt, or a sound database that has not our tables (SQLite: "no such column"). */
export const isDamage = (thrown: unknown) =>
  isCorrupt(thrown) || resultCode(thrown) === sqliteError;

/** The disk, the permissions or another program are in the way; the same may work later. */
export const isUnwritable = (thrown: unknown) =>
  unwritable.has(resultCode(thrown)) || unwritableSystem.has(systemCode(thrown));

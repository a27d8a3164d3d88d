// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A lock that one process holds and that the kernel gives back at any kind of death.
import { DatabaseSync } from "node:sqlite";
import { ReadableError } from "../errors.ts";
import { resultCode } from "./faults.ts";

const busy = 5;

/** A database that is garbage collected closes itself, and the lock would be gone. */
const held = new Set<DatabaseSync>();

/**
 * Takes the lock of an empty file at `path` (made with mode 0600), or null at once when somebody,
 * this process included, holds it. Of two that try in the same moment exactly one gets it. Throws
 * ReadableError "lock" when the file cannot be used. Never open that file by other means: closing it
 * would give the lock away (POSIX locks belong to the process).
 */
export function takeLock(path: string): { release(): void } | null {
  const umask = process.umask(0o077);
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    // In memory, so that no -journal file is left behind. IMMEDIATE is one fcntl lock that one alone
    // can hold; EXCLUSIVE takes two steps, and two that race may both be refused.
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    const taken = db;
    held.add(taken);
    return {
      release() {
        if (held.delete(taken)) taken.close();
      },
    };
  } catch (thrown) {
    db?.close();
    if (resultCode(thrown) === busy) return null;
    throw new ReadableError("lock", `the lock file cannot be used: ${path}`, {
      hint: "Check that its folder is yours and writable; remove the file if it is not empty.",
      cause: thrown,
    });
  } finally {
    process.umask(umask);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A history in a temporary folder, turns to put into it, and a look at its files as bytes.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { TestContext } from "node:test";
import { openHistory } from "../../src/history/open.ts";
import type { History } from "../../src/history/turns.ts";
import type { Notice, Turn } from "../../src/message.ts";

/** A temporary folder that goes with the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  t.after(() => {
    // A test may have made it read-only.
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export type Opened = { history: History; notices: Notice[]; path: string; folder: string };

/** Opens the history of a fresh folder, or the one at `path`; closed with the test. */
export function open(
  t: TestContext,
  path = join(temporaryFolder(t), "data", "history.db"),
): Opened {
  const notices: Notice[] = [];
  const history = openHistory(path, { onNotice: (notice) => notices.push(notice) });
  t.after(() => history.close());
  return { history, notices, path, folder: join(path, "..") };
}

let made = 0;

/** A plain finished turn; each has a key of its own. */
export function turn(user: string, reply: string, more: Partial<Turn> = {}): Turn {
  made += 1;
  return {
    key: `key${made}`,
    at: 1_800_000_000 + made,
    user,
    reply,
    tools: [],
    calls: [],
    versions: [],
    aloud: false,
    messages: [
      { role: "user", content: user },
      { role: "assistant", content: reply },
    ],
    ...more,
  };
}

/** Runs one query on a file as another program would; every connection is closed again. */
export function query(path: string, sql: string): Record<string, SQLOutputValue>[] {
  const db = new DatabaseSync(path);
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** The names of the files below a folder that hold these bytes. */
export function filesWith(folder: string, words: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(words));
}

/** What integrity_check and the search index's own check say; both throw or complain when unsound. */
export function assertSound(path: string): void {
  const db = new DatabaseSync(path);
  try {
    const found = db.prepare("PRAGMA integrity_check").all();
    if (found.length !== 1 || found[0]?.integrity_check !== "ok") {
      throw new Error(JSON.stringify(found));
    }
    for (const index of ["turns_fts", "superseded_fts"]) {
      db.exec(`INSERT INTO ${index}(${index}, rank) VALUES ('integrity-check', 1)`);
    }
  } finally {
    db.close();
  }
}

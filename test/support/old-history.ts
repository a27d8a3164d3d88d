// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Writes a history.db as the earlier Python daemon left it, with plain SQL.
import { DatabaseSync } from "node:sqlite";

export type OldTurn = {
  user: string;
  reply: string;
  /** Names of the tools; [] when absent. */
  tools?: string[];
  /** The JSON text of the `messages` column as it stands; absent: user and assistant; null: NULL. */
  messages?: string | null;
};
export type OldConversation = { title: string; created: number; updated: number; turns: OldTurn[] };

export const oldSchema = `
  CREATE TABLE conversations(id INTEGER PRIMARY KEY, title TEXT, created INTEGER, updated INTEGER);
  CREATE TABLE turns(id INTEGER PRIMARY KEY,
    conv INTEGER REFERENCES conversations ON DELETE CASCADE,
    seq INTEGER, user TEXT, reply TEXT, tools TEXT, messages TEXT);
  CREATE VIRTUAL TABLE turns_fts USING fts5(user, reply, content='turns', content_rowid='id',
    tokenize='unicode61 remove_diacritics 2');
  CREATE TRIGGER turns_added AFTER INSERT ON turns BEGIN
    INSERT INTO turns_fts(rowid, user, reply) VALUES (new.id, new.user, new.reply); END;
  CREATE TRIGGER turns_gone AFTER DELETE ON turns BEGIN
    INSERT INTO turns_fts(turns_fts, rowid, user, reply)
    VALUES ('delete', old.id, old.user, old.reply); END;`;

const plainMessages = (turn: OldTurn) =>
  JSON.stringify([
    { role: "user", content: turn.user },
    { role: "assistant", content: turn.reply },
  ]);

/** Stores a turn with the statements of the earlier daemon. */
export function addOldTurn(db: DatabaseSync, conversation: number, seq: number, turn: OldTurn) {
  db.prepare(
    "INSERT INTO turns(conv, seq, user, reply, tools, messages) VALUES (?, ?, ?, ?, ?, ?)",
  ).run(
    conversation,
    seq,
    turn.user,
    turn.reply,
    JSON.stringify(turn.tools ?? []),
    turn.messages === undefined ? plainMessages(turn) : turn.messages,
  );
}

/** Makes the file at `path`; its folder exists. The conversations get the ids 1, 2, 3, … */
export function makeOldHistory(path: string, conversations: OldConversation[]): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL;${oldSchema}`);
  for (const { title, created, updated, turns } of conversations) {
    const made = db
      .prepare("INSERT INTO conversations(title, created, updated) VALUES (?, ?, ?)")
      .run(title, created, updated);
    for (const [seq, turn] of turns.entries()) {
      addOldTurn(db, Number(made.lastInsertRowid), seq, turn);
    }
  }
  db.close();
}

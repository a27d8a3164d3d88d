// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Writes a history.db as the earlier Python daemon left it, or an earlier version of ours, with plain SQL.
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

/** What our second version added to the schema, with the turns' own index. */
const secondSchema = `${oldSchema}
  ALTER TABLE turns ADD COLUMN key TEXT;
  ALTER TABLE turns ADD COLUMN at INTEGER;
  ALTER TABLE turns ADD COLUMN calls TEXT;
  ALTER TABLE turns ADD COLUMN versions TEXT;
  CREATE UNIQUE INDEX turns_by_key ON turns(key) WHERE key IS NOT NULL;
  CREATE INDEX turns_by_conversation ON turns(conv, seq);
  CREATE INDEX conversations_by_updated ON conversations(updated);
  CREATE TABLE superseded(
    id INTEGER PRIMARY KEY, conv INTEGER REFERENCES conversations ON DELETE CASCADE,
    seq INTEGER, user TEXT, reply TEXT, tools TEXT, messages TEXT,
    key TEXT, at INTEGER, calls TEXT, versions TEXT, version TEXT, replaced_by TEXT);
  CREATE INDEX superseded_by_conversation ON superseded(conv, version);
  CREATE VIRTUAL TABLE superseded_fts USING fts5(user, reply, content='superseded',
    content_rowid='id', tokenize='unicode61 remove_diacritics 2');
  CREATE TRIGGER superseded_ai AFTER INSERT ON superseded BEGIN
    INSERT INTO superseded_fts(rowid, user, reply) VALUES (new.id, new.user, new.reply); END;
  CREATE TRIGGER superseded_ad AFTER DELETE ON superseded BEGIN
    INSERT INTO superseded_fts(superseded_fts, rowid, user, reply)
    VALUES ('delete', old.id, old.user, old.reply); END;
  CREATE TABLE unfinished(
    key TEXT PRIMARY KEY, text TEXT, at INTEGER,
    conv INTEGER REFERENCES conversations ON DELETE CASCADE);
  CREATE INDEX unfinished_by_conversation ON unfinished(conv);
  CREATE TABLE chores(name TEXT PRIMARY KEY);
  CREATE TABLE migrations(version INTEGER PRIMARY KEY, at INTEGER);
  INSERT INTO migrations VALUES (1, 1), (2, 1);`;

/** A file of our second version: one conversation whose second turn took the place of another. */
export function makeSecondHistory(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; ${secondSchema}
    INSERT INTO conversations VALUES (1, 'How big is a quokka?', 1700000000, 1700000100);
    INSERT INTO turns(conv, seq, user, reply, tools, messages, key, at, calls, versions) VALUES
      (1, 0, 'How big is a quokka?', 'Like a cat.', '[]', NULL, 'one', 1700000050, '[]', '[]'),
      (1, 1, 'And a numbat?', 'Smaller.', '[]', NULL, 'two', 1700000100, '[]', '["gone"]');
    INSERT INTO superseded(conv, seq, user, reply, tools, messages, key, at, calls, versions, version,
      replaced_by) VALUES
      (1, 1, 'And a wombat?', 'Like a barrel.', '[]', NULL, 'gone', 1700000060, '[]', '[]', 'gone', 'two')`);
  db.close();
}

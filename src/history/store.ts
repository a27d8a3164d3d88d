// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The SQL of conversations, turns and unfinished questions. Writers run inside a transaction.
import type { DatabaseSync } from "node:sqlite";
import { ReadableError } from "../errors.ts";
import type { Turn } from "../message.ts";
import { keyOf, type Row, stringsOf, turnOf, valuesOf } from "./rows.ts";
import { numberOf, textOf } from "./sql.ts";
import { titleOf } from "./title.ts";
import type { ConversationItem, Loaded, Titler } from "./turns.ts";

function itemOf(row: Row): ConversationItem {
  return { id: numberOf(row.id), title: textOf(row.title), updated: numberOf(row.updated) };
}

export function listConversations(
  db: DatabaseSync,
  { limit = -1, before }: { limit?: number; before?: number } = {},
): ConversationItem[] {
  const order = "ORDER BY updated DESC, id DESC LIMIT ?";
  const rows =
    before === undefined
      ? db.prepare(`SELECT id, title, updated FROM conversations ${order}`).all(limit)
      : db
          .prepare(`SELECT id, title, updated FROM conversations WHERE updated < ? ${order}`)
          .all(before, limit);
  return rows.map(itemOf);
}

/** The row of a turn in a conversation, by its key. */
function findTurn(db: DatabaseSync, conversation: number, key: string): Row {
  const old = /^t(\d{1,15})$/.exec(key)?.[1] ?? null;
  const row = db
    .prepare("SELECT * FROM turns WHERE conv = ? AND (key = ? OR (key IS NULL AND id = ?))")
    .get(conversation, key, old === null ? null : Number(old));
  if (!row) {
    throw new ReadableError("no_turn", "there is no such question in this conversation", {
      hint: "It was deleted or replaced. Open the conversation again.",
    });
  }
  return row;
}

export function loadConversation(
  db: DatabaseSync,
  id: number,
  { limit, beforeKey }: { limit?: number; beforeKey?: string } = {},
): Loaded | null {
  const found = db
    .prepare("SELECT id, title, titled, updated FROM conversations WHERE id = ?")
    .get(id);
  if (!found) return null;
  const item = itemOf(found);
  const end = beforeKey === undefined ? null : findTurn(db, id, beforeKey);
  const rows = db
    .prepare(
      `SELECT id, user, reply, tools, messages, key, at, calls, versions, aloud FROM turns
       WHERE conv = :id ${end ? "AND (seq < :seq OR (seq = :seq AND id < :turn))" : ""}
       ORDER BY seq DESC, id DESC LIMIT :limit`,
    )
    .all({
      id,
      limit: limit === undefined ? -1 : limit + 1,
      ...(end ? { seq: numberOf(end.seq), turn: numberOf(end.id) } : {}),
    });
  const more = limit !== undefined && rows.length > limit;
  const turns = (more ? rows.slice(0, limit) : rows).map((row) => turnOf(row, item.updated));
  const { title } = item;
  return { id, title, titled: found.titled !== null, turns: turns.reverse(), more };
}

export function beginQuestion(
  db: DatabaseSync,
  { key, text, at, id }: { key: string; text: string; at: number; id: number | null },
): void {
  db.prepare(
    `INSERT OR REPLACE INTO unfinished(key, text, at, conv)
     VALUES (:key, :text, :at, (SELECT id FROM conversations WHERE id = :id))`,
  ).run({ key, text, at, id });
}

export function dropQuestion(db: DatabaseSync, key: string): void {
  db.prepare("DELETE FROM unfinished WHERE key = ?").run(key);
}

/** Moves a turn and what followed it to the superseded ones; the keys that the new one replaces. */
function supersede(db: DatabaseSync, id: number, key: string, by: string): string[] {
  const first = findTurn(db, id, key);
  const from = { id, seq: numberOf(first.seq), turn: numberOf(first.id) };
  const tail = "conv = :id AND (seq > :seq OR (seq = :seq AND id >= :turn))";
  db.prepare(
    `INSERT INTO superseded(conv, seq, user, reply, tools, messages, key, at, calls, versions,
       aloud, version, replaced_by)
     SELECT conv, seq, user, reply, tools, messages, coalesce(key, 't' || id), at, calls, versions,
       aloud, :version, :by
     FROM turns WHERE ${tail}`,
  ).run({ ...from, version: keyOf(first), by });
  db.prepare(`DELETE FROM turns WHERE ${tail}`).run(from);
  return [...stringsOf(first.versions), keyOf(first)];
}

/** Two conversations never get the same second: a list in the order of `updated` stays exact. */
function timeAfterOthers(db: DatabaseSync, id: number, at: number): number {
  const now = Math.floor(at);
  const newest = numberOf(
    db.prepare("SELECT max(updated) AS newest FROM conversations WHERE id <> ?").get(id)?.newest,
  );
  return newest >= now && newest < now + 60 ? Math.floor(newest) + 1 : now;
}

function newConversation(db: DatabaseSync, turn: Turn): number {
  const made = db
    .prepare("INSERT INTO conversations(title, created, updated) VALUES (?, ?, ?)")
    .run(titleOf(turn.user), Math.floor(turn.at), Math.floor(turn.at));
  return Number(made.lastInsertRowid);
}

export function storeTurn(
  db: DatabaseSync,
  given: number | null,
  turn: Turn,
  replace: string | undefined,
): ConversationItem {
  const id = given ?? newConversation(db, turn);
  const found = db.prepare("SELECT title FROM conversations WHERE id = ?").get(id);
  if (!found) {
    throw new ReadableError("not_saved", "the answer was not saved: its conversation is deleted", {
      hint: "Ask again in a new conversation to keep it.",
    });
  }
  const versions = replace === undefined ? turn.versions : supersede(db, id, replace, turn.key);
  db.prepare(
    `INSERT INTO turns(conv, seq, user, reply, tools, messages, key, at, calls, versions, aloud)
     VALUES (:conv, (SELECT coalesce(max(seq), -1) + 1 FROM turns WHERE conv = :conv),
       :user, :reply, :tools, :messages, :key, :at, :calls, :versions, :aloud)`,
  ).run({ conv: id, ...valuesOf({ ...turn, versions }) });
  const updated = timeAfterOthers(db, id, turn.at);
  db.prepare("UPDATE conversations SET updated = ? WHERE id = ?").run(updated, id);
  dropQuestion(db, turn.key);
  return { id, title: textOf(found.title), updated };
}

/** Null when there is no such conversation, or when it has a title that the model must leave alone. */
export function storeTitle(
  db: DatabaseSync,
  { id, title, by }: { id: number; title: string; by: Titler },
): ConversationItem | null {
  const row = db
    .prepare(
      `UPDATE conversations SET title = :title, titled = :by
       WHERE id = :id AND (:by = 'person' OR titled IS NULL) RETURNING id, title, updated`,
    )
    .get({ id, title, by });
  return row ? itemOf(row) : null;
}

export function countAll(db: DatabaseSync): { conversations: number; turns: number } {
  const row = db
    .prepare(
      `SELECT (SELECT count(*) FROM conversations) AS conversations,
         (SELECT count(*) FROM turns) AS turns`,
    )
    .get();
  return { conversations: numberOf(row?.conversations), turns: numberOf(row?.turns) };
}

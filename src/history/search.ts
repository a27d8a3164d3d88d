// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Finds a phrase in questions and answers.
import type { DatabaseSync } from "node:sqlite";
import { numberOf, textOf } from "./sql.ts";
import type { Found } from "./turns.ts";

const mostFound = 30;
/** Only this many of the newest hits are ranked: a common word would hold the daemon up otherwise. */
const candidates = 1000;
const snippetWords = 12;
const longestQuery = 1000;

// Marks that no text contains, so that bold words of an answer are not taken for matches.
const opening = "\u0001";
const closing = "\u0002";

/** What the tokenizer takes for a word: letters, digits, private use (unicode61's own rule). */
const word = /[\p{L}\p{N}\p{Co}]/u;

/** One phrase, whatever was typed, its last word open at its end. */
const phraseOf = (text: string) => `"${text.replaceAll('"', '""')}" *`;

function snippetOf(marked: string): string {
  return marked.replaceAll("**", "").replaceAll(opening, "**").replaceAll(closing, "**");
}

/** In one pass over the hits: each pass costs as much as the whole search of a prefix. */
function snippetsOf(db: DatabaseSync, phrase: string, turns: number[]): Map<number, string> {
  // The plus keeps the list from becoming one search for each of its rows.
  const rows = db
    .prepare(
      `SELECT rowid AS id, snippet(turns_fts, -1, :opening, :closing, '…', ${snippetWords}) AS text
       FROM turns_fts WHERE turns_fts MATCH :phrase AND rowid BETWEEN :first AND :last
         AND +rowid IN (SELECT value FROM json_each(:turns))`,
    )
    .all({
      opening,
      closing,
      phrase,
      first: Math.min(...turns),
      last: Math.max(...turns),
      turns: JSON.stringify(turns),
    });
  return new Map(rows.map((row) => [numberOf(row.id), snippetOf(textOf(row.text))]));
}

/** The best hit of each conversation, best first, at most 30; `reason` says why there is none. */
export function searchTurns(db: DatabaseSync, q: string): { items: Found[]; reason?: string } {
  const text = q.replaceAll("\0", "").trim().slice(0, longestQuery);
  if (text === "") return { items: [] };
  if (!word.test(text)) return { items: [], reason: "no word in the query" };
  const phrase = phraseOf(text);
  const hits = db
    .prepare(
      `SELECT hit.id, hit.rank, turns.conv FROM
         (SELECT rowid AS id, rank FROM turns_fts WHERE turns_fts MATCH ?
          ORDER BY rowid DESC LIMIT ${candidates}) AS hit
       JOIN turns ON turns.id = hit.id ORDER BY hit.rank, hit.id DESC`,
    )
    .all(phrase);
  const best = new Map<number, number>();
  for (const hit of hits) {
    const conversation = numberOf(hit.conv);
    if (!best.has(conversation)) best.set(conversation, numberOf(hit.id));
    if (best.size === mostFound) break;
  }
  if (best.size === 0) return { items: [] };
  const snippets = snippetsOf(db, phrase, [...best.values()]);
  const title = db.prepare("SELECT title FROM conversations WHERE id = ?");
  const items: Found[] = [];
  for (const [conversation, turn] of best) {
    const found = title.get(conversation);
    if (!found) continue;
    const snippet = snippets.get(turn) ?? "";
    items.push({ id: conversation, title: textOf(found.title), snippet });
  }
  return { items };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A row of the file as a turn, and a turn as a row; rows of the earlier daemon included.
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { CallRecord, Card, Turn } from "../message.ts";
import { repairMessages } from "./repair.ts";
import { isRecord, jsonOf, numberOf, textOf } from "./sql.ts";

export type Row = Record<string, SQLOutputValue>;

/** A list of strings; what is none is left out. */
export function stringsOf(value: SQLOutputValue | undefined): string[] {
  const list = jsonOf(value);
  if (!Array.isArray(list)) return [];
  return list.filter((item) => typeof item === "string");
}

function cardOf(value: unknown): Card | null {
  return isRecord(value) && typeof value.kind === "string" ? { ...value, kind: value.kind } : null;
}

function callOf(value: unknown): CallRecord | null {
  if (!isRecord(value)) return null;
  const { call, name, text, latency_ms: latency } = value;
  if (typeof call !== "string" || typeof name !== "string") return null;
  return {
    call,
    name,
    arguments: isRecord(value.arguments) ? value.arguments : {},
    ok: value.ok === true,
    text: typeof text === "string" ? text : "",
    latency_ms: typeof latency === "number" ? latency : 0,
    card: cardOf(value.card),
  };
}

/** The key of a row; one of the earlier daemon has `t` and its id. */
export const keyOf = (row: Row): string => textOf(row.key) || `t${row.id}`;

/** A stored turn; `updated` is its conversation's, for rows that have no time of their own. */
export function turnOf(row: Row, updated: number): Turn {
  const user = textOf(row.user);
  const reply = textOf(row.reply);
  const calls = jsonOf(row.calls);
  return {
    key: keyOf(row),
    at: numberOf(row.at, updated),
    user,
    reply,
    tools: stringsOf(row.tools),
    calls: Array.isArray(calls) ? calls.map(callOf).filter((call) => call !== null) : [],
    versions: stringsOf(row.versions),
    messages: repairMessages(jsonOf(row.messages), { user, reply }),
    aloud: row.aloud === 1,
  };
}

/** The values of a turn's own columns. */
export function valuesOf(turn: Turn): Record<string, SQLInputValue> {
  return {
    user: turn.user,
    reply: turn.reply,
    tools: JSON.stringify(turn.tools),
    messages: JSON.stringify(turn.messages),
    key: turn.key,
    at: turn.at,
    calls: JSON.stringify(turn.calls),
    versions: JSON.stringify(turn.versions),
    aloud: turn.aloud ? 1 : 0,
  };
}

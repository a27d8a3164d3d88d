// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The outcome of a plugin's call, parsed: nothing of its shape is taken on trust.
import type { Card } from "../../message.ts";
import { failure } from "../result.ts";
import { asRecord } from "../schema.ts";
import type { ToolOutcome } from "../tool.ts";

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const given = (value: unknown) => value !== undefined && value !== null;

function cardOf(value: unknown): Card | null {
  const { kind, ...fields } = asRecord(value);
  return typeof kind === "string" && kind !== "" ? { kind, ...fields } : null;
}

/** `json` is "" for a call that returned nothing at all. */
export function readOutcome(json: string, who: string): ToolOutcome {
  const value: unknown = json === "" ? null : JSON.parse(json);
  const { ok, data, text: said, error, meta, card } = asRecord(value);
  if (typeof ok !== "boolean") return failure(`${who} returned no result with ok true or false`);
  return {
    ok,
    data,
    ...(given(said) && { text: text(said) }),
    ...(given(error) && { error: text(error) }),
    meta: asRecord(meta),
    card: cardOf(card),
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the daemon and the process of a plugin say to each other.
import type { FoundConversation, Monitor, ToolContext } from "../context.ts";
import { type Arguments, asRecord } from "../schema.ts";
import type { Imports } from "./imports.ts";

/** The part of a tool's context that is plain data. */
export type PlainContext = Omit<ToolContext, "model" | "history" | "monitor">;

/** What a plugin asks of the daemon, by its place in the context. */
export type Asked = { model: string; search: readonly FoundConversation[]; monitor: Monitor };

/** To the plugin. Each call, bind and close is answered once, by its id. */
export type Order =
  | { do: "call"; id: number; tool: string; args: Arguments }
  | { do: "abort"; id: number }
  | { do: "bind"; id: number; tool: string; context: PlainContext }
  | { do: "close"; id: number; tool: string }
  /** To what it asked. */
  | { do: "answer"; id: number; value: unknown }
  | { do: "refuse"; id: number; code: string; message: string };

/** From the plugin. */
export type Report =
  | { is: "loaded"; tools: readonly unknown[]; imports: Imports }
  /** It cannot be loaded, or an error of its own that nobody caught; it ends then. */
  | { is: "broken"; message: string; line: number | null; hint: string; imports: Imports }
  /** JSON text of what a call returned. */
  | { is: "done"; id: number; json: string }
  | { is: "failed"; id: number; message: string }
  /** `call` is the one whose signal was handed on, if one was. */
  | { is: "ask"; id: number; call: number | null; tool: string; what: keyof Asked; args: unknown[] }
  | { is: "drop"; id: number };

export function isOrder(value: unknown): value is Order {
  return typeof value === "object" && value !== null && "do" in value;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const number = (value: unknown) => (typeof value === "number" ? value : null);
const textsOf = (value: unknown) =>
  Object.fromEntries(Object.entries(asRecord(value)).map(([name, one]) => [name, text(one)]));
const whats = ["model", "search", "monitor"] as const;

/** Null for what is no report: a plugin can send messages of its own. */
export function readReport(value: unknown): Report | null {
  const fields = asRecord(value);
  const { is, id, tools, message, line, hint, json, tool, what, args, call } = fields;
  const imports = textsOf(fields.imports);
  if (is === "loaded" && Array.isArray(tools)) return { is, tools, imports };
  if (is === "broken")
    return { is, message: text(message), line: number(line), hint: text(hint), imports };
  if (typeof id !== "number") return null;
  if (is === "done" && typeof json === "string") return { is, id, json };
  if (is === "failed") return { is, id, message: text(message) };
  if (is === "drop") return { is, id };
  const asked = whats.find((name) => name === what);
  if (is !== "ask" || !asked || typeof tool !== "string" || !Array.isArray(args)) return null;
  return { is, id, call: number(call), tool, what: asked, args };
}

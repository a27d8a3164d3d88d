// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The contract of a tool, whoever makes it: a TOML file, a TypeScript plugin or an MCP server.
import type { Card } from "../message.ts";
import type { ToolContext } from "./context.ts";
import type { Arguments, Schema, ShortParams } from "./schema.ts";

/** "read" looks, "send" carries words out of the machine, "change" alters something. */
export type Effect = "read" | "send" | "change";
/** "auto": by effect; "never" counts only in the person's own files and in built-in tools. */
export type Confirm = "auto" | "always" | "never";
/** Phrases by language. */
export type Announce = Readonly<Record<string, readonly string[]>>;

export type ToolResult = Readonly<{
  ok: boolean;
  /** Anything; null when not ok. */
  data: unknown;
  /** What the model reads. */
  text: string;
  /** "" when ok. */
  error: string;
  /** Written by the registry, never by the tool. */
  latencyMs: number;
  /** Telemetry; not sent to the model. */
  meta: Readonly<Record<string, unknown>>;
  /** For people. */
  card: Card | null;
}>;

/** What a tool's call may return: everything but ok is optional. */
export type ToolOutcome = Partial<Omit<ToolResult, "latencyMs">> & { ok: boolean };

/** The command that would run, or why these arguments cannot be run. */
export type Preview = { argv: readonly string[] } | { fault: string };

export interface Tool {
  /** Fit for a model: [a-zA-Z0-9_-], 64 characters at most, unique. */
  readonly name: string;
  /** Which [plugins.*] table is its own; its name if absent. */
  readonly configKey?: string;
  /** One line for the person and the model; it costs prompt tokens. */
  readonly description: string;
  /** JSON Schema of an object, or short forms by name. */
  readonly parameters: Schema | ShortParams;
  /** "read" if absent. */
  readonly effect?: Effect;
  /** "auto" if absent. */
  readonly confirm?: Confirm;
  /** Its output is text that others wrote. */
  readonly untrusted?: boolean;
  /** Its output is the person's own. */
  readonly personal?: boolean;
  /**
   * It is seldom meant, and only by certain words: a model that calls whatever it sees is told of it only
   * beside a question with such words. For the built-in tools; a plugin's is not looked at.
   */
  readonly occasional?: boolean;
  /** What to say aloud while it runs, by language. */
  readonly announce?: Announce;
  /** Seconds after which its call is given up; absent: the tool sees to that itself. */
  readonly timeout?: number;
  /** Called once, when the registry has its context, also for a tool registered later. */
  bindContext?(context: ToolContext): void | Promise<void>;
  /** What a call would run, for a person who is asked; absent: its arguments tell. */
  preview?(args: Arguments): Preview;
  /** Resolves and never rejects; a fault is ok: false. */
  call(args: Arguments, options: { signal: AbortSignal }): Promise<ToolOutcome>;
  /** Called once, at shutdown or when the tool leaves the registry. */
  close?(): void | Promise<void>;
}

/** A tool as the registry holds it: nothing left to default, the schema whole. */
export type WholeTool = Readonly<{
  name: string;
  configKey: string;
  description: string;
  parameters: Schema;
  effect: Effect;
  confirm: Confirm;
  untrusted: boolean;
  personal: boolean;
  announce: Announce;
  /** What it was made of. */
  made: Tool;
}>;

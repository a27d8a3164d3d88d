// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The contract of a tool, whoever makes it: a TOML file, a TypeScript plugin or an MCP server.
import type { Card } from "../message.ts";

export type Effect = "read" | "send" | "change";
export type Confirm = "auto" | "always" | "never";

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

export interface Tool {
  /** Fit for a model: [a-zA-Z0-9_-], 64 characters at most, unique. */
  readonly name: string;
  readonly configKey?: string;
  /** One line for the person and the model; it costs prompt tokens. */
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
  readonly confirm: Confirm;
  /** Its output is text that others wrote. */
  readonly untrusted: boolean;
  /** Its output is the person's own. */
  readonly personal: boolean;
  /** What to say aloud while it runs, by language. */
  readonly announce: Readonly<Record<string, readonly string[]>>;
  /** Resolves and never rejects; a fault is ok: false. */
  call(args: Record<string, unknown>, options: { signal: AbortSignal }): Promise<ToolOutcome>;
  close?(): Promise<void>;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a conversation is handed of the other rooms.
import type { History } from "../history/turns.ts";
import type { Notice, ToolSchema } from "../message.ts";
import type { Served } from "../model/model.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import type { Persona } from "./prompt.ts";
import type { TokenGauge } from "./window.ts";

export type Rooms = {
  /** Resolves when a model can answer; `onPhase` is called while that takes time. */
  ready(signal: AbortSignal, onPhase: () => void): Promise<Served>;
  tools: {
    /** As they are in the tools folder now. */
    list(): readonly Tool[];
    /** In a fixed order. */
    schemas(): ToolSchema[];
    /** What is wrong with the arguments, or null when they pass the tool's schema. */
    fault(name: string, args: Record<string, unknown>): string | null;
    /** Never rejects, but with the signal's reason. Arguments are the model's JSON text. */
    callByText(
      name: string,
      argumentsText: string,
      options: { signal: AbortSignal },
    ): Promise<ToolResult>;
  };
  history: History;
  /** Conversations with turns that could not be stored yet, whether somebody looks at them or not. */
  unsaved: Set<{ save(): unknown }>;
  config: Persona & { toolRounds: number; think: boolean };
  gauge: TokenGauge;
  now(): Date;
  notice(notice: Notice): void;
  /** One line for the log; no words of the person. */
  log(line: string): void;
};

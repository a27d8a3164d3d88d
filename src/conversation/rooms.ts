// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a conversation is handed of the other rooms.
import type { History } from "../history/turns.ts";
import type { Notice } from "../message.ts";
import type { Served } from "../model/model.ts";
import type { Tools } from "../tools/tools.ts";
import type { Ahead } from "./ahead.ts";
import type { Persona } from "./prompt.ts";
import type { TokenGauge } from "./window.ts";

export type Rooms = {
  /** Resolves when a model can answer; `onPhase` is called while that takes time. */
  ready(signal: AbortSignal, onPhase: () => void): Promise<Served>;
  tools: Pick<Tools, "list" | "get" | "fault" | "take" | "run" | "settled" | "servers">;
  history: History;
  /** Conversations with turns that could not be stored yet, whether somebody looks at them or not. */
  unsaved: Set<{ save(): unknown }>;
  /** Keys of what was told and is not to be told again. */
  told: Set<string>;
  config: Persona & { toolRounds: number; think: boolean; titles: boolean };
  gauge: TokenGauge;
  ahead: Ahead;
  now(): Date;
  notice(notice: Notice): void;
  /** One line for the log; no words of the person. */
  log(line: string): void;
};

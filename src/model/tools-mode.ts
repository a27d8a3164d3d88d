// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which way of calling tools a model gets, and what is remembered of those that were tried.
import type { Address } from "./address.ts";
import { catalog } from "./engine/catalog.ts";
import { isRecord } from "./json.ts";
import { inMemory, type Learned } from "./learned.ts";
import type { ToolsMode } from "./model.ts";

/** What a trial came to: the words that are kept, with the way that follows and the reason. */
const outcomes = {
  proper: { strategy: "native", why: "it called tools properly when tried" },
  thought: { strategy: "native", why: "it was still thinking at the end of its trial" },
  text: { strategy: "plan", why: "it wrote a call as text when tried" },
  none: { strategy: "plan", why: "it called no tool when tried" },
  wrong: { strategy: "plan", why: "it called a tool wrongly when tried" },
  needless: { strategy: "plan", why: "it called a tool without need when tried" },
  silent: { strategy: "plan", why: "it said nothing when tried" },
  refused: { strategy: "plan", why: "the server refuses tools" },
} as const satisfies Record<string, ToolsMode>;

export type Outcome = keyof typeof outcomes;

/** A model at its server. */
export type Whose = {
  /** Our own engine runs it. */
  engine: boolean;
  local: boolean;
  /** With /v1. */
  url: string;
  model: string | null;
};

export function whoseOf(
  { address, model }: { address: Address; model: string | null },
  engine: boolean,
): Whose {
  return { engine, local: address.local, url: address.v1, model };
}

/** `tools_mode` in config.toml. */
export type Configured = "auto" | "native" | "plan";

/** How many trials are remembered. */
const longest = 50;

const isOutcome = (value: unknown): value is Outcome =>
  typeof value === "string" && Object.hasOwn(outcomes, value);

/** The engine's address is another one at each start. */
const keyOf = ({ engine, url, model }: Whose) => `${engine ? "engine" : url} ${model ?? ""}`;

export class ToolsModes {
  readonly #configured: Configured;
  readonly #tried: Learned;

  constructor(configured: Configured, tried: Learned = inMemory()) {
    this.#configured = configured;
    this.#tried = tried;
  }

  /** What holds now; a model that was not tried yet is taken at its server's word. */
  of(whose: Whose): ToolsMode {
    return this.known(whose) ?? { strategy: "native", why: "it was not tried yet" };
  }

  /** What the settings, the catalog or an earlier trial say; null: only a trial can tell. */
  known(whose: Whose): ToolsMode | null {
    const configured = this.#configured;
    if (configured !== "auto") {
      return { strategy: configured, why: `tools_mode = "${configured}" in config.toml` };
    }
    if (!whose.engine && !whose.local) {
      return { strategy: "native", why: "models of a server elsewhere are not tried" };
    }
    const listed = whose.engine && catalog.find(({ name }) => name === whose.model);
    if (listed) return { strategy: listed.toolsMode, why: `it is known of ${listed.name}` };
    const outcome = this.#read().get(keyOf(whose));
    return outcome ? outcomes[outcome] : null;
  }

  learn(whose: Whose, outcome: Outcome): void {
    const tried = this.#read();
    tried.delete(keyOf(whose));
    tried.set(keyOf(whose), outcome);
    this.#tried.set(Object.fromEntries([...tried].slice(-longest)));
  }

  #read(): Map<string, Outcome> {
    const value = this.#tried.get();
    const entries = isRecord(value) ? Object.entries(value) : [];
    return new Map(entries.flatMap(([key, word]) => (isOutcome(word) ? [[key, word]] : [])));
  }
}

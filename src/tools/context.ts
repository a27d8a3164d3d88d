// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a tool is handed of the program: its settings, a small completion, a search, a look at the load.

/** `at`: when it was last spoken in, in Unix seconds. */
export type FoundConversation = { id: number; title: string; snippet: string; at: number };

export type Monitor = {
  /** Bytes of the daemon's own memory, and of the machine's that is free. */
  memory: { rss: number; free: number };
  /** The system's load averages over 1, 5 and 15 minutes. */
  load: readonly number[];
  /** Questions that wait. */
  queue: number;
};

type Table = Readonly<Record<string, unknown>>;

export type ToolContext = Readonly<{
  /** Its own [plugins.*] table of config.toml. */
  config: Table;
  pluginsConfig: Readonly<Record<string, Table>>;
  /** The [env] table. */
  env: Readonly<Record<string, string>>;
  /** A small completion by the model that answers, inside the turn. Rejects with ReadableError or the signal's reason. */
  model(
    prompt: string,
    options: { signal: AbortSignal; system?: string; maxTokens?: number; schema?: Table },
  ): Promise<string>;
  history: {
    /** One hit a conversation, best first; private conversations are never found. */
    search(words: string, options?: { limit?: number }): Promise<readonly FoundConversation[]>;
  };
  /** notes.md in the data folder; it need not exist. */
  archivePath: string;
  person: Readonly<{ name: string | null; address: string | null }>;
  assistantName: string | null;
  monitor(): Promise<Monitor>;
  extras: Table;
}>;

/** What all tools share; each gets its own `config` from `pluginsConfig`. */
export type SharedContext = Omit<ToolContext, "config">;

/** The context of one tool, frozen. */
export function contextFor(shared: SharedContext, configKey: string): ToolContext {
  const own = Object.hasOwn(shared.pluginsConfig, configKey) ? shared.pluginsConfig[configKey] : {};
  return Object.freeze({ ...shared, config: own ?? {} });
}

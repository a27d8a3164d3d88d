// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The checked values of config.toml, with the defaults for everything absent.

export type EngineConfig = {
  command: string | null;
  threads: number | null;
  context: number | null;
  gpuLayers: number | null;
  batch: number | null;
};

export type McpConfig = {
  command: string[] | null;
  url: string | null;
  env: Record<string, string>;
  tools: string[] | null;
  read: string[];
  timeout: number;
  enabled: boolean;
};

export type Config = {
  /** Null: the first server found, else the embedded engine. */
  llm: string | null;
  model: string | null;
  loadIfNone: boolean;
  apiKeyFile: string | null;
  system: string;
  temperature: number | null;
  think: boolean;
  toolRounds: number;
  toolsMode: "auto" | "native" | "plan";
  warm: boolean;
  titles: boolean;
  /** Seconds without a sign of life from the server. */
  stall: number;
  assistantName: string | null;
  person: { name: string | null; address: string | null };
  env: Record<string, string>;
  engine: EngineConfig;
  mcp: Record<string, McpConfig>;
  plugins: Record<string, Record<string, unknown>>;
};

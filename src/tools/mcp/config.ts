// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a person writes of a server, and the bounds that nobody needs to set.

/** One [mcp.NAME] table, checked. */
export type ServerConfig = {
  /** Program and arguments; or null, and then there is a url. */
  command: readonly string[] | null;
  url: string | null;
  env: Readonly<Record<string, string>>;
  /** The tools to offer; null: all. */
  tools: readonly string[] | null;
  /** Tools that only read. */
  read: readonly string[];
  /** Seconds that a call may take. */
  timeout: number;
  enabled: boolean;
};

export type Limits = {
  /** For the greeting and the first list together. */
  startMs: number;
  /** From the start of all, in which a first question may wait for new servers: a hanging one is not felt. */
  patienceMs: number;
  /** Before each next start; one more failure in a row than there are pauses, and it is left off. */
  pausesMs: readonly number[];
  /** Whoever lived as long has not failed in a row. */
  steadyMs: number;
  /** Between the end of its input and SIGTERM, and SIGKILL, at a close. */
  termMs: number;
  killMs: number;
  /** Between the word of a changed list and the reading of it: such words come in storms. */
  listMs: number;
  /** Bytes of one message. */
  message: number;
  /** Of a program within ten seconds: messages that answer nothing, and bytes of error output. */
  unasked: number;
  words: number;
};

export const usualLimits: Limits = {
  startMs: 10_000,
  patienceMs: 1_000,
  pausesMs: [1_000, 2_000, 4_000, 8_000],
  steadyMs: 60_000,
  termMs: 300,
  killMs: 1_000,
  listMs: 200,
  message: 16 * 1024 * 1024,
  unasked: 100_000,
  words: 64 * 1024 * 1024,
};

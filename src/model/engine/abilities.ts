// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a llama-server can do that not every one can: an option that it does not know keeps it from starting.
import { ReadableError } from "../../errors.ts";
import { run } from "../../process/run.ts";
import type { Program } from "./program.ts";

export type Abilities = {
  /** It can write what it has read into a file, and read it back. */
  slotFiles: boolean;
  /** It keeps displaced conversations in memory, and brings them back. */
  memory: boolean;
};

/** Asks the program itself; the builds that are fetched are known. Rejects only with the signal's reason. */
export async function abilitiesOf(
  program: Program,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Abilities> {
  if (program.libraries !== null) return { slotFiles: true, memory: true };
  let help = "";
  try {
    const end = await run([program.path, "--help"], { env, signal, timeoutMs: 10_000 });
    help = end.stdout.toString() + end.stderr.toString();
  } catch (fault) {
    // What cannot be run fails at its start, and says why there.
    if (!(fault instanceof ReadableError) || signal.aborted) throw fault;
  }
  return { slotFiles: help.includes("--slot-save-path"), memory: help.includes("--cache-ram") };
}

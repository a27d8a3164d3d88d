// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What this machine can carry: memory, the memory of its graphics card, processor threads.
import { readdir, readFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { ReadableError, systemCode } from "../../errors.ts";
import { run } from "../../process/run.ts";

export type Machine = {
  /** Bytes. */
  memory: number;
  /** Bytes of the largest graphics card with memory of its own; 0 when there is none. */
  gpuMemory: number;
  /** Processor threads that may be used. */
  threads: number;
};

/** What the drivers of AMD and newer Intel cards tell; a card without memory of its own has no such file. */
async function cardMemory(folder: string): Promise<number> {
  let most = 0;
  try {
    for (const card of await readdir(folder)) {
      if (!/^card\d+$/.test(card)) continue;
      const text = await readOptional(join(folder, card, "device", "mem_info_vram_total"));
      const bytes = Number(text.trim());
      if (bytes > most) most = bytes;
    }
  } catch (fault) {
    if (systemCode(fault) !== "ENOENT") throw fault;
  }
  return most;
}

async function readOptional(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (fault) {
    if (systemCode(fault) === "") throw fault;
    return "";
  }
}

/** NVIDIA's driver tells it only by its own program, in MiB. */
async function nvidiaMemory(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const argv = ["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"];
  try {
    const end = await run(argv, { env, signal, timeoutMs: 5_000 });
    if (end.status !== 0) return 0;
    const cards = end.stdout.toString().trim().split("\n").map(Number);
    return Math.max(0, ...cards.filter(Number.isFinite)) * 2 ** 20;
  } catch (fault) {
    if (fault instanceof ReadableError && fault.code === "cannot_run") return 0;
    throw fault;
  }
}

/** Looks at the machine; a container's limit counts as its memory. */
export async function readMachine(options: {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  cards?: string;
}): Promise<Machine> {
  const { env, signal, cards = "/sys/class/drm" } = options;
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const [card, nvidia] = await Promise.all([cardMemory(cards), nvidiaMemory(env, signal)]);
  // An integrated card reports the little it has set apart; that is the machine's own memory.
  const own = Math.max(card, nvidia);
  return { memory, gpuMemory: own >= 2 ** 31 ? own : 0, threads: availableParallelism() };
}

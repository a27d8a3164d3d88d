// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a disk says before and while a big file goes onto it: room, fullness, the hash of what is there.
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { ReadableError, systemCode } from "../errors.ts";

/** Left free, so that a download never takes the last room of a home folder. */
const reserve = 64 * 1024 * 1024;

/** "1.1 GB", as a person reads sizes. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/** A file's bytes; 0 when it is not there. */
export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (fault) {
    if (systemCode(fault) === "ENOENT") return 0;
    throw fault;
  }
}

/** Rejects with ReadableError "disk_full" when `bytes` more do not fit beside `path`. */
export async function checkRoom(path: string, bytes: number): Promise<void> {
  if (bytes <= 0) return;
  const folder = dirname(path);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + reserve) return;
  throw new ReadableError(
    "disk_full",
    `not enough room in ${folder}: ${sizeText(bytes)} are needed, ${sizeText(free)} are free`,
    { hint: "Make room, then try again." },
  );
}

/** Turns a full disk or a spent quota into words; anything else comes back as it is. */
export function explainWrite(path: string, fault: unknown): unknown {
  const code = systemCode(fault);
  if (code !== "ENOSPC" && code !== "EDQUOT" && code !== "EFBIG") return fault;
  return new ReadableError("disk_full", `the disk is full (${code} at ${path})`, {
    hint: "Make room, then try again: it goes on where it stopped.",
    cause: fault,
  });
}

/** Feeds the first `bytes` bytes of a file to `hash`. */
export async function feedHash(
  hash: Hash,
  options: { path: string; bytes: number; signal: AbortSignal },
): Promise<void> {
  if (options.bytes === 0) return;
  const stream = createReadStream(options.path, { end: options.bytes - 1, highWaterMark: 1 << 20 });
  await pipeline(stream, hash, { end: false, signal: options.signal });
}

/** SHA-256 of a whole file, in lower-case hex. */
export async function hashFile(options: { path: string; signal: AbortSignal }): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(options.path, { highWaterMark: 1 << 20 }), hash, {
    end: false,
    signal: options.signal,
  });
  return hash.digest("hex");
}

/** Gives a finished file its name so that a power cut leaves the old or the new one, never a half. */
export async function settle(partial: string, to: string): Promise<void> {
  const file = await open(partial, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, to);
  const folder = await open(dirname(to), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

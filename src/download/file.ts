// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Brings one file from the first address that has it: resumed, hashed, and named only when whole.
import { createHash, type Hash } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { dirname } from "node:path";
import { isAbort, ReadableError } from "../errors.ts";
import { checkRoom, explainWrite, feedHash, settle, sizeOf } from "./disk.ts";
import { cutOff, get } from "./transfer.ts";

export type DownloadOptions = {
  /** Addresses of the same file, in the order to try. */
  urls: readonly string[];
  to: string;
  /** Bytes; 0 when unknown. */
  size?: number;
  /** Lower-case hex; without it only the size is checked, and nothing is resumed. */
  sha256?: string;
  signal: AbortSignal;
  /** Bytes; `total` is 0 while unknown. */
  onProgress?: (done: number, total: number) => void;
  headers?: Record<string, string>;
  connectMs?: number;
  stallMs?: number;
};

/** A cut is mended at once as long as each try brought bytes; then the person is asked. */
const mostCuts = 5;

type Attempt = DownloadOptions & { url: string; partial: string; size: number };

/** Where a 206 begins and how long the whole is; null when it does not say. */
function rangeOf(answer: IncomingMessage): { start: number; total: number } | null {
  const match = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.headers["content-range"] ?? "");
  return match ? { start: Number(match[1]), total: Number(match[2]) } : null;
}

/** Writes the body behind what is there; resolves with the file's length. */
async function write(
  answer: IncomingMessage,
  options: Attempt & { start: number; total: number; hash: Hash },
): Promise<number> {
  const { partial, start, total, hash, onProgress } = options;
  const file = await open(partial, start > 0 ? "r+" : "w");
  let at = start;
  try {
    if (start > 0) await file.truncate(start);
    onProgress?.(at, total);
    for await (const piece of answer) {
      const bytes: Uint8Array = Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece));
      try {
        let from = 0;
        while (from < bytes.length) {
          from += (await file.write(bytes, from, bytes.length - from, at + from)).bytesWritten;
        }
      } catch (fault) {
        throw explainWrite(options.to, fault);
      }
      hash.update(bytes);
      at += bytes.length;
      onProgress?.(at, total);
    }
  } catch (fault) {
    if (options.signal.aborted) throw options.signal.reason;
    throw fault instanceof ReadableError ? fault : cutOff(options.url, fault);
  } finally {
    await file.close();
  }
  if (total > 0 && at !== total)
    throw cutOff(options.url, new Error(`${at} of ${total} bytes came`));
  return at;
}

/** Where the body belongs in the file; a partial file that is of no use is removed. */
async function where(
  answer: IncomingMessage,
  options: Attempt & { kept: number },
): Promise<{ start: number; total: number }> {
  const { url, partial, size, kept } = options;
  let total = Number(answer.headers["content-length"] ?? 0);
  if (answer.statusCode === 206 || answer.statusCode === 416) {
    const said = rangeOf(answer);
    if (kept > 0 && said?.start === kept && (size === 0 || said.total === size))
      return { start: kept, total: said.total };
    await rm(partial, { force: true });
    throw cutOff(url, new Error("the server has another version of the file"));
  }
  // Compressed on the way: the length is not the file's.
  if (answer.headers["content-encoding"] !== undefined) total = 0;
  if (size > 0 && total > 0 && total !== size)
    throw new ReadableError("wrong_size", `the file has ${total} bytes, not ${size} (${url})`);
  return { start: 0, total };
}

/** One request; resolves with the hash of the whole partial file. */
async function attempt(options: Attempt): Promise<string> {
  const { url, partial, size, sha256, signal, headers = {} } = options;
  const { connectMs = 5_000, stallMs = 30_000 } = options;
  const kept = sha256 === undefined ? 0 : await sizeOf(partial);
  const hash = createHash("sha256");
  if (kept > 0 && kept === size) {
    await feedHash(hash, { path: partial, bytes: kept, signal });
    return hash.digest("hex");
  }
  const resume = kept > 0 && (size === 0 || kept < size);
  await checkRoom(partial, resume ? size - kept : size);
  const range = resume ? { range: `bytes=${kept}-` } : {};
  const answer = await get({ url, headers: { ...headers, ...range }, signal, connectMs, stallMs });
  try {
    const { start, total } = await where(answer, { ...options, kept: resume ? kept : 0 });
    if (size === 0) await checkRoom(partial, total - start);
    await feedHash(hash, { path: partial, bytes: start, signal });
    await write(answer, { ...options, start, total: total || size, hash });
  } finally {
    answer.destroy();
  }
  return hash.digest("hex");
}

/** One address, mending cuts. */
async function fromOne(options: Attempt): Promise<void> {
  const { partial, sha256, signal } = options;
  for (let cuts = 0; ; cuts += 1) {
    const before = await sizeOf(partial);
    try {
      const found = await attempt(options);
      if (sha256 === undefined || found === sha256) return;
      await rm(partial, { force: true });
      // Bytes left by an earlier run may be at fault, so a resumed file is fetched once more whole.
      if (before > 0 && cuts < mostCuts) continue;
      throw new ReadableError("wrong_hash", `the file's hash is wrong (${options.url})`, {
        hint: "Something on the way changes the file. Nothing of it was kept.",
      });
    } catch (fault) {
      if (signal.aborted) throw signal.reason;
      const cut = fault instanceof ReadableError && fault.code === "cut";
      if (!cut || cuts >= mostCuts || (await sizeOf(partial)) === before) throw fault;
    }
  }
}

/**
 * Resolves when `to` is whole, checked and on disk. What is cut off stays in `<to>.partial` and is
 * resumed. Rejects with ReadableError "unreachable", "not_found", "refused", "cut", "wrong_size",
 * "wrong_hash" or "disk_full", whose message names every address that was tried, or with the
 * signal's reason.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { urls, to, signal, size = 0 } = options;
  signal.throwIfAborted();
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const partial = `${to}.partial`;
  const faults: ReadableError[] = [];
  for (const url of urls) {
    try {
      await fromOne({ ...options, url, partial, size });
      return await settle(partial, to);
    } catch (fault) {
      if (isAbort(fault, signal) || !(fault instanceof ReadableError)) throw fault;
      // A full disk is full for every address.
      if (fault.code === "disk_full") throw fault;
      faults.push(fault);
    }
  }
  const [first] = faults;
  if (first === undefined) throw new Error("a download without an address");
  if (faults.length === 1) throw first;
  const tried = faults.map((fault) => fault.message).join("; ");
  throw new ReadableError(first.code, tried, { hint: first.hint, cause: first });
}

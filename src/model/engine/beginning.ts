// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The file in which the engine keeps the beginning of every conversation over a restart, and what vouches for it.
import { createHash } from "node:crypto";
import { chmod, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { hashFile, settle } from "../../download/disk.ts";
import { ReadableError, systemCode } from "../../errors.ts";
import { isRecord, parseJson } from "../json.ts";
import type { Completion } from "../model.ts";

/** Beside it lies a note of what is in it and how it looks; without that note it is never used. */
export const slotFile = "beginning.kv";
const noteFile = "beginning.json";

type Note = { fingerprint: string; size: number; sha256: string };

function readNote(text: string): Note | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const { fingerprint, size, sha256 } = value;
  return typeof fingerprint === "string" && typeof size === "number" && typeof sha256 === "string"
    ? { fingerprint, size, sha256 }
    : null;
}

/** Of a request, what stands in front of its first user message, at an engine of this identity. */
export function fingerprintOf(identity: readonly unknown[], completion: Completion): string {
  const { messages, tools = null, think } = completion;
  const first = messages.findIndex((message) => {
    const value = parseJson(message);
    return isRecord(value) && value.role === "user";
  });
  const front = first < 0 ? messages : messages.slice(0, first);
  return createHash("sha256")
    .update(JSON.stringify([identity, tools, think, front]))
    .digest("hex");
}

/** Makes the folder, for its owner alone. Rejects with the system's fault. */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
}

export class BeginningFile {
  readonly #path: string;
  readonly #note: string;
  /** As it was when its hash was right: to hash it again at each use takes longer than the use. */
  #seen: { fingerprint: string; looks: string } | null = null;

  constructor(folder: string) {
    this.#path = join(folder, slotFile);
    this.#note = join(folder, noteFile);
  }

  /** True when it holds this beginning, whole. A damaged one is removed. Rejects with the system's fault. */
  async holds(fingerprint: string, signal: AbortSignal): Promise<boolean> {
    const looks = await this.#looks();
    if (this.#seen?.looks === looks && looks !== null)
      return this.#seen.fingerprint === fingerprint;
    this.#seen = null;
    const note = await this.#readNote(signal);
    if (
      note !== null &&
      note !== "damaged" &&
      looks !== null &&
      (await this.#isWhole(note, signal))
    ) {
      this.#seen = { fingerprint: note.fingerprint, looks };
      return note.fingerprint === fingerprint;
    }
    if (note !== null || looks !== null) await this.remove();
    return false;
  }

  /** To be called before the engine writes it: nothing vouches for it until `vouch`. */
  async prepare(): Promise<void> {
    await this.remove();
    // The engine's own mask might let others read it.
    await (await open(this.#path, "wx", 0o600)).close();
  }

  /** The engine has written it; `size` is what it says. Rejects when the file says otherwise. */
  async vouch(fingerprint: string, size: number | null, signal: AbortSignal): Promise<void> {
    const looks = await this.#looks();
    const { size: found } = await stat(this.#path);
    if (found === 0 || found !== (size ?? found)) {
      const message = `${this.#path} has ${found} bytes, the engine wrote ${size ?? "some"}`;
      throw new ReadableError("not_whole", message);
    }
    const sha256 = await hashFile({ path: this.#path, signal });
    const note: Note = { fingerprint, size: found, sha256 };
    const file = await open(`${this.#note}.new`, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(note)}\n`, { signal });
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await settle(`${this.#note}.new`, this.#note);
    if (looks !== null) this.#seen = { fingerprint, looks };
  }

  /** The note first, so that no half removal leaves a file that somebody vouches for. */
  async remove(): Promise<void> {
    this.#seen = null;
    for (const path of [this.#note, `${this.#note}.new`, this.#path])
      await rm(path, { force: true });
  }

  async #looks(): Promise<string | null> {
    try {
      const { size, mtimeMs, ino } = await stat(this.#path);
      return `${size} ${mtimeMs} ${ino}`;
    } catch (fault) {
      if (systemCode(fault) !== "ENOENT") throw fault;
      return null;
    }
  }

  async #readNote(signal: AbortSignal): Promise<Note | "damaged" | null> {
    try {
      return readNote(await readFile(this.#note, { encoding: "utf8", signal })) ?? "damaged";
    } catch (fault) {
      if (systemCode(fault) !== "ENOENT") throw fault;
      return null;
    }
  }

  async #isWhole({ size, sha256 }: Note, signal: AbortSignal): Promise<boolean> {
    if ((await stat(this.#path)).size !== size) return false;
    return (await hashFile({ path: this.#path, signal })) === sha256;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the program has learned by itself, in one file that may be deleted at any time.
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../errors.ts";
import type { Notice } from "../message.ts";

export type State = {
  /** What was set last, also by an earlier run; undefined when there is nothing. */
  get(key: string): unknown;
  /** Takes what JSON can hold; undefined removes the key. On disk when it returns. */
  set(key: string, value: unknown): void;
};

type Tell = (notice: Notice) => void;

/**
 * Opens the state file (mode 0600, in a folder of mode 0700); a missing or damaged one starts empty.
 * It never throws for the file: what can't be written is told once by `onNotice` ("state") and kept
 * in memory.
 */
export function openState(path: string, { onNotice }: { onNotice: Tell }): State {
  const values = read(path, onNotice);
  let told = false;
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      // A copy, so that what the caller does with its value later changes nothing here.
      const text: string | undefined = JSON.stringify(value);
      if (text === JSON.stringify(values.get(key))) return;
      if (text === undefined) values.delete(key);
      else values.set(key, JSON.parse(text));
      try {
        write(path, `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`);
        told = false;
      } catch (thrown) {
        if (systemCode(thrown) === "") throw thrown;
        if (!told) onNotice(unwritten(path, thrown));
        told = true;
      }
    },
  };
}

function read(path: string, onNotice: Tell): Map<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      return new Map(Object.entries(parsed));
    }
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return new Map();
    if (systemCode(thrown) === "" && !(thrown instanceof SyntaxError)) throw thrown;
  }
  onNotice({
    code: "state",
    message: `${path} can't be read; what the program had learned is learned anew`,
    hint: "There is nothing to do; the file may also be deleted.",
  });
  return new Map();
}

/** Whoever looks, also after a power cut, sees the old file or the new one, whole. */
function write(path: string, text: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  const fresh = `${path}.new`;
  try {
    withFile(fresh, "w", (file) => {
      // The mode given to open does not count for a file that a crash has left.
      fchmodSync(file, 0o600);
      writeFileSync(file, text);
      fsyncSync(file);
    });
    renameSync(fresh, path);
  } catch (thrown) {
    rmSync(fresh, { force: true });
    throw thrown;
  }
  // The new name is on disk only when the folder is.
  withFile(folder, "r", fsyncSync);
}

function withFile(path: string, flags: "r" | "w", use: (file: number) => void): void {
  const file = openSync(path, flags, 0o600);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}

function unwritten(path: string, thrown: unknown): Notice {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: "state",
    message: `${path} can't be written: ${why}`,
    hint: "Until it can, things such as the last model are forgotten when the assistant stops.",
  };
}

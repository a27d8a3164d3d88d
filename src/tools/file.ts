// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One file of the tools folder: looked at, and read anew only when it has changed.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from "node:fs";
import { describe, ReadableError, systemCode, systemReason } from "../errors.ts";
import type { Notice } from "../message.ts";
import { othersCanWrite, privateHint } from "./access.ts";

export type SeenFile = {
  /** What the system says of it; a change of the content changes it, but not within the system's own tick. */
  signature: string;
  /** True when the file was old enough for the signature to be relied on. */
  settled: boolean;
  /** Null when the file had to stay out, or is gone. */
  text: string | null;
  /** Why it had to stay out. */
  fault: Notice | null;
};

/** Bytes; far above any real tool, far below what would hold up the daemon. */
const largest = 256 * 1024;
/** Milliseconds; the clock of file systems moves in steps of up to 10. */
const tick = 100;

export const signatureOf = ({ dev, ino, size, mtimeMs, ctimeMs, mode }: Stats) =>
  [dev, ino, size, mtimeMs, ctimeMs, mode].join(" ");

/** The file as it is now: `before` itself when nothing changed. Throws nothing. */
export function seeFile(path: string, before?: SeenFile): SeenFile {
  let signature = "";
  const out = (fault: Notice | null): SeenFile =>
    before?.signature === signature && before.text === null
      ? before
      : { signature, settled: true, text: null, fault };
  try {
    const seen = statSync(path);
    signature = signatureOf(seen);
    if (before?.signature === signature && before.settled) return before;
    const settled = Date.now() - seen.ctimeMs > tick;
    const text = privateText(path);
    if (before && before.text === text) {
      before.signature = signature;
      before.settled = settled;
      return before;
    }
    return { signature, settled, text, fault: null };
  } catch (thrown) {
    const code = thrown instanceof ReadableError ? "" : systemCode(thrown);
    if (code === "") return out(faultOf(path, thrown));
    signature ||= code;
    if (code === "ENOENT") return out(null);
    const message = `${path} cannot be read: ${systemReason(code) ?? code}`;
    return out({ code: "tool_file", message, hint: "" });
  }
}

/** What kept a file out, with its name. */
export function faultOf(path: string, thrown: unknown): Notice {
  const notice = describe(thrown);
  return thrown instanceof ReadableError
    ? notice
    : { ...notice, message: `${path}: ${notice.message}` };
}

/** The text of a file that only the person can change. A pipe or a device would never end. */
function privateText(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const seen = fstatSync(file);
    const out = (why: string, hint = "") =>
      new ReadableError("tool_file", `${path}: ${why}`, { hint });
    if (!seen.isFile()) throw out("is no file, so there is no tool in it");
    if (othersCanWrite(seen))
      throw out("others can write to this file, so the tool is left out", privateHint(path, seen));
    if (seen.size > largest) throw out(`is larger than ${largest / 1024} KiB`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

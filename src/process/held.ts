// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// An open file that every process of ours inherits: found in /proc also when the environment was dropped.
import { closeSync, openSync, readdirSync, readlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCode } from "../errors.ts";

/** What the file's name holds beside the mark; the watchdog looks for the same. */
export const heldName = "desktop-assistant-child-";
/** Where children have it: shell scripts use the numbers up to 9 themselves. */
export const heldAt = 199;

/**
 * Opens the file of a mark and takes its name away again, so that nothing of it is left. Null when
 * there is no room for a file: then the environment alone tells.
 */
export function openHeld(mark: string): number | null {
  const path = join(tmpdir(), heldName + mark);
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      unlinkSync(path);
    } catch (fault) {
      closeSync(file);
      throw fault;
    }
    return file;
  } catch (fault) {
    if (systemCode(fault) === "") throw fault;
    return null;
  }
}

/** True when the process has the file of this mark open. */
export function holds(pid: number, mark: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((number) => linkOf(`${folder}/${number}`).includes(mark));
  } catch (fault) {
    // Gone meanwhile, or somebody else's.
    if (systemCode(fault) === "") throw fault;
    return false;
  }
}

/** One of them may be closed between the two looks. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (fault) {
    if (systemCode(fault) === "") throw fault;
    return "";
  }
}

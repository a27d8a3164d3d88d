// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Whether only the person can change a file that the daemon would run words of.
import type { Stats } from "node:fs";
import { userInfo } from "node:os";

const me = process.getuid?.() ?? userInfo().uid;

/**
 * True when somebody else owns it (but root, who can write to everything), or all may write to it, or
 * a group that is not the owner's own, by the usual convention gid = uid.
 */
export function othersCanWrite({ mode, gid, uid }: Pick<Stats, "mode" | "gid" | "uid">): boolean {
  if (uid !== me && uid !== 0) return true;
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
}

/** What to type so that it becomes private. */
export function privateHint(path: string, { uid }: Pick<Stats, "uid">): string {
  const word = /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
  return uid !== me && uid !== 0
    ? `It belongs to another user. Type: sudo chown ${me} ${word}`
    : `Type: chmod go-w ${word}`;
}

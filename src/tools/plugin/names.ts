// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which files of the tools folder are plugins, and which of those are safe to be run at all.
import { extname } from "node:path";
import { ReadableError } from "../../errors.ts";

const endings = [".ts", ".js", ".mjs"];

export const stemOf = (name: string) => name.slice(0, name.length - extname(name).length);

/**
 * A script whose stem a TOML file beside it has is that tool's own. Names that begin with "_" are for
 * what plugins import.
 */
export function isPlugin(name: string, all: ReadonlySet<string>): boolean {
  if (!endings.includes(extname(name)) || name.endsWith(".d.ts")) return false;
  return !/^[._]/.test(name) && !all.has(`${stemOf(name)}.toml`);
}

/** A program: it says itself what runs it, so it is no plugin, and no word about it is due. */
export const isProgram = (text: string) => text.startsWith("#!");

/** Loading a script would run it, so one that clearly is no plugin is not loaded. */
export function checkPlugin(text: string): void {
  if (/\bexport\s+default\b|\bas\s+default\b|\bmodule\.exports\b/.test(text)) return;
  throw new ReadableError("plugin", "it has no default export, so it was not run", {
    hint: "Write: export default { name, description, parameters, call }. A script that is no plugin begins with #! or has a name that begins with _.",
  });
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a server's tool is called here: fit for a model, and the same at every start.
import { createHash } from "node:crypto";

const longest = 64;

/** "<server>__<tool>"; a name that is too long ends with a part of its hash, so that no two become one. */
export function toolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  const fit = whole.replaceAll(/[^a-zA-Z0-9_-]/gu, "_");
  if (fit.length <= longest) return fit;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${fit.slice(0, longest - 9)}_${hash}`;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which calls run, and which are refused because nobody said yes.
import type { Tool } from "../tools/tool.ts";

/**
 * Null: the call may run. Otherwise what the model reads instead of a result. A tool that changes
 * something needs a yes; only the person's own file can waive it.
 */
export function refusal(tool: Tool | undefined): string | null {
  if (!tool) return null; // the registry says that there is no such tool
  const asks = tool.confirm === "always" || (tool.confirm === "auto" && tool.effect === "change");
  return asks
    ? `error: ${tool.name} was not run: the person must confirm it, and nobody could be asked`
    : null;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a server's tool is called here: fit for a model, and the same at every start.
import { apart } from "../fit-name.ts";

/** "<server>__<tool>". */
export function toolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  return apart(whole, whole.replaceAll(/[^a-zA-Z0-9_-]/gu, "_"));
}

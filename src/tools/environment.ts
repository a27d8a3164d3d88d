// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The environment of what a tool runs: the daemon's own without the model server's key, and [env].

export function toolEnvironment(env: Record<string, string>): Record<string, string | undefined> {
  const { DESKTOP_ASSISTANT_API_KEY: _, NODE_COMPILE_CACHE: __, ...own } = process.env;
  return { ...own, ...env };
}

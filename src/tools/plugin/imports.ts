// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The files that a plugin imports: only those that are the person's own, and seen when they change.
import { type Stats, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { ReadableError } from "../../errors.ts";
import { othersCanWrite, privateHint } from "../access.ts";
import { signatureOf } from "../file.ts";

/** Signatures by path. */
export type Imports = Readonly<Record<string, string>>;

/** In the process of the plugin at `main`: gives what it has imported so far, but for installed packages. */
export function watchImports(main: string): () => Imports {
  const seen: Record<string, string> = {};
  registerHooks({
    load(url, context, next) {
      const path = url.startsWith("file:") ? fileURLToPath(url) : "";
      const stats = path === "" ? undefined : statSync(path, { throwIfNoEntry: false });
      if (stats && path !== main && !path.includes("/node_modules/")) {
        seen[path] = signatureOf(stats);
        refuseShared(path, stats);
      }
      return next(url, context);
    },
  });
  return () => ({ ...seen });
}

function refuseShared(path: string, stats: Stats): void {
  if (!othersCanWrite(stats)) return;
  const hint = privateHint(path, stats);
  throw new ReadableError("plugin", `it imports ${path}, which others can write to`, { hint });
}

/** True when one of them is not what it was. */
export function haveChanged(imports: Imports): boolean {
  return Object.entries(imports).some(([path, signature]) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined || signatureOf(stats) !== signature;
  });
}

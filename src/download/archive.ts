// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Unpacks an archive whose hash was already checked into an empty folder.
import { ReadableError } from "../errors.ts";
import type { Run } from "./wheel.ts";

/**
 * Unpacks a .tar.gz (with tar) or a .whl or .zip (with python3). Rejects with ReadableError
 * "unpack_failed", or "cannot_run" where the program for it is missing.
 */
export async function unpack(options: {
  archive: string;
  into: string;
  run: Run;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
}): Promise<void> {
  const { archive, into, run, env, signal } = options;
  const argv = archive.endsWith(".tar.gz")
    ? ["tar", "-xzf", archive, "-C", into, "--no-same-owner"]
    : ["python3", "-I", "-m", "zipfile", "-e", archive, into];
  const end = await run(argv, { env, timeoutMs: 600_000, signal });
  if (end.status === 0) return;
  const said = end.stderr.toString().trim().split("\n").at(-1) ?? "";
  throw new ReadableError("unpack_failed", `${argv[0]} could not unpack ${archive}: ${said}`, {
    hint: "The disk may be full. Try again.",
  });
}

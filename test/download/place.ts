// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A folder to download into and a file to download, for the tests of both kinds of download.
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReadableError } from "../../src/errors.ts";
import { sha256, someBytes } from "../support/hub.ts";

export const file = someBytes(300_000);
export const whole = { size: file.length, sha256: sha256(file) };

export async function place() {
  const folder = await mkdtemp(join(tmpdir(), "da-download-"));
  const to = join(folder, "model.gguf");
  return {
    folder,
    to,
    partial: `${to}.partial`,
    names: async () => (await readdir(folder)).sort(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** For assert.rejects: a readable error with this code. */
export const code = (wanted: string) => (thrown: unknown) => {
  assert.ok(thrown instanceof ReadableError, String(thrown));
  assert.equal(thrown.code, wanted, thrown.message);
  return true;
};

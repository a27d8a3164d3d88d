// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A temporary config folder, and what loading a config.toml in it gives.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadConfig } from "../../src/config/load.ts";
import { ReadableError } from "../../src/errors.ts";

export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), "da-config-"));
  const file = join(folder, "config.toml");
  return {
    folder,
    file,
    write: (text: string | Uint8Array) => writeFileSync(file, text),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function load(text: string | Uint8Array) {
  using place = makeFolder();
  place.write(text);
  return await loadConfig(place.file);
}

/** The error that a config.toml stops the start with; `message` is without the folder. */
export async function refusal(text: string | Uint8Array) {
  using place = makeFolder();
  place.write(text);
  return await refused(place.file);
}

export async function refused(file: string) {
  const thrown: unknown = await loadConfig(file).then(
    () => assert.fail("it was taken"),
    (reason) => reason,
  );
  assert.ok(thrown instanceof ReadableError, String(thrown));
  const { code, message, hint } = thrown;
  return { code, message: message.replaceAll(`${dirname(file)}/`, ""), hint };
}

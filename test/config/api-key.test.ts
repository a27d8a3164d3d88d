// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The key comes from a private file, else from the environment, and is never told.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readApiKey } from "../../src/config/api-key.ts";
import { ReadableError } from "../../src/errors.ts";
import { makeFolder } from "./folder.ts";

const env = { DESKTOP_ASSISTANT_API_KEY: "from-env" };

function keyFile(folder: string, text: string, mode = 0o600): string {
  const path = join(folder, "key");
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function refusal(apiKeyFile: string | null, given: Record<string, string> = {}): ReadableError {
  try {
    readApiKey({ apiKeyFile }, given);
  } catch (thrown) {
    assert.ok(thrown instanceof ReadableError, String(thrown));
    return thrown;
  }
  return assert.fail("it was taken");
}

test("the key of the file is taken without the white space around it", () => {
  using place = makeFolder();
  const apiKeyFile = keyFile(place.folder, " \r\nsk-1_2.3=\r\n");
  assert.equal(readApiKey({ apiKeyFile }, {}), "sk-1_2.3=");
});

test("the file counts before the environment", () => {
  using place = makeFolder();
  assert.equal(readApiKey({ apiKeyFile: keyFile(place.folder, "file") }, env), "file");
});

test("without a file the key is the variable's, and an empty variable is none", () => {
  assert.equal(readApiKey({ apiKeyFile: null }, env), "from-env");
  assert.equal(readApiKey({ apiKeyFile: null }, { DESKTOP_ASSISTANT_API_KEY: " a\n" }), "a");
  assert.equal(readApiKey({ apiKeyFile: null }, { DESKTOP_ASSISTANT_API_KEY: " \n" }), null);
  assert.equal(readApiKey({ apiKeyFile: null }, {}), null);
});

for (const mode of [0o640, 0o604, 0o660, 0o644]) {
  test(`a file of mode ${mode.toString(8)} is refused`, () => {
    using place = makeFolder();
    const { code, message, hint } = refusal(keyFile(place.folder, "sesame", mode), env);
    assert.equal(code, "api_key_file");
    assert.match(message, /open to other users/);
    assert.match(hint, /chmod 600/);
  });
}

test("a link is judged by the file it leads to", () => {
  using place = makeFolder();
  const link = join(place.folder, "link");
  symlinkSync(keyFile(place.folder, "sesame", 0o400), link);
  assert.equal(readApiKey({ apiKeyFile: link }, {}), "sesame");
  chmodSync(link, 0o444);
  assert.equal(refusal(link).code, "api_key_file");
});

test("an empty, missing or odd file is an error, even when the environment has a key", () => {
  using place = makeFolder();
  assert.match(refusal(keyFile(place.folder, " \n"), env).message, /is empty$/);
  assert.match(refusal(join(place.folder, "none"), env).message, /can't be read: ENOENT/);
  const folder = join(place.folder, "folder");
  mkdirSync(folder, { mode: 0o700 });
  assert.match(refusal(folder, env).message, /is not a file$/);
});

test("what can't be sent as a key is refused and not shown", () => {
  using place = makeFolder();
  for (const text of ["sesame\nsesame", "ses ame", "sésame", "sesame\0x"]) {
    const faults = [
      refusal(keyFile(place.folder, text)),
      refusal(null, { DESKTOP_ASSISTANT_API_KEY: text }),
    ];
    for (const { message, hint } of faults)
      assert.doesNotMatch(`${message}${hint}`, /sesame|ame\b/);
  }
});

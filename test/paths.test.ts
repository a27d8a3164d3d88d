// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Where things are: the same answer for the daemon and every client, also without XDG variables.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { configFile, engineCache, runtimeFolder, socketPath } from "../src/paths.ts";

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "da-paths-"));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("XDG_RUNTIME_DIR counts when it is absolute", (t) => {
  const usual = folder(t);
  assert.equal(runtimeFolder({ XDG_RUNTIME_DIR: "/somewhere" }, usual), "/somewhere");
  assert.equal(runtimeFolder({ XDG_RUNTIME_DIR: "some/where" }, usual), usual);
  assert.equal(runtimeFolder({ XDG_RUNTIME_DIR: "" }, usual), usual);
});

test("without it and without /run/user a private folder of our own is made", (t) => {
  const env = { TMPDIR: folder(t) };
  const own = runtimeFolder(env, "/nowhere/at/all");
  assert.equal(own, join(env.TMPDIR, `desktop-assistant-${process.getuid?.()}`));
  assert.equal(statSync(own).mode & 0o777, 0o700);
  assert.equal(runtimeFolder(env, "/nowhere/at/all"), own);
});

test("that folder is refused when others can enter it or it is a link", (t) => {
  const env = { TMPDIR: folder(t) };
  const own = runtimeFolder(env, "/nowhere/at/all");
  chmodSync(own, 0o755);
  assert.throws(() => runtimeFolder(env, "/nowhere/at/all"), { code: "runtime_dir" });
  rmSync(own, { recursive: true });
  mkdirSync(join(env.TMPDIR, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(env.TMPDIR, "elsewhere"), own);
  assert.throws(() => runtimeFolder(env, "/nowhere/at/all"), { code: "runtime_dir" });
});

test("a socket path may have 107 bytes, counted as bytes (unix(7))", () => {
  const room = 107 - "/desktop-assistant.sock".length;
  const fits = `/${"x".repeat(room - 1)}`;
  assert.equal(Buffer.byteLength(socketPath({ XDG_RUNTIME_DIR: fits })), 107);
  for (const long of [`${fits}x`, `/${"x".repeat(room - 2)}ž`]) {
    assert.throws(() => socketPath({ XDG_RUNTIME_DIR: long }), {
      code: "socket_path",
      message: /108 bytes long, the limit is 107/,
    });
  }
});

test("the other folders follow HOME where their XDG variable is unset or relative", () => {
  const own = "/h/.config/desktop-assistant/config.toml";
  assert.equal(configFile({ HOME: "/h" }), own);
  assert.equal(configFile({ HOME: "/h", XDG_CONFIG_HOME: "relative" }), own);
  assert.equal(
    configFile({ HOME: "/h", XDG_CONFIG_HOME: "/c" }),
    "/c/desktop-assistant/config.toml",
  );
});

test("what the engine has read is kept below XDG_CACHE_HOME, or .cache", () => {
  const env = { HOME: "/somebody", XDG_CACHE_HOME: "/elsewhere" };
  assert.equal(engineCache(env), "/elsewhere/desktop-assistant/engine");
  assert.equal(
    engineCache({ ...env, XDG_CACHE_HOME: "here" }),
    "/somebody/.cache/desktop-assistant/engine",
  );
});

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The key for the model server: from its own file, or from the environment.
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { ReadableError } from "../errors.ts";
import type { Config } from "./config.ts";

const variable = "DESKTOP_ASSISTANT_API_KEY";

/**
 * The key from `api_key_file`, else from DESKTOP_ASSISTANT_API_KEY, else null; white space around
 * it is cut off. Throws ReadableError "api_key_file" or "api_key" when it can't serve as a key. The
 * key itself is never in a message.
 */
export function readApiKey(
  { apiKeyFile }: Pick<Config, "apiKeyFile">,
  env: Record<string, string | undefined>,
): string | null {
  if (apiKeyFile !== null) return readKeyFile(apiKeyFile);
  const key = (env[variable] ?? "").trim();
  if (key === "") return null;
  if (!sendable(key)) {
    throw new ReadableError("api_key", `${variable} holds more than a key`, {
      hint: "It may have letters, digits and signs, but no space or line end inside.",
    });
  }
  return key;
}

/** What an HTTP header takes unchanged (RFC 9110, 5.5), without spaces. */
const sendable = (key: string) => /^[\x21-\x7e]+$/.test(key);

function readKeyFile(path: string): string {
  const key = readPrivate(path).trim();
  if (key === "") throw refused(path, "is empty", "Write the key of the model server into it.");
  if (!sendable(key)) {
    throw refused(path, "holds more than a key", "Leave nothing in it but the key, in one line.");
  }
  return key;
}

function readPrivate(path: string): string {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw refused(path, `can't be read: ${why}`, "Correct api_key_file in config.toml.", cause);
  }
  try {
    // Asked of the open file, so that what is judged is what is read.
    const seen = fstatSync(file);
    if (!seen.isFile())
      throw refused(path, "is not a file", "Correct api_key_file in config.toml.");
    if ((seen.mode & 0o077) !== 0) {
      const hint = `Keep the key to yourself: chmod 600 "${path}"`;
      throw refused(path, "is open to other users of this machine", hint);
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function refused(path: string, what: string, hint: string, cause?: unknown): ReadableError {
  return new ReadableError("api_key_file", `the key file ${path} ${what}`, { hint, cause });
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The text of config.toml, or why there is none.
import { readFileSync, statSync } from "node:fs";
import { ReadableError, systemCode } from "../errors.ts";

/** Null when there is no such file; throws ReadableError "config" when it can't be read. */
export function readText(path: string): string | null {
  try {
    // Anything but a file could make the start wait for ever.
    if (!statSync(path).isFile()) {
      throw new ReadableError("config", `${path} is not a file`, {
        hint: "Remove it, or write a config.toml in its place.",
      });
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof ReadableError) throw cause;
    const code = systemCode(cause);
    if (code === "ENOENT") return null;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new ReadableError("config", `${path} is not UTF-8 text`, {
        hint: "Save it again in your editor with the encoding UTF-8.",
        cause,
      });
    }
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ReadableError("config", `${path} can't be read: ${why}`, {
      hint: `Make it readable for you: chmod u+r "${path}"`,
      cause,
    });
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The one error that is meant for a person, and what every other thrown thing becomes on its way out.
import { getSystemErrorMap } from "node:util";

/**
 * A fault with words for the person who can mend it: what failed and why (message), what to type or
 * change next (hint), and a stable word for programs (code).
 */
export class ReadableError extends Error {
  override name = "ReadableError";
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? "";
  }
}

/** What a program is told of a thrown thing; anything but a ReadableError is a bug of ours. */
export function describe(thrown: unknown): { code: string; message: string; hint: string } {
  if (thrown instanceof ReadableError) {
    return { code: thrown.code, message: thrown.message, hint: thrown.hint };
  }
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: "internal",
    message: `internal error: ${what}`,
    hint: "This is a fault of desktop-assistant. Its log has the details.",
  };
}

/** True for what an aborted AbortSignal throws (DOMException AbortError, or its reason). */
export function isAbort(thrown: unknown, signal: AbortSignal): boolean {
  return (
    signal.aborted &&
    (thrown === signal.reason || (thrown instanceof Error && thrown.name === "AbortError"))
  );
}

/** The system's word for a fault (ENOENT, ECONNREFUSED), or "" when there is none. */
export function systemCode(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : "";
}

/** The system's words for one of its codes, such as "permission denied"; null when it has none. */
export function systemReason(code: string): string | null {
  for (const [word, text] of getSystemErrorMap().values()) if (word === code) return text;
  return null;
}

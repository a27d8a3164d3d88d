// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Why a plugin could not be loaded, with the line of its file where that can be told.
import { execFileSync } from "node:child_process";
import { ReadableError } from "../../errors.ts";
import { isMade, reason } from "./host-facts.ts";

/** The line of `path` that an error's stack or a report of Node names first. */
function lineOf(report: string, path: string): number | null {
  const at = [encodeURI(path), path]
    .map((name) => ({ name, index: report.indexOf(`${name}:`) }))
    .find(({ index }) => index >= 0);
  const line = at && /^:(\d+)/.exec(report.slice(at.index + at.name.length))?.[1];
  return line === undefined ? null : Number(line);
}

export const lineIn = (thrown: unknown, path: string) =>
  thrown instanceof Error ? lineOf(thrown.stack ?? "", path) : null;

/** Node tells where JavaScript cannot be parsed only in what it prints. */
function checkedLine(path: string): number | null {
  try {
    execFileSync(process.execPath, ["--check", path], { stdio: "pipe", timeout: 2000 });
    return null; // the fault is in something that it imports
  } catch (thrown) {
    return isMade(thrown) ? lineOf(String(thrown.stderr ?? ""), path) : null;
  }
}

const hints: Record<string, string> = {
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    "TypeScript's types are taken away, nothing else: no enum, no namespace with values, no private in a constructor's arguments.",
  ERR_MODULE_NOT_FOUND:
    "Write a file's name with its ending. For a package, type npm install NAME in the tools folder, then: desktop-assistant tools check",
};

export function faultOfLoad(
  thrown: unknown,
  path: string,
): { message: string; line: number | null; hint: string } {
  if (thrown instanceof ReadableError)
    return { message: thrown.message, line: null, hint: thrown.hint };
  const code = isMade(thrown) && typeof thrown.code === "string" ? thrown.code : "";
  const line = lineIn(thrown, path) ?? (thrown instanceof SyntaxError ? checkedLine(path) : null);
  const kind = thrown instanceof SyntaxError ? "syntax error: " : "";
  return { message: `${kind}${reason(thrown)}`, line, hint: hints[code] ?? "" };
}

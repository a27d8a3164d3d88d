// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a call returned, as JSON: the daemon takes only plain data from a plugin, and only so much.
import { basename } from "node:path";
import { reason } from "./host-facts.ts";

/** Characters; a table of 100,000 rows is far below. */
const longest = 16 * 1024 * 1024;

/** Throws an Error that names the tool and its file. */
export function written(value: unknown, { tool, path }: { tool: string; path: string }): string {
  const who = `${tool} of ${basename(path)}`;
  let json: string;
  try {
    // JSON has no integers beyond 2^53: they are texts.
    json = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "";
  } catch (thrown) {
    throw new Error(`${who} returned what cannot be written as JSON: ${reason(thrown)}`);
  }
  if (json.length > longest) throw new Error(`${who} returned more than 16 MB`);
  return json;
}

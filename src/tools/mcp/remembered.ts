// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the servers' tools were when they were seen last, and which of them the person has accepted.
import { createHash } from "node:crypto";
import { tooDeep } from "../depth.ts";
import { asRecord, type Schema } from "../schema.ts";
import type { ServerConfig } from "./config.ts";
import type { Marks } from "./listed.ts";
import { oneLine } from "./one-line.ts";
import { tidied } from "./schema.ts";

export type Seen = Readonly<{
  /** As the server calls it. */
  name: string;
  description: string;
  parameters: Schema;
  marks: Marks;
  /** As it was accepted. */
  accepted: Marks;
  /** It was in the last list; one that is gone is kept for what was accepted of it. */
  present: boolean;
}>;

export type Shelf = Readonly<{
  /** Of the command or address that these tools came from. */
  fingerprint: string;
  /** Whether it ever sent a list; one that only failed so far is not waited for at the next start. */
  listed: boolean;
  tools: readonly Seen[];
}>;

/** In the state file; whoever opens it owns it. */
export type Memory = { get(): unknown; set(value: unknown): void };

export function fingerprintOf({ command, url }: ServerConfig): string {
  return createHash("sha256")
    .update(JSON.stringify([command, url]))
    .digest("base64url")
    .slice(0, 22);
}

function readMarks(value: unknown): Marks | null {
  const { description, parameters } = asRecord(value);
  return typeof description === "string" && typeof parameters === "string"
    ? { description, parameters }
    : null;
}

function readSeen(value: unknown): Seen | null {
  const { name, description, parameters, ...rest } = asRecord(value);
  const marks = readMarks(rest.marks);
  const accepted = readMarks(rest.accepted);
  if (typeof name !== "string" || name === "" || typeof description !== "string") return null;
  if (description === "" || !marks || !accepted || typeof rest.present !== "boolean") return null;
  const words = oneLine(description, 300);
  if (words === "" || tooDeep(parameters)) return null;
  const { present } = rest;
  // Whether arguments can be checked with it was found out when it came.
  return { name, description: words, parameters: tidied(parameters), marks, accepted, present };
}

/** The shelves by server; whatever is damaged is as if it were not there. */
export function readMemory(value: unknown): Map<string, Shelf> {
  const shelves = new Map<string, Shelf>();
  for (const [server, shelf] of Object.entries(asRecord(value))) {
    const { fingerprint, listed, tools } = asRecord(shelf);
    if (typeof fingerprint !== "string" || typeof listed !== "boolean") continue;
    if (!Array.isArray(tools)) continue;
    const seen = new Map<string, Seen>();
    for (const one of tools) {
      const tool = readSeen(one);
      if (tool) seen.set(tool.name, tool);
    }
    shelves.set(server, { fingerprint, listed, tools: [...seen.values()] });
  }
  return shelves;
}

/** As it is written; the same text for the same shelves. */
export function writtenMemory(shelves: ReadonlyMap<string, Shelf>): Record<string, Shelf> {
  return Object.fromEntries([...shelves].sort(([one], [other]) => (one < other ? -1 : 1)));
}

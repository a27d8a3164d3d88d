// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The stored conversations from the command line: list, open, search, delete.
import { clean } from "../chat/clean.ts";
import { type Line, paint, paintFor } from "../chat/line.ts";
import { itemLines, resultLines } from "../chat/listing.ts";
import { turnLines } from "../chat/page.ts";
import { ask, type Client } from "../client/client.ts";
import { ReadableError } from "../errors.ts";
import type { WireTurn } from "../protocol/events.ts";
import { connect } from "./connect.ts";
import { out } from "./terminal.ts";

const isTerminal = () => process.stdout.isTTY === true;
/** How wide a line may be; on no terminal as long as it is. */
export const columns = () =>
  isTerminal() ? Math.max(20, (process.stdout.columns ?? 80) - 1) : 1000;

export function print(lines: readonly Line[]): void {
  const how = paintFor(process.stdout);
  out(lines.map((line) => paint(line, how).trimEnd()).join("\n"));
}

function readId(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new ReadableError("usage", `"${text}" is no conversation's number`, {
    hint: "Type: desktop-assistant list",
  });
}

export async function list(options: { limit: number }, signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  const saying = { type: "list", limit: options.limit };
  const { items } = await ask(client, saying, "conversations", { signal });
  if (items.length > 0) print(itemLines(items, columns(), Date.now() / 1000));
  else process.stderr.write("There are no conversations yet.\n");
  return 0;
}

/** Markdown as it is when piped: the question as a quote, the answer below it. */
function asMarkdown(turn: WireTurn): string {
  const question = clean(turn.user)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
  return `${question}\n\n${clean(turn.reply).trim()}\n`;
}

export async function open(id: string, signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  const shown = await ask(client, { type: "show", id: readId(id) }, "shown", { signal });
  if (isTerminal()) {
    print(shown.turns.flatMap((turn) => [...turnLines(turn, columns()), []]).slice(0, -1));
  } else out(shown.turns.map(asMarkdown).join("\n"));
  return 0;
}

export async function search(words: readonly string[], signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  const found = await ask(client, { type: "search", q: words.join(" ") }, "results", { signal });
  if (found.items.length === 0) {
    process.stderr.write(`${clean(found.reason ?? "Nothing was found.")}\n`);
    return 1;
  }
  print(resultLines(found.items, columns()));
  return 0;
}

async function exists(client: Client, id: number, signal: AbortSignal): Promise<void> {
  await client.request({ type: "show", id, limit: 1 }, { signal });
}

export async function remove(ids: readonly string[], signal: AbortSignal): Promise<number> {
  const numbers = ids.map(readId);
  await using client = await connect(signal);
  // The protocol's delete says nothing of a number that is not there.
  for (const id of numbers) await exists(client, id, signal);
  for (const id of numbers) {
    await client.request({ type: "delete", id }, { signal });
    out(`Conversation ${id} is deleted.`);
  }
  return 0;
}

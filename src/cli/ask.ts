// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One question from the command line; what is piped in is a part of it.
import { randomUUID } from "node:crypto";
import { fstatSync } from "node:fs";
import { clean, cleanJson } from "../chat/clean.ts";
import { type Printer, printerFor } from "../chat/printer.ts";
import { askQuestion, enterSession } from "../chat/question.ts";
import { type Client, ask as request } from "../client/client.ts";
import { ReadableError } from "../errors.ts";
import { longestLine } from "../protocol/lines.ts";
import { connect } from "./connect.ts";
import { interrupted } from "./terminal.ts";

type Options = { json?: boolean; continue?: boolean; yes?: boolean };

/** True for a pipe, a file or a socket: a terminal and /dev/null have nothing to say. */
function isPiped(): boolean {
  const { stdin } = process;
  if (stdin.isTTY) return false;
  const kind = fstatSync(0);
  return kind.isFIFO() || kind.isFile() || kind.isSocket();
}

async function readInput(signal: AbortSignal): Promise<string> {
  if (!isPiped()) return "";
  const parts: Buffer[] = [];
  let length = 0;
  const stop = () => process.stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  for await (const part of process.stdin) {
    const bytes = Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
    // Enough to know that it is too much.
    if (length > longestLine) break;
  }
  return Buffer.concat(parts).toString().trim();
}

/** The events of the turn as lines of JSON. */
const jsonPrinter: Printer = {
  receive(event) {
    process.stdout.write(`${cleanJson(JSON.stringify(event))}\n`);
  },
  note(text) {
    process.stderr.write(`${clean(text)}\n`);
  },
  end: () => undefined,
};

async function openNewest(client: Client, session: string, signal: AbortSignal): Promise<void> {
  const { items } = await request(client, { type: "list", limit: 1 }, "conversations", { signal });
  const newest = items[0];
  if (!newest) throw new ReadableError("no_conversation", "there is no conversation to go on with");
  await client.request({ type: "open", id: newest.id, session }, { signal });
}

function joined(words: readonly string[], input: string): string {
  const text = [words.join(" ").trim(), input].filter((part) => part !== "").join("\n\n");
  // As JSON a character may take six bytes; the rest of the line is short.
  if (Buffer.byteLength(JSON.stringify(text)) > longestLine - 1024) {
    const limit = Math.floor(longestLine / 1024);
    throw new ReadableError("too_long", `the question is longer than ${limit} KiB`, {
      hint: "Give it a part of the text.",
    });
  }
  return text;
}

/** Resolves with the exit status: 0, 1 on an error, 130 when stopped; null: there was no question. */
export async function ask(
  words: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<number | null> {
  const text = joined(words, await readInput(signal));
  if (signal.aborted) return interrupted;
  if (text === "") return null;
  const session = randomUUID();
  await using client = await connect(signal);
  await enterSession(client, session, { yes: options.yes ?? false, signal });
  if (options.continue) await openNewest(client, session, signal);
  const printer = options.json
    ? jsonPrinter
    : printerFor({ output: process.stdout, errors: process.stderr, env: process.env, session });
  try {
    const outcome = await askQuestion(client, { text, session, printer, signal });
    if (outcome === "stopped") return interrupted;
    return outcome === "failed" ? 1 : 0;
  } finally {
    printer.end();
  }
}

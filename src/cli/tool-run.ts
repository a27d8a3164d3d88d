// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One tool by hand: what the model would read of it, after the person's yes where it needs one.
import { randomUUID } from "node:crypto";
import { text as textOf } from "node:stream/consumers";
import { clean, cleanJson, cleanLine } from "../chat/clean.ts";
import { allowedText } from "../chat/exact.ts";
import { answerConfirm } from "../chat/question.ts";
import { ask, type Client } from "../client/client.ts";
import { ReadableError } from "../errors.ts";
import { longestLine } from "../protocol/lines.ts";
import { connect } from "./connect.ts";
import { out } from "./terminal.ts";
import { askYesNo } from "./yes-no.ts";

type Options = { json?: boolean; yes?: boolean };

const usage = (message: string) =>
  new ReadableError("arguments", message, {
    hint: `Write them as one JSON object in quotes: '{"place": "Rome"}'`,
  });

/** Throws ReadableError "arguments" for anything but a JSON object. */
function readArguments(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  if (Buffer.byteLength(text) > longestLine - 1024) {
    throw usage(`the arguments are longer than ${Math.floor(longestLine / 1024)} KiB`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw usage(`the arguments are not valid JSON: ${cause.message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw usage("the arguments are not a JSON object");
  }
  return { ...value };
}

/** Answers what the daemon asks about this run: at the terminal, or yes to all. */
function answerAt(
  client: Client,
  options: { yes: boolean; signal: AbortSignal; fail: (fault: unknown) => void },
): void {
  const { yes, fail } = options;
  client.onEvent = (event) => {
    if (event.type !== "confirm") return;
    if (yes) {
      process.stderr.write(`${allowedText(event)}\n`);
      answerConfirm(client, event, true).catch(fail);
    } else {
      askYesNo(event, options)
        .then((allow) => answerConfirm(client, event, allow))
        .catch(fail);
    }
  };
}

/** Resolves with 0 or 1; with "-" the arguments are read from standard input. */
export async function runTool(
  name: string,
  given: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<number> {
  const [text = ""] = given;
  if (given.length > 1) throw usage("the arguments are more than one word");
  const args = readArguments(text === "-" ? await textOf(process.stdin) : text);
  const { yes = false } = options;
  await using client = await connect(signal);
  const over = new AbortController();
  const failed = Promise.withResolvers<never>();
  const session = randomUUID();
  if (yes || (process.stdin.isTTY && process.stderr.isTTY)) {
    const either = AbortSignal.any([signal, over.signal]);
    answerAt(client, { yes, signal: either, fail: failed.reject });
    // Without it the daemon refuses what would have to be asked.
    await client.request({ type: "features", names: ["confirm"] }, { signal });
  }
  try {
    const saying = { type: "run", name, arguments: args, session };
    const answer = ask(client, saying, "ran", { signal });
    const { type: _, req: __, ...ran } = await Promise.race([answer, failed.promise]);
    if (options.json) out(cleanJson(JSON.stringify(ran)));
    else out(process.stdout.isTTY ? clean(ran.text) : ran.text);
    if (ran.hint) process.stderr.write(`${cleanLine(ran.hint)}\n`);
    return ran.ok ? 0 : 1;
  } finally {
    over.abort();
    // It would go on without us. The connection may be what was lost.
    if (signal.aborted) await client.request({ type: "stop", session }).catch(() => client.close());
  }
}

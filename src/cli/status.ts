// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// How the daemon is: from the system what the system knows, from the daemon the rest, if it answers.
import { duration, size } from "../chat/bar.ts";
import { cleanLine } from "../chat/clean.ts";
import { faultCounts } from "../chat/tool-lines.ts";
import { ask, Client } from "../client/client.ts";
import { describe, ReadableError } from "../errors.ts";
import { logFile, socketPath } from "../paths.ts";
import { findDaemon, type Running } from "./process.ts";
import { logTail } from "./start.ts";

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? { ...value } : {};
const textOf = (value: unknown) => (typeof value === "string" ? cleanLine(value) : "");

/** Milliseconds within which a daemon that does not hang has answered. */
const patience = 2000;

/** What the daemon says, and the counts of its tools when some have a fault. */
type Said = { fields: Fields; faults: string | null };

async function answer(path: string, signal: AbortSignal): Promise<Said | ReadableError> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  try {
    await using client = await Client.connect(path, { signal, timeoutMs: patience });
    const said = await ask(client, { type: "status" }, "status", { signal: within });
    return { fields: fieldsOf(said), faults: await toolFaults(client, within) };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    if (within.aborted) return new ReadableError("no_answer", "it does not answer");
    if (thrown instanceof ReadableError) return thrown;
    throw thrown;
  }
}

/** A daemon that was started before an update may not know the question. */
async function toolFaults(client: Client, signal: AbortSignal): Promise<string | null> {
  try {
    return faultCounts(await ask(client, { type: "tools" }, "tools", { signal }));
  } catch (thrown) {
    if (thrown instanceof ReadableError && thrown.code === "unknown_command") return null;
    throw thrown;
  }
}

function modelText(backend: Fields): string {
  const state = textOf(backend.state);
  const model = textOf(backend.model);
  const url = textOf(backend.url);
  if (state === "absent") return "none yet; the first question fetches what is missing";
  if (state === "lost") return `none answers${url ? ` at ${url}` : ""}`;
  if (model === "") return state || "unknown";
  return `${model}${url ? ` at ${url}` : ""}${state ? `, ${state}` : ""}`;
}

/** Null before there is a model, and from a daemon that is older. */
function toolsText(said: Fields): string | null {
  const why = textOf(said.strategy_why);
  if (said.strategy === "native") return `the model calls them itself${why ? `: ${why}` : ""}`;
  if (said.strategy !== "plan") return null;
  return `the model picks one as a plan, then answers${why ? `: ${why}` : ""}`;
}

/** Null from a daemon that is older. */
function aheadText(ahead: Fields): string | null {
  const count = (field: string) => Number(ahead[field] ?? 0).toLocaleString("en");
  if (ahead.state === "off") return `nothing is read ahead: ${textOf(ahead.why)}`;
  if (ahead.state !== "on") return null;
  const lost = ahead.lost ? `, lost ${count("lost")} times` : "";
  return `read ahead ${count("requests")} times (${count("tokens")} tokens), used by ${count("used")} questions, dropped ${count("dropped")} times${lost}`;
}

function processText(found: Running | null, said: Fields): string {
  if (!found) return "unknown (no pid file)";
  const parts = [
    String(found.pid),
    `up ${duration(found.uptime * 1000)}`,
    `${size(found.memory)} of memory`,
  ];
  const version = textOf(said.version);
  if (version) parts.push(`version ${version}`);
  if (found.halted) parts.push("halted");
  return parts.join(", ");
}

/** Lines for people, and whether the daemon is up and answers. */
export async function status(options: {
  env?: Record<string, string | undefined>;
  signal: AbortSignal;
}): Promise<{ up: boolean; lines: string[] }> {
  const { env = process.env, signal } = options;
  const socket = socketPath(env);
  const log = logFile(env);
  const found = findDaemon(env);
  const said = await answer(socket, signal);
  const tail = logTail(log, { lines: 5 }).map((line) => `  ${cleanLine(line)}`);
  const lastLines = tail.length > 0 ? [`log      ${log}`, ...tail] : [];
  if (said instanceof ReadableError) {
    const hangs = found !== null || said.code !== "not_running";
    const first = hangs
      ? `desktop-assistant does not answer: ${describe(said).message}`
      : "desktop-assistant is not running";
    const about = found ? [`process  ${processText(found, {})}`] : [];
    const hint = hangs ? "Type: desktop-assistant restart" : "Type: desktop-assistant start";
    return { up: false, lines: [first, ...about, `socket   ${socket}`, ...lastLines, hint] };
  }
  const { fields, faults } = said;
  const backend = fieldsOf(fields.backend);
  const why = textOf(backend.why);
  const tools = toolsText(fields);
  const ahead = aheadText(fieldsOf(fields.ahead));
  const counts = fieldsOf(fields.counts);
  return {
    up: true,
    lines: [
      "desktop-assistant is running",
      `process  ${processText(found, fields)}`,
      `socket   ${socket}`,
      `model    ${modelText(backend)}`,
      ...(why ? [`         ${why}`] : []),
      ...(tools ? [`tools    ${tools}`] : []),
      ...(ahead ? [`cache    ${ahead}`] : []),
      ...(typeof counts.conversations === "number"
        ? [
            `history  conversations: ${counts.conversations}, questions: ${String(counts.turns ?? 0)}`,
          ]
        : []),
      ...(faults ? [`faults   ${faults}`, "         Type: desktop-assistant tools"] : []),
      ...lastLines,
    ],
  };
}

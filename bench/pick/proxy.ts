// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stands between daemon and model server, hands everything through as it comes, and notes each completion.
import { once } from "node:events";
import {
  createServer,
  request as http,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { request as https } from "node:https";
import { buffer } from "node:stream/consumers";
import type { Progress } from "../../src/message.ts";
import { readProgress, readUsage } from "../../src/model/usage.ts";
import type { Place } from "../place.ts";

/** One completion as it went by; times are performance.now(). */
export type Recorded = {
  begun: number;
  /** When the server's first event came: it has begun to read; null: not yet. */
  started: number | null;
  /** When the server's last byte came, or the asking side hung up; null: it runs. */
  ended: number | null;
  /** The asking side hung up before the end. */
  aborted: boolean;
  /** The answer was forced by a JSON schema. */
  schema: boolean;
  /** The whole request. */
  body: Record<string, unknown>;
  /** All messages as one text. */
  sent: string;
  /** The text of the answer. */
  wrote: string;
  /** Tokens; null when the server did not say. */
  prompt: number | null;
  cached: number | null;
  /** Tokens of the prompt that had to be read. */
  read: number | null;
  output: number | null;
  /** How far the prompt was read when the server told it last. */
  progress: Progress | null;
};

export type Passage = {
  /** With /v1. */
  url: string;
  /** In the order of their beginnings. */
  requests: Recorded[];
  close(): Promise<void>;
};

/** A message as text: what a model reads of it, in its order. */
function messagesText(messages: unknown): string {
  if (!Array.isArray(messages)) return "";
  return messages
    .map((message: unknown) => {
      const { role, content, tool_calls } = Object(message);
      const calls = tool_calls === undefined ? "" : JSON.stringify(tool_calls);
      return `${role}\n${typeof content === "string" ? content : ""}${calls}\n`;
    })
    .join("");
}

/**
 * Starts the proxy on a free port of loopback. With `longest`, answers that have no bound get this one,
 * in tokens; everything else goes through byte for byte.
 */
export async function startProxy(
  place: Place,
  { longest = null }: { longest?: number | null } = {},
): Promise<Passage> {
  const requests: Recorded[] = [];
  const server = createServer((asked, answer) => {
    void pass({ place, longest, requests }, asked, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The address at the server: paths below /v1 stay below its own. */
function upstream(place: Place, path: string): URL {
  const below = path.startsWith("/v1") ? path.slice("/v1".length) : null;
  const root = place.url.replace(/\/v1$/, "");
  return new URL(below === null ? `${root}${path}` : `${place.url}${below}`);
}

async function pass(
  { place, longest, requests }: { place: Place; longest: number | null; requests: Recorded[] },
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const begun = performance.now();
  const body = await buffer(asked).catch(() => null);
  if (body === null) return;
  const path = asked.url ?? "/";
  const record = path.startsWith("/v1/chat/completions") ? recorded(body, begun) : null;
  if (record) requests.push(record);
  const url = upstream(place, path);
  const { host: _host, connection: _connection, ...headers } = asked.headers;
  const onwardBody = record && longest !== null ? bounded(record, body, longest) : body;
  const onward = (url.protocol === "https:" ? https : http)(url, {
    method: asked.method,
    headers: {
      ...headers,
      ...(onwardBody !== body && { "content-length": String(onwardBody.length) }),
      ...(place.apiKey !== null && { authorization: `Bearer ${place.apiKey}` }),
    },
    agent: false,
  });
  const chunks: Buffer[] = [];
  answer.once("close", () => {
    if (answer.writableFinished) return;
    if (record && record.ended === null) finish(record, chunks, { aborted: true });
    onward.destroy();
  });
  // The asking side sees a broken connection, as it would without us.
  onward.once("error", () => answer.destroy());
  onward.once("response", (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    if (record) {
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        follow(record, chunk.toString());
      });
      response.once("end", () => finish(record, chunks, { aborted: false }));
    }
    response.once("error", () => answer.destroy());
    response.pipe(answer);
  });
  onward.end(onwardBody);
}

/** The request, with a bound to its answer where it has none. */
function bounded({ body: asked }: Recorded, body: Buffer, longest: number): Buffer {
  if (asked.max_tokens !== undefined) return body;
  return Buffer.from(JSON.stringify({ ...asked, max_tokens: longest }));
}

function recorded(text: Buffer, begun: number): Recorded {
  const body: Record<string, unknown> = { ...Object(JSON.parse(text.toString())) };
  return {
    begun,
    started: null,
    ended: null,
    aborted: false,
    schema: body.response_format !== undefined || body.grammar !== undefined,
    body,
    sent: messagesText(body.messages),
    wrote: "",
    prompt: null,
    cached: null,
    read: null,
    output: null,
    progress: null,
  };
}

/** Notes what is known before the end; a comment is a sign of life and no event, and a cut line is left out. */
function follow(record: Recorded, text: string): void {
  if (/^(?!\s*:)\s*\S/.test(text)) record.started ??= performance.now();
  if (!text.includes("prompt_progress")) return;
  for (const event of events(text)) {
    const told = readProgress(Object(event).prompt_progress);
    if (told?.type !== "progress") continue;
    const { processed, total, cached } = told;
    record.progress = { processed, total, cached };
  }
}

function finish(
  record: Recorded,
  chunks: readonly Buffer[],
  { aborted }: { aborted: boolean },
): void {
  record.ended = performance.now();
  record.aborted = aborted;
  for (const event of events(Buffer.concat(chunks).toString())) {
    const { choices, usage, timings } = Object(event);
    const { delta, message } = Object(Array.isArray(choices) ? choices[0] : null);
    const { content } = Object(delta ?? message);
    if (typeof content === "string") record.wrote += content;
    const counts = readUsage(usage, timings);
    if (!counts) continue;
    const { prompt_n } = Object(timings);
    record.prompt = counts.prompt;
    record.cached = counts.cached;
    record.output = counts.output;
    if (typeof prompt_n === "number") record.read = prompt_n;
    else if (counts.cached !== null) record.read = counts.prompt - counts.cached;
  }
}

/** The values of an event stream, or the one of a plain answer; what was cut off in the middle is left out. */
function* events(text: string): Generator<unknown> {
  if (text.startsWith("{")) return yield readJson(text);
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("data:")) yield readJson(line.slice("data:".length));
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

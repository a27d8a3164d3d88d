// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One HTTP exchange with a model server: no hidden limits, no bytes after an abort.
import type { IncomingHttpHeaders } from "node:http";
import { http, https } from "../download/lean-http.ts";
import { ReadableError, systemCode } from "../errors.ts";
import { parseJson } from "./json.ts";
import { notAModelServer, statusError } from "./server-error.ts";

/** Bytes of an answer that is read whole: a list of models, a complaint. */
const longestAnswer = 8 * 1024 * 1024;

export type Call = {
  url: string;
  /** With a body it is a POST, else a GET. */
  body?: string;
  /** Goes into the Authorization header and nowhere else. */
  apiKey: string | null;
  signal: AbortSignal;
  /** Milliseconds without a byte from the server. */
  stall: number;
};

export type Sink = {
  head(status: number, headers: IncomingHttpHeaders): void;
  /** True when the rest does not matter: the connection is then closed. */
  bytes(chunk: Buffer): boolean;
};

/**
 * Sends one request and feeds the answer to the sink. Resolves when the answer has ended; rejects
 * with what the sink threw, with the signal's reason, or with ReadableError "unreachable", "stalled",
 * "cut" or "not_a_model_server". In every case the socket is destroyed before it settles.
 */
export function exchange(call: Call, sink: Sink): Promise<void> {
  const { url, body, apiKey, signal, stall } = call;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    let answered = false;
    let complete = false;
    let silent = false;
    let fault: unknown;
    let thrown: { value: unknown } | null = null;
    let seen = 0;
    const send = url.startsWith("https:") ? https.request : http.request;
    // A connection of its own for each request: who opens closes, and an abort can't hit another one.
    const request = send(url, {
      method: body === undefined ? "GET" : "POST",
      agent: false,
      headers: {
        accept: "text/event-stream, application/json",
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      },
    });
    const stop = () => request.destroy();
    const bark = () => {
      // Bytes of a header that comes in drops are life too; nobody tells of them but the socket.
      const read = request.socket?.bytesRead ?? 0;
      if (!answered && read > seen) {
        seen = read;
        watchdog = setTimeout(bark, stall);
        return;
      }
      silent = true;
      stop();
    };
    let watchdog = setTimeout(bark, stall);
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(bark, stall);
    };
    const guard = (feed: () => boolean) => {
      if (thrown || complete || signal.aborted) return;
      try {
        complete = feed();
      } catch (value) {
        thrown = { value };
      }
      if (thrown || complete) stop();
    };
    request.on("response", (response) => {
      answered = true;
      alive();
      guard(() => {
        sink.head(response.statusCode ?? 0, response.headers);
        return false;
      });
      response.on("data", (chunk: Buffer) => {
        alive();
        guard(() => sink.bytes(chunk));
      });
      response.on("end", () => {
        complete = true;
      });
      response.on("error", (error) => {
        fault ??= error;
      });
    });
    request.on("error", (error) => {
      fault ??= error;
    });
    request.on("close", () => {
      clearTimeout(watchdog);
      signal.removeEventListener("abort", stop);
      if (thrown) reject(thrown.value);
      else if (complete) resolve();
      else if (signal.aborted) reject(signal.reason);
      else if (silent) reject(stalled(url, stall));
      else reject(connectionError(fault, { url, answered }));
    });
    signal.addEventListener("abort", stop, { once: true });
    request.end(body);
  });
}

/** An address for people: no query. */
function shown(url: string): string {
  return url.split("?")[0] ?? url;
}

function stalled(url: string, stall: number): ReadableError {
  return new ReadableError(
    "stalled",
    `the model server at ${shown(url)} gave no sign of life for ${stall / 1000} s`,
    { hint: "Look at the server. A slow one may need a larger stall in config.toml." },
  );
}

function connectionError(
  cause: unknown,
  options: { url: string; answered: boolean },
): ReadableError {
  const code = systemCode(cause);
  if (code.startsWith("HPE_")) return notAModelServer(`${shown(options.url)} does not speak HTTP`);
  if (options.answered) {
    return new ReadableError("cut", "the model server broke off in the middle of its answer", {
      hint: "Ask again. If it happens often, look into the server's log.",
      cause,
    });
  }
  const why = code ? ` (${code})` : "";
  return new ReadableError("unreachable", `nothing answers at ${shown(options.url)}${why}`, {
    hint: "Start the model server. Or set llm in config.toml to the right address, and type: desktop-assistant restart",
    cause,
  });
}

/** A key must not reach a person's screen or a log by way of a server that repeats it. */
export function withoutKey(text: string, apiKey: string | null): string {
  return apiKey ? text.replaceAll(apiKey, "[key]") : text;
}

/**
 * One small question to a server: the JSON it answers with 200. Rejects as exchange does, and with
 * the server's own complaint for any other status ("loading" for 503, "api_key", "server_error").
 */
export async function askJson(call: Call): Promise<unknown> {
  let status = 0;
  let size = 0;
  const parts: Buffer[] = [];
  await exchange(call, {
    head: (code) => {
      status = code;
    },
    bytes: (chunk) => {
      size += chunk.length;
      if (size > longestAnswer) throw notAModelServer(`${shown(call.url)} never ends`);
      parts.push(chunk);
      return false;
    },
  });
  const text = Buffer.concat(parts).toString();
  if (status !== 200) throw statusError(status, withoutKey(text, call.apiKey));
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw notAModelServer(`${shown(call.url)} answered with something that is no JSON`);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One GET over HTTP: redirects followed, a dead connection noticed soon, faults in words.
import type { IncomingMessage } from "node:http";
import { ReadableError, systemCode } from "../errors.ts";
import { http, https } from "./lean-http.ts";

export type TransferOptions = {
  url: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Time for name look-up and connection. */
  connectMs: number;
  /** Time without a byte, from the connection on. */
  stallMs: number;
};

/** Mirrors and hubs redirect once or twice; more is a loop. */
const mostRedirects = 5;

/** Host names alone stay readable in a message that lists several sources. */
function hostOf(url: string): string {
  return new URL(url).host;
}

function unreachable(url: string, cause: unknown): ReadableError {
  const why = systemCode(cause) || (cause instanceof Error ? cause.message : String(cause));
  return new ReadableError("unreachable", `${hostOf(url)} can't be reached (${why})`, {
    hint: "Look at the network connection, then try again.",
    cause,
  });
}

/** A transfer that ended before its last byte; what came so far is kept. */
export function cutOff(url: string, cause: unknown): ReadableError {
  const why = systemCode(cause) || (cause instanceof Error ? cause.message : String(cause));
  return new ReadableError("cut", `the transfer from ${hostOf(url)} was cut (${why})`, {
    hint: "Try again: it goes on where it stopped.",
    cause,
  });
}

/** Resolves with the answer's head, whatever its status. */
function once(options: TransferOptions): Promise<IncomingMessage> {
  const { url, headers, signal, connectMs, stallMs } = options;
  const secure = new URL(url).protocol === "https:";
  // An agent of its own for each transfer: no kept connection, and the proxy of the environment.
  const request = secure
    ? https.get(url, { headers, signal, agent: new https.Agent({ proxyEnv: process.env }) })
    : http.get(url, { headers, signal, agent: new http.Agent({ proxyEnv: process.env }) });
  return new Promise((resolve, reject) => {
    const tooSlow = (ms: number, what: string) =>
      request.destroy(new Error(`${what} within ${Math.ceil(ms / 1000)} s`));
    const connecting = setTimeout(() => tooSlow(connectMs, "no connection"), connectMs);
    const connected = () => clearTimeout(connecting);
    request.once("socket", (socket) => {
      if (socket.connecting) socket.once("connect", connected);
      else connected();
    });
    request.setTimeout(stallMs, () => tooSlow(stallMs, "no byte"));
    request.once("close", connected);
    request.once("response", resolve);
    request.on("error", (fault) => {
      connected();
      reject(signal.aborted ? signal.reason : unreachable(url, fault));
    });
  });
}

/**
 * Gets `url`, following redirects. Resolves with the answer to a 2xx or 416 status; the caller must
 * read or destroy it. Rejects with ReadableError "unreachable", "not_found" or "refused".
 */
export async function get(options: TransferOptions): Promise<IncomingMessage> {
  let { url, headers } = options;
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const answer = await once({ ...options, url, headers });
    const status = answer.statusCode ?? 0;
    const location = answer.headers.location;
    if (status >= 300 && status < 400 && location !== undefined) {
      answer.destroy();
      const next = URL.parse(location, url);
      const secure = new URL(url).protocol === "https:";
      if (next === null || !(next.protocol === "https:" || (next.protocol === "http:" && !secure)))
        throw new ReadableError("refused", `${hostOf(url)} redirects to an unsafe address`);
      if (next.origin !== new URL(url).origin)
        headers = Object.fromEntries(
          Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization"),
        );
      url = next.href;
      continue;
    }
    if ((status >= 200 && status < 300) || status === 416) return answer;
    answer.destroy();
    if (status === 404 || status === 410)
      throw new ReadableError("not_found", `${hostOf(url)} does not have this file (${status})`);
    throw new ReadableError("refused", `${hostOf(url)} answered ${status}`, {
      hint: "Try again later.",
    });
  }
  throw new ReadableError("refused", `${hostOf(options.url)} redirects without end`);
}

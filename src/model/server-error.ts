// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a model server's own complaint becomes: a readable error with its words and a stable code.
import { ReadableError } from "../errors.ts";
import { isRecord, parseJson, textAt } from "./json.ts";
import { type Overflow, overflowIn } from "./overflow.ts";

/** A request that the server does not take as it is: sent again, it would fail again. */
export class Refused extends ReadableError {}

/** A request that is longer than the model reads: sent with less in it, it may go well. */
export class TooLong extends Refused {
  /** Tokens of the request, and tokens that the model reads; null where the server does not say. */
  readonly needs: number | null;
  readonly holds: number | null;

  constructor(message: string, { needs, holds }: Overflow) {
    const numbers =
      needs !== null && holds !== null
        ? `The request has ${needs} tokens, the model reads ${holds}. `
        : "";
    const hint = `${numbers}Begin a new conversation, or start the model server with a larger context.`;
    super("context_too_small", message, { hint });
    this.needs = needs;
    this.holds = holds;
  }
}

/** The server itself failed: it may be this request, or any. */
export class Failed extends ReadableError {}

/** The status of a server that has no such thing as was asked for. */
const notImplemented = 501;

/** Later, the same request may go well: it came too late, too early or too often. */
const passing = new Set([408, 425, 429]);

/** What an HTTP status says of the request. */
function faultOf(status: number): typeof ReadableError {
  if (passing.has(status)) return ReadableError;
  return (status >= 400 && status < 500) || status === notImplemented ? Refused : Failed;
}

/** A complaint is shown to a person; more than this is a dump. */
const longestText = 1000;

/** Servers word it as {message}, as text, or as FastAPI's {detail}. */
function wordsOf(error: unknown): string {
  if (typeof error === "string") return error;
  for (const field of ["message", "error", "detail"]) {
    const text = textAt(error, field);
    if (text) return text;
  }
  return error === undefined ? "" : JSON.stringify(error);
}

/**
 * The error for an `error` value of a server (HTTP status 200 or any other). Codes:
 * "context_too_small" (a TooLong), "api_key" (401, 403), "loading" (503), "server_error". The message is
 * the server's own text, except for "api_key", where some servers repeat the key.
 */
export function serverError(error: unknown, status = 200): ReadableError {
  const words = wordsOf(error).trim().slice(0, longestText).toWellFormed();
  if (status === 401 || status === 403) {
    return new ReadableError("api_key", `the model server refuses the API key (HTTP ${status})`, {
      hint: "Put the key into a file (mode 0600) and name it as api_key_file in config.toml, or set DESKTOP_ASSISTANT_API_KEY.",
    });
  }
  if (status === 503 || textAt(error, "type") === "unavailable_error") {
    return new ReadableError("loading", words || "the model is being loaded");
  }
  const overflow = passing.has(status) ? null : overflowIn(error, words, status);
  if (overflow) return new TooLong(words || `the request is too large (HTTP ${status})`, overflow);
  return new (faultOf(status))(
    "server_error",
    words || `the model server answered with HTTP ${status}`,
    {
      hint: "These are the model server's own words; its log may say more. If it is so with every question, the model may have no usable chat template: try another one.",
    },
  );
}

/** A body that no model server sends: a web page, or text that is no JSON. */
export function notAModelServer(what: string): ReadableError {
  return new ReadableError("not_a_model_server", `this is no model server: ${what}`, {
    hint: "Set llm in config.toml to the address of an OpenAI-compatible server, with /v1.",
  });
}

/** The error for a reply whose status is not 200; `body` is its text, perhaps only the beginning. */
export function statusError(status: number, body: string): ReadableError {
  if (status === 401 || status === 403) return serverError(undefined, status);
  const value = parseJson(body);
  if (isRecord(value)) return serverError(value.error ?? value, status);
  if (status === 413) return serverError(undefined, status);
  if (status >= 300 && status < 400) {
    return notAModelServer(`it redirects elsewhere (HTTP ${status})`);
  }
  if (status >= 500) {
    return new (faultOf(status))("server_error", `the model server answered with HTTP ${status}`, {
      hint: "Look into the log of the model server, or of the gateway before it.",
    });
  }
  return notAModelServer(`it answered with HTTP ${status} and no JSON`);
}

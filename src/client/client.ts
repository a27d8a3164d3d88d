// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The one way to talk to the daemon: a connection, requests with their answers, events in their order.
import { createConnection, type Socket } from "node:net";
import { ReadableError, systemCode } from "../errors.ts";
import { parseEvent, type Received } from "../protocol/events.ts";
import { LineReader } from "../protocol/lines.ts";

export type Hello = Extract<Received, { type: "hello" }>;
/** What a client says; `req` is set by the client itself. */
export type Saying = { type: string; [field: string]: unknown };

// An event holds whole conversations, so it may be much longer than a line to the daemon.
const longestEvent = 64 * 1024 * 1024;

const lost = (cause?: unknown) =>
  new ReadableError("lost", "the daemon closed the connection", {
    hint: "Type: desktop-assistant status",
    ...(cause === undefined ? {} : { cause }),
  });

const errorFrom = (event: Extract<Received, { type: "error" }>) =>
  new ReadableError(event.code ?? "error", event.message, { hint: event.hint ?? "" });

function unreachable(path: string, cause: unknown): ReadableError {
  const code = systemCode(cause);
  if (code === "ENOENT" || code === "ECONNREFUSED") {
    return new ReadableError("not_running", "the daemon is not running", {
      hint: "Type: desktop-assistant start",
      cause,
    });
  }
  return new ReadableError("unreachable", `cannot connect to ${path}: ${code || String(cause)}`, {
    cause,
  });
}

type Waiting = { resolve: (event: Received) => void; reject: (fault: unknown) => void };

/** A connection whose `hello` has come. Whoever opened it closes it. */
export class Client {
  /** The newest one: `features` and `watch` are answered with another. */
  hello: Hello;
  /** Gets every event after the hello in its order, answers included (they carry `req`). */
  onEvent: (event: Received) => void;
  /** Resolves when the connection has ended, from either side; never rejects. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #waiting = new Map<string, Waiting>();
  #count = 0;
  #ended = false;

  private constructor(
    socket: Socket,
    hello: Hello,
    closed: Promise<void>,
    onEvent: (event: Received) => void,
  ) {
    this.#socket = socket;
    this.hello = hello;
    this.onEvent = onEvent;
    this.closed = closed.then(() => {
      this.#ended = true;
      for (const { reject } of this.#waiting.values()) reject(lost());
      this.#waiting.clear();
    });
  }

  /**
   * Connects and waits for the daemon's `hello`. Rejects with ReadableError: "not_running" (no socket, or nobody
   * behind it), "no_answer" (no hello within `timeoutMs`, the daemon hangs), what the daemon said
   * instead of a hello, or with the signal's reason.
   */
  static connect(
    path: string,
    options: { signal?: AbortSignal; timeoutMs?: number; onEvent?: (event: Received) => void } = {},
  ): Promise<Client> {
    const { signal, timeoutMs = 5000, onEvent = () => undefined } = options;
    const { promise, resolve, reject } = Promise.withResolvers<Client>();
    if (signal?.aborted) return Promise.reject(signal.reason);
    let client: Client | null = null;
    const socket = createConnection(path);
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    const timer = setTimeout(
      () =>
        fail(
          new ReadableError("no_answer", `the daemon does not answer within ${timeoutMs} ms`, {
            hint: "It may hang. Type: desktop-assistant restart",
          }),
        ),
      timeoutMs,
    );
    const fail = (fault: unknown) => {
      reject(fault);
      socket.destroy();
    };
    const onAbort = () => fail(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const settled = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const reader = new LineReader(
      (line) => {
        const event = line === null ? null : readEvent(line);
        if (!event) return;
        if (client) client.#receive(event);
        else if (event.type === "hello") {
          settled();
          client = new Client(socket, event, closed, onEvent);
          resolve(client);
        } else if (event.type === "error") fail(errorFrom(event));
      },
      { limit: longestEvent },
    );
    socket.on("data", (chunk) => reader.push(Buffer.from(chunk)));
    socket.once("error", (cause) => fail(unreachable(path, cause)));
    socket.once("close", () => {
      settled();
      reject(lost());
    });
    return promise;
  }

  /** Says something and waits for its answer. Rejects with the daemon's error, or "lost". */
  async request(saying: Saying, options: { signal?: AbortSignal } = {}): Promise<Received> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#ended) throw lost();
    const req = String(++this.#count);
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    this.#waiting.set(req, { resolve, reject });
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#write({ ...saying, req });
    try {
      return await promise;
    } finally {
      this.#waiting.delete(req);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Ends the connection; what was asked for may go on at the daemon. */
  close(): Promise<void> {
    this.#socket.destroy();
    return this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #write(value: Saying): void {
    this.#socket.write(`${JSON.stringify(value)}\n`);
  }

  #receive(event: Received): void {
    if (event.type === "hello") this.hello = event;
    this.onEvent(event);
    const waiting = event.req === undefined ? undefined : this.#waiting.get(event.req);
    if (!waiting) return;
    if (event.type === "error") waiting.reject(errorFrom(event));
    else waiting.resolve(event);
  }
}

/** A line that is no JSON is not from our daemon's hand; it is left out like an unknown event. */
function readEvent(line: string): Received | null {
  try {
    return parseEvent(line);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** `request` for one kind of answer; any other is a fault of the daemon. */
export async function ask<Type extends Received["type"]>(
  client: Client,
  saying: Saying,
  type: Type,
  options: { signal?: AbortSignal } = {},
): Promise<Extract<Received, { type: Type }>> {
  const answer = await client.request(saying, options);
  if (isType(answer, type)) return answer;
  throw new ReadableError("unexpected", `the daemon answered ${answer.type} to ${saying.type}`);
}

function isType<Type extends Received["type"]>(
  event: Received,
  type: Type,
): event is Extract<Received, { type: Type }> {
  return event.type === type;
}

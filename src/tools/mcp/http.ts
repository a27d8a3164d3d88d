// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A server at an address: the SDK's transport, with a bound on messages and an ear for answers that break off.
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Limits } from "./config.ts";

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Where the last event of a stream ends in these bytes, which is after an empty line; 0: nowhere. */
function lastEnd(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at > 0; at -= 1) {
    if (bytes[at] !== newline) continue;
    const before = bytes[at - 1] === carriageReturn ? at - 2 : at - 1;
    if (bytes[before] === newline) return at + 1;
  }
  return 0;
}

/** The answer's body, which ends with a fault at a message of more than `most` bytes. */
function bounded(answer: Response, most: number): Response {
  if (!answer.body) return answer;
  // In a stream each event is a message, of however many lines.
  const events = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  let size = 0;
  let tail = new Uint8Array();
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      // An empty line may lie across two chunks.
      const seen = events ? Buffer.concat([tail, bytes]) : bytes;
      const end = events ? lastEnd(seen) : 0;
      size = end === 0 ? size + bytes.length : seen.length - end;
      tail = seen.slice(-2);
      if (size > most) controller.error(new Error(`it sent a message of more than ${most} bytes`));
      else controller.enqueue(bytes);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(bound), { status, statusText, headers });
}

/**
 * `onBroken` is called when the stream of an answer ends without the answer; the SDK would wait for it
 * until its time is over. A stream that has given its answer, or whose answer was given up, is closed.
 */
export function httpTransport(options: {
  make: typeof StreamableHTTPClientTransport;
  url: string;
  limits: Limits;
  onBroken: (why: string) => void;
}): StreamableHTTPClientTransport {
  const { make, url, limits, onBroken } = options;
  const transport = new make(new URL(url), {
    fetch: async (where, init) => bounded(await fetch(where, init), limits.message),
  });
  const open = new Map<unknown, AbortController>();
  /** Its end is no fault from now on. */
  const settled = (id: unknown) => {
    const stream = open.get(id);
    open.delete(id);
    return stream;
  };
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message)) settled(message.id)?.abort();
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, about) => {
    const one = Array.isArray(message) ? undefined : message;
    if (!one || !("method" in one)) return send(message, about);
    if (!("id" in one)) {
      if (one.method !== "notifications/cancelled") return send(message, about);
      const stream = settled(one.params?.requestId);
      // Told first: a server that hears its stream close takes that for a lost connection.
      return send(message, about).finally(() => stream?.abort());
    }
    const stream = new AbortController();
    open.set(one.id, stream);
    const onRequestStreamEnd = () => {
      if (open.delete(one.id)) onBroken("its answer broke off");
    };
    return send(message, { ...about, requestSignal: stream.signal, onRequestStreamEnd });
  };
  return transport;
}

/** How long a server may take for the word that we leave. */
const farewellMs = 300;

/** Tells the server that its session is over; it may be gone, or deaf. */
export async function leave(transport: StreamableHTTPClientTransport): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, farewellMs);
  await Promise.race([promise, transport.terminateSession().catch(resolve)]);
  clearTimeout(timer);
}

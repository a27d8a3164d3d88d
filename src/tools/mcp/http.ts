// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A server at an address: the SDK's transport, with a bound on messages and an ear for answers that break off.
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Limits } from "./config.ts";

const newline = 0x0a;

/** The answer's body, which ends with a fault at a message of more than `most` bytes. */
function bounded(answer: Response, most: number): Response {
  if (!answer.body) return answer;
  // In a stream of events each message is a line.
  const lines = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  let size = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const end = lines ? bytes.lastIndexOf(newline) : -1;
      size = end === -1 ? size + bytes.length : bytes.length - end;
      if (size > most) controller.error(new Error(`it sent a message of more than ${most} bytes`));
      else controller.enqueue(bytes);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(bound), { status, statusText, headers });
}

/**
 * `onBroken` is called when the stream of an answer ends without the answer; the SDK would wait for it
 * until its time is over.
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
  const open = new Set<unknown>();
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message)) open.delete(message.id);
  };
  const send = transport.send.bind(transport);
  transport.send = (message, about) => {
    const one = Array.isArray(message) ? undefined : message;
    if (!one || !("method" in one)) return send(message, about);
    if (!("id" in one)) {
      // Nobody waits for an answer that was given up.
      if (one.method === "notifications/cancelled") open.delete(one.params?.requestId);
      return send(message, about);
    }
    open.add(one.id);
    const onRequestStreamEnd = () => {
      if (open.delete(one.id)) onBroken("its answer broke off");
    };
    return send(message, { ...about, onRequestStreamEnd });
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

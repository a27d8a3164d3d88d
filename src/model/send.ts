// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One completion over HTTP: the body out, the events in, and patience while a model is loaded.
import { ReadableError } from "../errors.ts";
import { type Call, exchange, withoutKey } from "./http.ts";
import type { ModelEvent, Reply } from "./model.ts";
import { whileLoading } from "./patience.ts";
import { statusError, TooLong } from "./server-error.ts";
import { StreamReader } from "./stream.ts";

/** Bytes of a complaint that are kept. */
const longestComplaint = 64 * 1024;

async function sendOnce(call: Call, emit: (event: ModelEvent) => void): Promise<Reply> {
  const { signal } = call;
  // One chunk may hold many events; after an abort between two of them nothing more is to be seen.
  const reader = new StreamReader((event) => {
    if (!signal.aborted) emit(event);
  });
  let status = 0;
  let size = 0;
  const complaint: Buffer[] = [];
  try {
    await exchange(call, {
      head: (code) => {
        status = code;
      },
      bytes: (chunk) => {
        if (status === 200) {
          reader.push(chunk);
          return reader.done;
        }
        complaint.push(chunk);
        size += chunk.length;
        return size > longestComplaint;
      },
    });
  } catch (thrown) {
    // A server that named its reason and then closed badly has said everything.
    const whole = thrown instanceof ReadableError && thrown.code === "cut" && reader.finished;
    if (!whole) throw withoutKeyIn(thrown, call.apiKey);
  }
  if (status !== 200) {
    throw statusError(status, withoutKey(Buffer.concat(complaint).toString(), call.apiKey));
  }
  try {
    return reader.end();
  } catch (thrown) {
    throw withoutKeyIn(thrown, call.apiKey);
  }
}

function withoutKeyIn(thrown: unknown, apiKey: string | null): unknown {
  if (!(thrown instanceof ReadableError)) return thrown;
  const message = withoutKey(thrown.message, apiKey);
  if (message === thrown.message) return thrown;
  if (thrown instanceof TooLong) return new TooLong(message, thrown);
  return new ReadableError(thrown.code, message, { hint: thrown.hint });
}

/**
 * Sends a completion and streams its events. While the server answers 503 it is asked again with
 * growing pauses. Rejects with ReadableError or with the signal's reason.
 */
export function send(
  call: Call & { body: string },
  options: { emit: (event: ModelEvent) => void; onLoading?: (() => void) | undefined },
): Promise<Reply> {
  return whileLoading(() => sendOnce(call, options.emit), {
    signal: call.signal,
    onLoading: options.onLoading,
  });
}

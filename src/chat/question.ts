// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One question to its answer in a session of its own, so that what is on somebody's screen is left alone.
import { ask, type Client } from "../client/client.ts";
import { ReadableError } from "../errors.ts";
import type { Received } from "../protocol/events.ts";
import type { Printer } from "./printer.ts";
import { missing, missingText } from "./setup.ts";

export type Outcome = "answered" | "failed" | "stopped";

/** Makes the connection serve this session only. `queue` and `changed` are of no use here. */
export async function enterSession(
  client: Client,
  session: string,
  options: { signal: AbortSignal },
): Promise<void> {
  const names = ["progress", "notice", "job"];
  await client.request({ type: "features", names }, options);
  await client.request({ type: "unwatch", session: "main" }, options);
  await client.request({ type: "watch", session }, options);
}

/** With no model anywhere, says what will be fetched, and has the daemon begin. */
export async function fetchIfMissing(
  client: Client,
  printer: Pick<Printer, "note">,
  options: { signal: AbortSignal },
): Promise<void> {
  const wanted = await missing(client, options);
  if (!wanted) return;
  printer.note(missingText(wanted).join("\n"));
  await ask(client, { type: "fetch", model: wanted.model }, "ok", options);
}

/**
 * Asks, and shows everything until the turn has ended. When `signal` aborts, the turn is stopped at the
 * daemon, with the fetches it waits for. Rejects when the daemon refuses the question or goes away.
 */
export async function askQuestion(
  client: Client,
  options: { text: string; session: string; printer: Printer; signal: AbortSignal },
): Promise<Outcome> {
  const { text, session, printer, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const jobs = new Set<string>();
  client.onEvent = (event: Received) => {
    if (event.type === "job") {
      if (event.state === "running") jobs.add(event.job);
      else jobs.delete(event.job);
    }
    if (event.req !== undefined) return;
    printer.receive(event);
    if (event.session !== session) return;
    if (event.type === "done") resolve(event.stopped ? "stopped" : "answered");
    else if (event.type === "error") resolve("failed");
  };
  const stop = () => {
    for (const job of jobs) client.request({ type: "cancel", job }).catch(reject);
    client.request({ type: "stop", session }).then((answer) => {
      // Nothing ran: the turn has ended by itself, or was never begun.
      if (answer.type === "ok" && answer.stopped === null) resolve("stopped");
    }, reject);
  };
  signal.addEventListener("abort", stop, { once: true });
  void client.closed.then(() =>
    reject(new ReadableError("lost", "the assistant ended before the answer was complete")),
  );
  try {
    await client.request({ type: "ask", text, session, when: "queue" });
    if (signal.aborted) stop();
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    client.onEvent = () => undefined;
  }
}

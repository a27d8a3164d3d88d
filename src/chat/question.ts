// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One question to its answer in a session of its own, so that what is on somebody's screen is left alone.
import type { Client } from "../client/client.ts";
import { ReadableError } from "../errors.ts";
import type { Job } from "../message.ts";
import type { Received } from "../protocol/events.ts";
import { allowedText } from "./exact.ts";
import type { Printer } from "./printer.ts";
import { missing } from "./setup.ts";

export type Outcome = "answered" | "failed" | "stopped";

/**
 * Makes the connection serve this session only. `queue` and `changed` are of no use here. With `yes`
 * it says that it can answer when a call needs a yes; without, the daemon refuses such a call.
 */
export async function enterSession(
  client: Client,
  session: string,
  options: { yes?: boolean; signal: AbortSignal },
): Promise<void> {
  const names = ["progress", "notice", "job", ...(options.yes ? ["confirm"] : [])];
  await client.request({ type: "features", names }, options);
  await client.request({ type: "unwatch", session: "main" }, options);
  await client.request({ type: "watch", session }, options);
}

/**
 * Asks, and shows everything until the turn has ended; what is missing for an answer is said first,
 * the question makes the daemon fetch it. When `signal` aborts, the turn is stopped at the daemon, and
 * so is that fetch. A call that the daemon asks about is allowed, and told: see enterSession. Rejects
 * when the daemon refuses the question or goes away.
 */
export async function askQuestion(
  client: Client,
  options: { text: string; session: string; printer: Printer; signal: AbortSignal },
): Promise<Outcome> {
  const { text, session, printer, signal } = options;
  const { promise, resolve } = Promise.withResolvers<Outcome | { fault: unknown }>();
  const fail = (fault: unknown) => resolve({ fault });
  const jobs = new Set<string>();
  let outcome: Outcome | null = null;
  // A fetch that ran before goes on: somebody else wants it.
  const before = new Set((client.hello.jobs ?? []).map(({ job }) => job));
  const isOwn = ({ job, kind }: Job) => (kind === "engine" || kind === "model") && !before.has(job);
  const cancel = (job: string) =>
    client.request({ type: "cancel", job }).catch((fault: unknown) => {
      // It may have ended by itself at the same moment.
      if (!(fault instanceof ReadableError && fault.code === "no_job")) fail(fault);
    });
  client.onEvent = (event: Received) => {
    if (event.type === "job") {
      // A fetch that begins when the person has stopped already is not wanted either.
      if (event.state !== "running") jobs.delete(event.job);
      else if (!jobs.has(event.job) && isOwn(event)) {
        jobs.add(event.job);
        if (signal.aborted) void cancel(event.job);
      }
    }
    if (event.req !== undefined) return;
    printer.receive(event);
    if (event.session !== session) return;
    if (event.type === "confirm") {
      printer.note(allowedText(event));
      answerConfirm(client, event, true).catch(fail);
    }
    if (event.type === "done") outcome = event.stopped ? "stopped" : "answered";
    else if (event.type === "error") outcome = "failed";
    // Every turn ends with it, so nothing of this one can come after.
    else if (event.type === "state" && event.state === "idle" && outcome) resolve(outcome);
  };
  void client.closed.then(() =>
    fail(new ReadableError("lost", "the assistant ended before the answer was complete")),
  );
  const first = await missing(client, { signal });
  if (first) printer.note(first.join("\n"));
  const stop = () => {
    for (const job of jobs) void cancel(job);
    client.request({ type: "stop", session }).then((answer) => {
      // Nothing ran: the turn has ended by itself.
      if (answer.type === "ok" && answer.stopped === null) resolve("stopped");
    }, fail);
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await client.request({ type: "ask", text, session, when: "queue" });
    const ended = await promise;
    if (typeof ended === "object") throw ended.fault;
    return ended;
  } finally {
    signal.removeEventListener("abort", stop);
    client.onEvent = () => undefined;
  }
}

/** Answers whether a call may run. A question that is settled by now needs no answer. */
export async function answerConfirm(
  client: Client,
  { key, call }: { key?: string; call: string },
  allow: boolean,
): Promise<void> {
  try {
    await client.request({ type: "confirm", key, call, allow });
  } catch (thrown) {
    if (!(thrown instanceof ReadableError && thrown.code === "not_open")) throw thrown;
  }
}

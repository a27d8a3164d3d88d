// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The models from the command line; the daemon does the work, the bar is drawn here.

import { cleanLine } from "../chat/clean.ts";
import { modelLines } from "../chat/listing.ts";
import { JobReport } from "../chat/printer.ts";
import { ask, type Client } from "../client/client.ts";
import { ReadableError } from "../errors.ts";
import type { Received } from "../protocol/events.ts";
import { connect } from "./connect.ts";
import { print } from "./conversations.ts";
import { interrupted, out } from "./terminal.ts";

export async function list(signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  const { items } = await ask(client, { type: "models" }, "models", { signal });
  const columns = process.stdout.isTTY ? Math.max(20, (process.stdout.columns ?? 80) - 1) : 1000;
  if (items.length > 0) print(modelLines(items, columns));
  else process.stderr.write("There are no models.\n");
  return 0;
}

export async function use(
  model: string,
  options: { load?: boolean },
  signal: AbortSignal,
): Promise<number> {
  await using client = await connect(signal);
  await client.request({ type: "use", model, load: options.load ?? false }, { signal });
  out(`${cleanLine(model)} is used from now on.`);
  return 0;
}

export async function remove(model: string, signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  await client.request({ type: "remove", model }, { signal });
  out(`${cleanLine(model)} is removed.`);
  return 0;
}

/** Ctrl-C cancels the fetch at the daemon, too; what has come is kept for the next time. */
export async function fetch(model: string, signal: AbortSignal): Promise<number> {
  await using client = await connect(signal);
  const report = new JobReport(process.stderr);
  const ended = watchJobs(client, report);
  await client.request({ type: "features", names: ["job", "notice"] }, { signal });
  const answer = await ask(client, { type: "fetch", model }, "ok", { signal });
  const job = String(answer.job);
  const cancel = () => {
    report.end();
    process.stderr.write("Cancelling. What has come is kept, and the next try goes on from it.\n");
    client.request({ type: "cancel", job }).catch(ended.fail);
  };
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const last = await ended.of(job);
    if (last.state === "failed") throw new ReadableError("fetch_failed", last.message);
    if (last.state === "cancelled") return interrupted;
    out(`${cleanLine(model)} is here.`);
    return 0;
  } finally {
    signal.removeEventListener("abort", cancel);
    report.end();
  }
}

type JobEvent = Extract<Received, { type: "job" }>;

/** Draws every job and remembers how each ended, since a short one may end before its name is known. */
function watchJobs(client: Client, report: JobReport) {
  const over = new Map<string, JobEvent>();
  const { promise, resolve } = Promise.withResolvers<JobEvent | { fault: unknown }>();
  let wanted: string | null = null;
  client.onEvent = (event) => {
    if (event.type !== "job") return;
    report.receive(event);
    if (event.state === "running") return;
    over.set(event.job, event);
    if (event.job === wanted) resolve(event);
  };
  const fail = (fault: unknown) => resolve({ fault });
  void client.closed.then(() => fail(new ReadableError("lost", "the assistant has ended")));
  return {
    fail,
    async of(job: string): Promise<JobEvent> {
      wanted = job;
      const ended = over.get(job) ?? (await promise);
      if ("fault" in ended) throw ended.fault;
      return ended;
    },
  };
}

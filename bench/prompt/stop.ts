// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stops and questions in the middle: how long until the server is free of what nobody wants any more.
import { setTimeout as pause } from "node:timers/promises";
import { askQuestion, newConversation } from "../pick/person.ts";
import type { Recorded } from "../pick/proxy.ts";
import { headersFor, type Place } from "../place.ts";
import type { Desk, Outcome } from "./desk.ts";
import { readsAhead } from "./rendered.ts";
import { atMost, missing } from "./report.ts";
import { until } from "./waiting.ts";
import { text } from "./words.ts";

/** How often each is measured. */
const rounds = 5;
/** Milliseconds. */
const targets = { idle: 1200, closed: 200, begun: 1200 };
const waits = { reading: 120_000, ahead: 3000 };

/** Milliseconds: what is seen of a server comes between two batches, and a person stops at any time. */
const spread = 100;

/** A request that is in the middle of its prompt: a third is read. */
function inside({ progress, ended }: Recorded): boolean {
  if (progress === null || ended !== null) return false;
  const { processed, total, cached } = progress;
  return processed - cached >= (total - cached) / 3;
}

/** The tasks that a llama-server works on; an older one names none, and then all are taken for one. */
async function working({ url, ...place }: Place): Promise<Set<number>> {
  const response = await fetch(`${url.replace(/\/v1$/, "")}/slots`, { headers: headersFor(place) });
  const slots: unknown = response.ok ? await response.json() : null;
  if (!Array.isArray(slots)) throw new Error(`the server shows no slots: ${response.status}`);
  const busy = slots.map((slot) => Object(slot)).filter((slot) => slot.is_processing === true);
  return new Set(busy.map(({ id_task }) => (typeof id_task === "number" ? id_task : -1)));
}

type Stopped = { tokens: number; idle: number; closed: number };

/** Null when the server was done before it could be stopped. */
async function stopOnce(desk: Desk, round: number): Promise<Stopped | null> {
  const { client, requests, place } = desk;
  await newConversation(client);
  await desk.settled();
  const from = requests.length;
  const asked = askQuestion(client, `${text(2000, round)}. Say OK.`);
  const request = await until(
    () => requests.slice(from).find((one) => inside(one) || one.ended !== null) ?? null,
    waits.reading,
  );
  const before = await working(place);
  await pause(round * spread);
  if (request === null || request.ended !== null || before.size === 0) {
    await client.request({ type: "stop" });
    await asked;
    return null;
  }
  const begun = performance.now();
  const stopping = client.request({ type: "stop" });
  // The server answers this between two batches, so each look is a wait for its progress.
  while ((await working(place)).intersection(before).size > 0);
  const idle = performance.now() - begun;
  await Promise.all([stopping, asked]);
  const end = await until(() => request.ended, waits.reading);
  const { total = 0, cached = 0 } = request.progress ?? {};
  return { tokens: total - cached, idle, closed: (end ?? Number.NaN) - begun };
}

/** A stop in the middle of a prompt of 2,000 tokens. */
export async function stops(desk: Desk): Promise<Outcome> {
  const all: (Stopped | null)[] = [];
  for (let round = 0; round < rounds && !desk.signal.aborted; round += 1)
    all.push(await stopOnce(desk, round));
  const values = (pick: (one: Stopped) => number) => all.map((one) => one && pick(one));
  const options = { unit: " ms" };
  const rows = [
    atMost(
      "stop to the server's slot idle",
      values((one) => one.idle),
      targets.idle,
      options,
    ),
    atMost(
      "stop to its connection closed",
      values((one) => one.closed),
      targets.closed,
      options,
    ),
  ];
  return { rows, details: all };
}

type Interrupted = { ahead: number; begun: number };

/** Null when nothing was being read ahead. */
async function interruptOnce(desk: Desk, round: number): Promise<Interrupted | null> {
  const { client, requests } = desk;
  await newConversation(client);
  await desk.settled();
  const from = requests.length;
  const long = await askQuestion(client, `${text(1500, 100 + round)}. Say OK.`);
  const later = () =>
    requests.slice(from).find((one) => readsAhead(one) && one.begun >= long.begun);
  if ((await until(() => later() ?? null, waits.ahead)) === null) return null;
  const running = await until(() => {
    const one = later();
    return one && (inside(one) || one.ended !== null) ? one : null;
  }, waits.reading);
  await pause(round * spread);
  if (running === null || running.ended !== null) return null;
  const next = requests.length;
  const asking = askQuestion(client, "Which word came first? One word.");
  const asked = performance.now();
  const request = await until(
    () => requests.slice(next).find((one) => !readsAhead(one) && one.started !== null) ?? null,
    waits.reading,
  );
  await asking;
  if (request === null || request.started === null || !running.aborted) return null;
  const { total = 0, cached = 0 } = running.progress ?? {};
  return { ahead: total - cached, begun: request.started - asked };
}

/** A question while the prompt of the next one is read ahead: until the server begins with it. */
export async function interrupts(desk: Desk): Promise<Outcome> {
  const title = "question while reading ahead, to its beginning";
  const all: (Interrupted | null)[] = [];
  for (let round = 0; round < rounds && !desk.signal.aborted; round += 1) {
    const one = await interruptOnce(desk, round);
    all.push(one);
    if (one === null && round === 0) break;
  }
  const seen = all.some((one) => one !== null);
  const row = seen
    ? atMost(
        title,
        all.map((one) => one?.begun ?? null),
        targets.begun,
        { unit: " ms" },
      )
    : missing(title, "no warm-up seen", `at most ${targets.begun} ms`);
  return { rows: [row], details: all };
}

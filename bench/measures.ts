// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The single measurements: each asks a running daemon something and gives back figures.
import { once } from "node:events";
import { type IncomingMessage, request as post } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "./client.ts";
import type { Daemon } from "./daemon.ts";

/** Figures by the title of their row. */
export type Figures = Record<string, number>;

export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN;

function mustCount(client: Client, wanted: number): void {
  if (client.tokens === wanted) return;
  throw new Error(`${client.tokens} token events came of ${wanted} deltas`);
}

/** One long answer to one client. */
async function tokens(daemon: Daemon, kind: string, features?: string[]): Promise<number> {
  const count = 200_000;
  const client = await Client.open(daemon.socket, features);
  client.send({ type: "new" });
  await client.ask(`${kind} ${count}`);
  client.close();
  mustCount(client, count);
  return count / ((client.lastAt - client.firstAt) / 1000);
}

export const oneClient = async (daemon: Daemon): Promise<Figures> => ({
  "tokens/s to one client": await tokens(daemon, "flood"),
  "  the same, short deltas from the server": await tokens(daemon, "flood-short"),
  "  the same, a version 2 client": await tokens(daemon, "flood", ["notice", "changed"]),
});

/** One answer to as many clients as the daemon takes. */
export async function manyClients(daemon: Daemon): Promise<Figures> {
  const count = 20_000;
  const clients: Client[] = [];
  for (let opened = 0; opened < 64; opened++) clients.push(await Client.open(daemon.socket));
  const [first] = clients;
  first?.send({ type: "new" });
  const ends = clients.slice(1).map((client) => client.ends());
  await Promise.all([first?.ask(`flood ${count}`), ...ends]);
  for (const client of clients) {
    client.close();
    mustCount(client, count);
  }
  // The daemon hears of each end a moment later, and takes no 65th client.
  await pause(300);
  const began = Math.min(...clients.map(({ firstAt }) => firstAt));
  const ended = Math.max(...clients.map(({ lastAt }) => lastAt));
  return { "events/s to 64 clients together": (count * 64) / ((ended - began) / 1000) };
}

/** Milliseconds until a question that goes to the model server itself gets its first token. */
async function askedDirectly(llm: string): Promise<number> {
  const messages = [{ role: "user", content: "brief 1" }];
  const began = performance.now();
  const request = post(`${llm}/chat/completions`, { method: "POST", agent: false });
  request.end(JSON.stringify({ messages, stream: true }));
  const [response]: IncomingMessage[] = await once(request, "response");
  if (response === undefined) throw new Error("the model server does not answer");
  const end = once(response, "end");
  await once(response, "data");
  const took = performance.now() - began;
  response.resume();
  await end;
  return took;
}

/**
 * Two hundred short questions, ten to a conversation. In turn the model server is asked without the
 * daemon: what that takes is not the daemon's.
 */
export async function firstToken(daemon: Daemon, llm: string): Promise<Figures> {
  const through: number[] = [];
  const own: number[] = [];
  const client = await Client.open(daemon.socket);
  for (let asked = 0; asked < 200; asked++) {
    own.push(await askedDirectly(llm));
    if (asked % 10 === 0) client.send({ type: "new" });
    const began = performance.now();
    await client.ask(`brief ${asked}`);
    through.push(client.firstAt - began);
  }
  client.close();
  const [whole, direct] = [through, own].map((values) => ({
    median: quantile(values, 0.5),
    p99: quantile(values, 0.99),
  }));
  if (!whole || !direct) throw new Error("nothing was measured");
  return {
    "first token, added by the daemon, median": whole.median - direct.median,
    "first token, added by the daemon, p99": whole.p99 - direct.p99,
    "  through the daemon, median": whole.median,
    "  through the daemon, p99": whole.p99,
    "  the model server asked directly, median": direct.median,
    "  the model server asked directly, p99": direct.p99,
  };
}

/** The worst gap among the clients that read, while one more reads or does not. */
async function gap(daemon: Daemon, seconds: number, stalls: boolean): Promise<number> {
  const clients: Client[] = [];
  for (let opened = 0; opened < 10; opened++) clients.push(await Client.open(daemon.socket));
  const [last, ...reading] = clients.toReversed();
  if (stalls) last?.socket.pause();
  const ends = reading.slice(1).map((client) => client.ends());
  reading[0]?.send({ type: "new" });
  await Promise.all([reading[0]?.ask(`pace ${seconds}`), ...ends]);
  for (const client of reading) mustCount(client, seconds * 2000);
  if (stalls && last) {
    // What the system had taken for it is still there to be read, and then the end.
    last.socket.resume();
    if (!last.socket.closed) await once(last.socket, "close");
    if (last.tokens >= seconds * 2000) throw new Error("the client that stalled was not dropped");
  }
  for (const client of clients) client.close();
  return Math.max(...reading.map(({ worstGap }) => worstGap));
}

/** Ten clients, of which one stops reading for long enough to be dropped. */
export async function stalledClient(daemon: Daemon): Promise<Figures> {
  const seconds = 8;
  const all = await gap(daemon, seconds, false);
  await pause(1000);
  const before = daemon.memory();
  const rest = await gap(daemon, seconds, true);
  await pause(1000);
  return {
    "worst gap of 10 clients that read": all,
    "worst gap of 9 while the tenth stops reading": rest,
    "  grown by": rest - all,
    "memory after it is dropped, grown by": daemon.memory() - before,
  };
}

/** After some seconds in which nobody asks anything. */
export async function idle(daemon: Daemon): Promise<Figures> {
  const client = await Client.open(daemon.socket);
  client.close();
  await pause(5000);
  return {
    "from start to hello, history of 1,000 turns": daemon.startMs,
    "memory when idle, Node, no engine": daemon.memory(),
  };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asks the daemon one question at a time as a client does, and notes what is called and answered, and when.
import type { Client } from "../../src/client/client.ts";
import type { TurnStats } from "../../src/message.ts";
import type { Received } from "../../src/protocol/events.ts";
import type { Recorded } from "./proxy.ts";

/** What came of a question; times are performance.now(). */
export type Asked = {
  begun: number;
  ended: number;
  /** The first call. */
  call: { name: string; arguments: Record<string, unknown> } | null;
  calls: number;
  answer: string;
  /** When the first call or the first text came. */
  decided: number | null;
  /** "" when the turn went well. */
  error: string;
  /** What the daemon tells of the turn; null when it told nothing. */
  stats: TurnStats | null;
};

export const newConversation = (client: Client) => client.request({ type: "new" });

/** Resolves when the turn has ended and everybody is idle; the client watches the session. */
export async function askQuestion(client: Client, text: string, session = "main"): Promise<Asked> {
  const asked: Asked = {
    begun: performance.now(),
    ended: 0,
    call: null,
    calls: 0,
    answer: "",
    decided: null,
    error: "",
    stats: null,
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  let over = false;
  client.onEvent = (event) => {
    note(asked, event);
    if (event.type === "done" || (event.type === "error" && event.req === undefined)) over = true;
    if (over && event.type === "state" && event.state === "idle") resolve();
  };
  const lost = client.closed.then(() => Promise.reject(new Error("the daemon hung up")));
  await client.request({ type: "ask", text, session });
  await Promise.race([promise, lost]);
  client.onEvent = () => undefined;
  asked.ended = performance.now();
  return asked;
}

function note(asked: Asked, event: Received): void {
  if (event.type === "tool" && !event.done) {
    asked.calls += 1;
    asked.call ??= { name: event.name, arguments: event.arguments ?? {} };
    asked.decided ??= performance.now();
  } else if (event.type === "token") {
    asked.answer += event.delta;
    asked.decided ??= performance.now();
  } else if (event.type === "error") asked.error ||= event.message;
  else if (event.type === "done") {
    asked.stats = event.stats ?? null;
    if (event.stopped) asked.error ||= "stopped";
  }
}

/** The request in which it was decided what to call: the first with a schema, else the first one. */
export function decisionOf(asked: Asked, requests: readonly Recorded[]): Recorded | null {
  const own = requests.filter(({ begun }) => begun >= asked.begun && begun <= asked.ended);
  return own.find(({ schema }) => schema) ?? own[0] ?? null;
}

/** Milliseconds from the question to the decision; null when there was none. */
export function decisionMs(asked: Asked, request: Recorded | null): number | null {
  const at = request?.schema ? request.ended : asked.decided;
  return at === null ? null : at - asked.begun;
}

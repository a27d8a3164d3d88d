// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands about tools: which there are, running one by hand, checking them, a person's yes or no.
import { randomBytes } from "node:crypto";
import { runByHand } from "../conversation/by-hand.ts";
import type { Approve } from "../conversation/policy.ts";
import { ReadableError } from "../errors.ts";
import { type Fields, neededString, sessionField } from "../protocol/commands.ts";
import { type Answer, type Asking, type Handler, ok, toSender } from "./answers.ts";
import type { Hearers } from "./confirmations.ts";
import type { Daemon } from "./daemon.ts";
import { line } from "./wire.ts";

const toolsAnswer = ({ tools }: Daemon): Answer =>
  toSender("tools", { items: tools.items(), servers: tools.servers() });

export const toolRequests: Record<string, Handler> = {
  tools: ({ daemon }) => toolsAnswer(daemon),

  async check({ daemon, connection: { signal } }) {
    await daemon.tools.check(signal);
    return toolsAnswer(daemon);
  },

  accept({ daemon, fields }) {
    daemon.tools.accept(neededString(fields, "name"));
    return ok();
  },

  async run(asking) {
    const { daemon, connection, fields } = asking;
    const stopped = new AbortController();
    const signal = AbortSignal.any([connection.signal, stopped.signal]);
    const name = neededString(fields, "name");
    const args = argumentsField(fields);
    daemon.runs.set(stopped, sessionField(fields));
    try {
      const approve = approveByHand(asking);
      const result = await runByHand(daemon.tools, name, args, { approve, signal });
      const { latencyMs, ...rest } = result;
      const hint = daemon.tools.hintFor(name, args);
      const told = { ...rest, latency_ms: Math.round(latencyMs), ...(hint !== "" && { hint }) };
      return toSender("ran", told);
    } finally {
      daemon.runs.delete(stopped);
    }
  },

  confirm({ daemon, fields }) {
    const { allow } = fields;
    if (typeof allow !== "boolean")
      throw new ReadableError("bad_field", '"allow" must be true or false');
    daemon.confirmations.answer(neededString(fields, "key"), neededString(fields, "call"), allow);
    return ok();
  },
};

/**
 * Ends what runs by hand for a session, or for all; who ran it gets an `error` with code "stopped".
 */
export function stopRuns(daemon: Daemon, session?: string): void {
  for (const [stopped, of] of daemon.runs)
    if (session === undefined || of === session)
      stopped.abort(new ReadableError("stopped", "it was stopped"));
}

/** Who runs a tool by hand is asked, and who watches the session. */
function approveByHand({ daemon, connection, fields }: Asking): Approve {
  const session = sessionField(fields);
  const key = randomBytes(9).toString("base64url");
  const hearers = () => new Set([connection, ...daemon.session(session).watchers]);
  const tell: Hearers["tell"] = ({ type, ...event }) => {
    const told = line(type, null, event, { session, key }, "confirm");
    for (const one of hearers()) one.send(told);
  };
  const present = () => [...hearers()].some((one) => one.answers);
  return async (question, signal) => {
    try {
      return await daemon.confirmations.ask(key, question, { present, tell }, signal);
    } catch (thrown) {
      // No turn's end tells the others that nobody waits for them any more.
      tell({ type: "confirmed", call: question.call, allow: false, reason: "expired" });
      throw thrown;
    }
  };
}

/** An object, or JSON text of one; absent is none. */
function argumentsField(fields: Fields): Record<string, unknown> | string {
  const { arguments: given } = fields;
  if (given === undefined || given === null) return {};
  if (typeof given === "string") return given;
  if (typeof given === "object" && !Array.isArray(given)) return { ...given };
  throw new ReadableError("bad_field", '"arguments" must be an object');
}

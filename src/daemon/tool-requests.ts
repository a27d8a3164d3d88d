// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands about tools: which there are, running one by hand, checking them, a person's yes or no.
import { randomBytes } from "node:crypto";
import { runByHand } from "../conversation/by-hand.ts";
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
    const key = randomBytes(9).toString("base64url");
    const hearers = handHearers(asking, key);
    const { latencyMs, ...result } = await runByHand(
      daemon.tools,
      neededString(fields, "name"),
      argumentsField(fields),
      {
        approve: (...asked) => daemon.confirmations.ask(key, asked[0], hearers, asked[1]),
        signal: connection.signal,
      },
    );
    return toSender("ran", { ...result, latency_ms: Math.round(latencyMs) });
  },

  confirm({ daemon, fields }) {
    const { allow } = fields;
    if (typeof allow !== "boolean")
      throw new ReadableError("bad_field", '"allow" must be true or false');
    daemon.confirmations.answer(neededString(fields, "key"), neededString(fields, "call"), allow);
    return ok();
  },
};

/** Who runs a tool by hand is asked, and who watches the session. */
function handHearers({ daemon, connection, fields }: Asking, key: string): Hearers {
  const session = sessionField(fields);
  const hearers = () => new Set([connection, ...daemon.session(session).watchers]);
  return {
    present: () => [...hearers()].some((one) => one.features?.has("confirm")),
    tell: ({ type, ...event }) => {
      const told = line(type, null, event, { session, key }, "confirm");
      for (const one of hearers()) one.send(told);
    },
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

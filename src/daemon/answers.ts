// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a command is answered with, and who hears it.
import type { Fields } from "../protocol/commands.ts";
import type { Connection } from "./connection.ts";
import type { Daemon } from "./daemon.ts";
import { type Line, line } from "./wire.ts";

/** What a request is handled with. */
export type Asking = {
  daemon: Daemon;
  connection: Connection;
  fields: Fields;
  req: string | undefined;
};

/** An answer made for a `req` (the sender's copy) or without one (everybody else's). */
export type Answer = {
  make(req: string | undefined): Line;
  /** Whom it goes to beside the sender. */
  to: "sender" | "session" | "everybody";
  session?: string;
  /** A version 1 command without a `req` gets no such answer. */
  onlyWithReq?: boolean;
};

export type Handler = (asking: Asking) => Answer | Promise<Answer> | null;

/** `ok`, to the sender alone. Commands of version 1 get it only for a `req`. */
export function ok(fields: Fields = {}, { onlyWithReq = false } = {}): Answer {
  return toSender("ok", fields, { onlyWithReq });
}

/** An answer that only the sender gets, in whatever dialect: it asked for it. */
export function toSender(type: string, fields: Fields, { onlyWithReq = false } = {}): Answer {
  return { to: "sender", onlyWithReq, make: (req) => line(type, fields, {}, { req }) };
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The command `ask`: a question for a session, now or after what runs.
import { randomBytes } from "node:crypto";
import { ReadableError } from "../errors.ts";
import {
  booleanField,
  type Fields,
  sessionField,
  stringField,
  textField,
} from "../protocol/commands.ts";
import type { Answer, Asking } from "./answers.ts";
import { noTurn } from "./session.ts";
import { encode } from "./wire.ts";

function whenField(fields: Fields): "now" | "queue" {
  const when = stringField(fields, "when") ?? "now";
  if (when === "now" || when === "queue") return when;
  throw new ReadableError("bad_field", '"when" must be "now" or "queue"');
}

export function ask({ daemon, connection, fields, req }: Asking): Answer | null {
  const session = daemon.session(sessionField(fields));
  const text = textField(fields, "text").trim();
  if (text === "") {
    if (req === undefined) return null; // version 1: ignored
    throw new ReadableError("empty", "the question is empty");
  }
  const replace = stringField(fields, "replace");
  const when = whenField(fields);
  const aloud = booleanField(fields, "aloud");
  const { turns } = when === "now" ? session.standing : session.conversation;
  if (replace !== undefined && !turns.some((turn) => turn.key === replace)) throw noTurn();
  if (daemon.inUse(session)) {
    throw new ReadableError("in_use", "this conversation is being answered in another session", {
      hint: "Wait until that answer is done, or begin a new conversation.",
    });
  }
  const asked = { key: randomBytes(9).toString("base64url"), text, aloud, replace };
  connection.asked.add(session.name);
  if (when === "now") session.stop();
  if (req !== undefined) connection.sendText(encode("ok", { key: asked.key }, { req }));
  if (when === "now") session.ask(asked);
  else session.enqueue(asked);
  return null;
}

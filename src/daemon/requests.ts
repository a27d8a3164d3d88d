// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands: a table from type to what is done and what is answered.
import { isAbort, ReadableError } from "../errors.ts";
import {
  booleanField,
  type Command,
  integerField,
  limitField,
  sessionField,
  stringField,
  textField,
} from "../protocol/commands.ts";
import { type Answer, type Handler, ok, toSender } from "./answers.ts";
import { ask } from "./ask.ts";
import type { Connection } from "./connection.ts";
import type { Daemon } from "./daemon.ts";
import { modelRequests } from "./model-requests.ts";
import { stopRuns, toolRequests } from "./tool-requests.ts";
import { watchRequests } from "./watch-requests.ts";
import { conversationLine, line, wireTurn } from "./wire.ts";

const noConversation = () => new ReadableError("no_conversation", "no such conversation");

const handlers: Record<string, Handler> = {
  ask,

  stop({ daemon, fields }) {
    const session = daemon.session(sessionField(fields));
    const key = stringField(fields, "key");
    if (key === undefined) stopRuns(daemon, session.name);
    return ok(key === undefined ? session.stop() : session.stopOne(key), { onlyWithReq: true });
  },

  new({ daemon, connection, fields }) {
    const session = daemon.session(sessionField(fields));
    const hidden = booleanField(fields, "private");
    session.stop();
    session.show(daemon.fresh(hidden));
    daemon.hold(connection, session);
    return conversationAnswer(daemon, session.name);
  },

  open({ daemon, connection, fields }) {
    const session = daemon.session(sessionField(fields));
    const { id } = fields;
    const found = typeof id === "number" && Number.isSafeInteger(id) ? daemon.stored(id) : null;
    if (!found) throw noConversation();
    const limit = limitField(fields, "limit");
    session.stop();
    session.show(found);
    daemon.hold(connection, session);
    return conversationAnswer(daemon, session.name, limit);
  },

  list({ daemon, fields, req }) {
    const limit = limitField(fields, "limit");
    const before = integerField(fields, "before");
    return conversations(daemon, req === undefined ? "everybody" : "sender", {
      ...(limit !== undefined && { limit }),
      ...(before !== undefined && { before }),
    });
  },

  show({ daemon, fields }) {
    const id = integerField(fields, "id");
    const beforeKey = stringField(fields, "before_key");
    const limit = limitField(fields, "limit");
    const found =
      id === undefined
        ? null
        : daemon.rooms.history.load(id, {
            ...(beforeKey !== undefined && { beforeKey }),
            ...(limit !== undefined && { limit }),
          });
    if (!found) throw noConversation();
    const { title, more } = found;
    const turns = found.turns.map((turn) => wireTurn(turn, true));
    return toSender("shown", { id, title, turns, more });
  },

  async search({ daemon, fields, req }) {
    const { items, reason } = await daemon.rooms.history.search(textField(fields, "q"));
    const more = reason === undefined ? {} : { reason };
    return {
      to: req === undefined ? "everybody" : "sender",
      make: (mark) => line("results", { items }, more, { req: mark }),
    };
  },

  delete({ daemon, fields }) {
    const { id } = fields;
    if (typeof id === "number" && Number.isSafeInteger(id)) {
      daemon.rooms.history.delete(id); // first: when it cannot be, nothing is stopped
      for (const session of daemon.sessions.values()) {
        if (session.conversation.id !== id) continue;
        session.stop();
        session.show(daemon.fresh());
        session.send(conversationLine(session.conversation, { session: session.name }));
      }
    }
    return conversations(daemon, "everybody");
  },

  ...watchRequests,
  ...modelRequests,
  ...toolRequests,
};

function conversationAnswer(daemon: Daemon, name: string, limit?: number): Answer {
  const { conversation } = daemon.session(name);
  return {
    to: "session",
    session: name,
    make: (req) => conversationLine(conversation, { session: name, req, limit }),
  };
}

function conversations(daemon: Daemon, to: "sender" | "everybody", options = {}): Answer {
  const items = daemon.rooms.history.list(options);
  return { to, make: (req) => line("conversations", { items }, {}, { req }) };
}

/** Does what a command asks and sends its answers. Never rejects: a fault is the sender's `error`. */
export async function handle(
  daemon: Daemon,
  connection: Connection,
  command: Command,
): Promise<void> {
  const { type, fields, req } = command;
  const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
  connection.outstanding += 1;
  try {
    if (!handler) throw new ReadableError("unknown_command", `unknown command ${type}`);
    const answer = handler({ daemon, connection, fields, req });
    // Only what really waits may let other commands pass it.
    if (answer instanceof Promise) send(daemon, connection, await answer, req);
    else if (answer) send(daemon, connection, answer, req);
  } catch (thrown) {
    // Whoever left is told nothing, and what ended with it is no fault.
    if (!isAbort(thrown, connection.signal))
      connection.fail(thrown, req, (bug) => daemon.rooms.log(`bug: ${bug}`));
  } finally {
    connection.outstanding -= 1;
    daemon.settle(connection);
  }
}

function send(
  daemon: Daemon,
  connection: Connection,
  answer: Answer,
  req: string | undefined,
): void {
  const others = answer.make(undefined);
  if (answer.to === "everybody") daemon.broadcast(others, connection);
  if (answer.to === "session") {
    for (const watcher of daemon.session(answer.session ?? "main").watchers)
      if (watcher !== connection) watcher.send(others);
  }
  const watches = answer.session === undefined || connection.watches.has(answer.session);
  if (req !== undefined) connection.send(answer.make(req));
  else if (!answer.onlyWithReq && watches) connection.send(others);
}

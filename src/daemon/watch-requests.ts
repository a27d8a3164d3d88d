// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands by which a client says what it wants to be told, and asks how the daemon is.
import { statSync } from "node:fs";
import { countListed } from "../conversation/offer.ts";
import { listings } from "../conversation/strategies/listings.ts";
import { featuresField, sessionField } from "../protocol/commands.ts";
import { type Handler, ok, toSender } from "./answers.ts";

/** Bytes on disk; 0 when the file is not there. */
const size = (path: string | undefined) =>
  path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);

export const watchRequests: Record<string, Handler> = {
  features({ daemon, connection, fields }) {
    connection.features = featuresField(fields);
    const main = daemon.session("main");
    return { to: "sender", make: (req) => daemon.hello(main, req) };
  },

  watch({ daemon, connection, fields }) {
    const session = daemon.session(sessionField(fields));
    daemon.watch(connection, session);
    return { to: "sender", make: (req) => daemon.hello(session, req) };
  },

  unwatch({ daemon, connection, fields }) {
    daemon.unwatch(connection, sessionField(fields));
    return ok();
  },

  status({ daemon }) {
    const sessions = [...daemon.sessions.values()];
    const { rss, heapUsed } = process.memoryUsage();
    const mode = daemon.backend.toolsMode();
    return toSender("status", {
      version: daemon.version,
      pid: process.pid,
      uptime: Math.floor((Date.now() - daemon.startedAt) / 1000),
      backend: daemon.backend.status(),
      strategy: mode?.strategy ?? "",
      strategy_why: mode?.why ?? "",
      ahead: daemon.rooms.ahead.status(),
      running: sessions.filter((session) => session.running).map((session) => session.name),
      queue: sessions.reduce((sum, session) => sum + session.queue.length, 0),
      memory: { rss, heap: heapUsed },
      counts: {
        ...daemon.rooms.history.counts(),
        clients: daemon.connections.size,
        sessions: sessions.length,
        tools: daemon.rooms.tools.list().length,
        tools_listed: countListed(daemon.rooms, listings[mode?.strategy ?? "native"]),
        history_bytes: size(daemon.paths.history),
      },
      paths: daemon.paths,
    });
  },
};

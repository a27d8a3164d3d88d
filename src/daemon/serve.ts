// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A new client on the socket: greeted, listened to, let go.
import type { Socket } from "node:net";
import { describe } from "../errors.ts";
import { parseCommand } from "../protocol/commands.ts";
import { Connection } from "./connection.ts";
import type { Daemon } from "./daemon.ts";
import { handle } from "./requests.ts";
import { line } from "./wire.ts";

const mostClients = 64;

/** Takes a client in; one too many gets one `error` line and a close. */
export function serve(daemon: Daemon, socket: Socket): void {
  const fault = (what: string) => daemon.rooms.log(`client: ${what}`);
  const connection = new Connection(socket, {
    onLine: (text) => onLine(daemon, connection, text),
    onHalfClose: () => daemon.settle(connection),
    onClose: () => daemon.leave(connection),
    onFault: fault,
  });
  if (daemon.connections.size >= mostClients) {
    fault(`refused: there are ${mostClients} already`);
    connection.send(
      line(
        "error",
        { message: `too many clients: ${mostClients} are connected` },
        { code: "too_many" },
      ),
    );
    void connection.finish();
    return;
  }
  daemon.connections.add(connection);
  const main = daemon.session("main");
  connection.send(daemon.hello(main));
  daemon.watch(connection, main);
}

function onLine(daemon: Daemon, connection: Connection, text: string | null): void {
  if (!daemon.connections.has(connection)) return; // one too many
  let command: ReturnType<typeof parseCommand>;
  try {
    command = parseCommand(text);
  } catch (thrown) {
    daemon.rooms.log(`client: ${describe(thrown).message}`);
    connection.fail(thrown, undefined, (bug) => daemon.rooms.log(`bug: ${bug}`));
    return;
  }
  void handle(daemon, connection, command);
}

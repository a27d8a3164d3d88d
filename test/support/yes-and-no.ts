// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A person at a client who answers every question about a call at once.
import type { Line, TestClient } from "./daemon.ts";

/** Asks, says yes or no to each call that needs it, and gives the turn's lines up to its `state idle`. */
export async function answering(client: TestClient, text: string, allow: boolean): Promise<Line[]> {
  const from = client.lines.length;
  client.send({ type: "ask", text });
  for (;;) {
    const line = await client.next(
      ({ type, state }) => type === "confirm" || (type === "state" && state === "idle"),
    );
    if (line.type === "state") return client.lines.slice(from);
    client.send({ type: "confirm", key: line.key, call: line.call, allow });
  }
}

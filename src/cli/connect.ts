// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A command's way to the daemon: started if need be, connected, closed at the end.
import { Client } from "../client/client.ts";
import { socketPath } from "../paths.ts";
import { start } from "./start.ts";

/** A client of a daemon that runs, or was started for it. Whoever asked for it closes it. */
export async function connect(signal: AbortSignal): Promise<Client> {
  await start({ signal });
  return await Client.connect(socketPath(), { signal });
}

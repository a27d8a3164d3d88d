// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The Unix socket: its folder, who else may hold its name, its modes.
import { chmodSync, lstatSync, statSync, unlinkSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { ReadableError, systemCode } from "../errors.ts";

/** The socket's folder must be ours, and nobody else may write in it; else ReadableError "runtime_dir". */
export function checkFolder(folder: string): void {
  const seen = statSync(folder, { throwIfNoEntry: false });
  const hint = "Set XDG_RUNTIME_DIR to a folder of yours with mode 0700, or unset it.";
  if (!seen?.isDirectory())
    throw new ReadableError("runtime_dir", `there is no folder ${folder} for the socket`, { hint });
  if (seen.uid !== process.getuid?.())
    throw new ReadableError("runtime_dir", `${folder} belongs to another user`, { hint });
  if ((seen.mode & 0o022) !== 0)
    throw new ReadableError("runtime_dir", `others can write to ${folder}`, { hint });
}

/** What answers at a socket file: "nobody" only when the system refuses the connection. */
function probe(path: string): Promise<"somebody" | "nobody"> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve("somebody");
    });
    socket.once("error", (error) =>
      systemCode(error) === "ECONNREFUSED" ? resolve("nobody") : reject(error),
    );
  });
}

export const alreadyRunning = (path: string) =>
  new ReadableError("already_running", `another daemon serves ${path}`, {
    hint: "Type: desktop-assistant stop",
  });

/** Removes a socket that its daemon left behind; throws ReadableError for anything else of that name. */
async function clear(path: string): Promise<void> {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (!seen) return;
  if (!seen.isSocket()) {
    throw new ReadableError("socket_taken", `${path} is there and is not a socket`, {
      hint: "Move it away.",
    });
  }
  if ((await probe(path)) === "somebody") throw alreadyRunning(path);
  unlinkSync(path);
}

/** Listens with mode 0600. The caller holds the lock, so nobody else clears or binds this name. */
export async function listen(
  path: string,
  onConnection: (socket: Socket) => void,
): Promise<Server> {
  await clear(path);
  // allowHalfOpen: a client may end its side after sending and still gets its answer.
  const server = createServer({ allowHalfOpen: true }, onConnection);
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The name is bound before this call returns. The umask belongs to the whole process: held any
    // longer, a program that starts meanwhile would make folders that nobody can enter.
    const umask = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(umask);
    }
  });
  await listening;
  chmodSync(path, 0o600);
  return server;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A socket that speaks lines as the daemon does, each connection's answers written by the test.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LineReader } from "../../src/protocol/lines.ts";

export const helloEvent = {
  type: "hello",
  state: "idle",
  model: "scripted",
  ctx_used: 0,
  ctx_max: 8192,
  id: null,
  turns: [],
  pending: null,
  protocol: 2,
};

type Heard = { type: string; req?: string; [field: string]: unknown };
export type Say = (...events: Record<string, unknown>[]) => void;

/** Starts a server in a temporary folder; `hello: false` leaves connections without a word. */
export async function startLineServer(
  options: {
    hello?: boolean;
    onConnect?: (say: Say) => void;
    onLine?: (heard: Heard, say: Say, socket: Socket) => void;
  } = {},
) {
  const { hello = true, onLine = () => undefined } = options;
  const folder = mkdtempSync(join(tmpdir(), "da-lines-"));
  const path = join(folder, "desktop-assistant.sock");
  const sockets = new Set<Socket>();
  const heard: Heard[] = [];
  let waiting: { fits: () => boolean; resolve: () => void }[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    const say: Say = (...events) => {
      socket.write(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    };
    if (hello) say(helloEvent);
    options.onConnect?.(say);
    const reader = new LineReader((line) => {
      const value = JSON.parse(line ?? "{}") as Heard;
      heard.push(value);
      onLine(value, say, socket);
      for (const { fits, resolve } of waiting) if (fits()) resolve();
      waiting = waiting.filter(({ fits }) => !fits());
    });
    socket.on("data", (chunk) => reader.push(Buffer.from(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    folder,
    heard,
    /** Resolves when lines of these types were heard, in this order, others between them or not. */
    hears(...types: string[]): Promise<void> {
      const fits = () => {
        let next = 0;
        for (const { type } of heard) if (type === types[next]) next++;
        return next === types.length;
      };
      return new Promise((resolve) => {
        if (fits()) resolve();
        else waiting.push({ fits, resolve });
      });
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

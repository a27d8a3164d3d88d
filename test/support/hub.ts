// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A file server that plays the model hub, the release page or a package index: whole and broken.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Bytes that are the same in every run and that no part of equals another. */
export function someBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let at = 0; at < length; at += 1) {
    state = (state * 1103515245 + 12345) % 2147483648;
    bytes[at] = state >> 16;
  }
  return bytes;
}

export type HubRequest = {
  path: string;
  range: string | undefined;
  headers: IncomingMessage["headers"];
};
/** Returns true when it has answered (or hangs up) itself. */
export type Behaviour = (request: HubRequest, response: ServerResponse, count: number) => boolean;

/** Serves `files` by path, ranges included, unless `behave` does something else. */
export async function startHub(
  files: Record<string, Uint8Array>,
  options: { behave?: Behaviour } = {},
) {
  const requests: HubRequest[] = [];
  const waiting: (() => void)[] = [];
  let { behave } = options;
  const server = createServer((message, response) => {
    const path = new URL(message.url ?? "/", "http://localhost").pathname;
    const request = { path, range: message.headers.range, headers: message.headers };
    requests.push(request);
    for (const wake of waiting.splice(0)) wake();
    if (behave?.(request, response, requests.length)) return;
    const file = files[path];
    if (file === undefined) {
      response.writeHead(404).end("not here");
      return;
    }
    const from = Number(/^bytes=(\d+)-$/.exec(request.range ?? "")?.[1] ?? 0);
    if (request.range === undefined) {
      response.writeHead(200, { "content-length": file.length }).end(file);
    } else if (from >= file.length) {
      response.writeHead(416, { "content-range": `bytes */${file.length}` }).end();
    } else {
      const part = file.subarray(from);
      const range = `bytes ${from}-${file.length - 1}/${file.length}`;
      response.writeHead(206, { "content-length": part.length, "content-range": range }).end(part);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    setBehaviour(next: Behaviour | undefined) {
      behave = next;
    },
    /** Resolves when the next request has arrived. */
    nextRequest: () => new Promise<void>((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Sends the first `bytes` bytes of a body that was announced whole, then nothing; the caller destroys
 * the response once they have arrived (a reset may take back bytes that were not read yet).
 */
export function beginOnly(response: ServerResponse, file: Uint8Array, bytes: number): true {
  response.writeHead(200, { "content-length": file.length });
  response.write(file.subarray(0, bytes));
  return true;
}

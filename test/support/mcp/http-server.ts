// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// An MCP server at an address of its own: streamable HTTP by hand, with faults when a test wants them.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Rpc = { id?: unknown; method?: string; params?: Record<string, unknown> };
/** Answers a request by itself when it returns true. */
export type Handle = (rpc: Rpc, response: ServerResponse, request: IncomingMessage) => boolean;

const said = (words: string) => ({ content: [{ type: "text", text: words }] });

function resultOf({ method, params = {} }: Rpc): unknown {
  if (method === "initialize") {
    const { protocolVersion } = params;
    return {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "web", version: "1" },
    };
  }
  if (method === "tools/list") return { tools: [{ name: "echo", description: "Says it." }] };
  return said(String(Object(params.arguments).words));
}

/** `events`: answers come as a stream of events, else as JSON. */
export async function startHttpServer({
  events = false,
  handle = () => false,
}: {
  events?: boolean;
  handle?: Handle;
} = {}) {
  const asked: string[] = [];
  const options = { events, handle };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers["mcp-session-id"] ?? "-"}`);
    if (request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      return;
    }
    text(request).then(
      (body) => {
        const rpc: Rpc = JSON.parse(body);
        asked.push(`${rpc.method}`);
        if (options.handle(rpc, response, request)) return;
        if (rpc.id === undefined) {
          response.writeHead(202).end();
          return;
        }
        const answer = JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result: resultOf(rpc) });
        const type = options.events ? "text/event-stream" : "application/json";
        response.writeHead(200, { "content-type": type, "mcp-session-id": "one" });
        response.end(options.events ? `event: message\ndata: ${answer}\n\n` : answer);
      },
      (fault) => response.destroy(fault),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    /** What it does from now on. */
    set: (handle: Handle) => {
      options.handle = handle;
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await stop();
    },
  };
}

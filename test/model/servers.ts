// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Stand-ins of servers with several models: llama-server's router, Ollama and LM Studio.
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { hello, type Script, startModelServer } from "../support/model-server.ts";

export type Status = "loaded" | "loading" | "sleeping" | "unloaded";

function json(response: ServerResponse, code: number, body: unknown): true {
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
  return true;
}

async function nameIn(request: IncomingMessage, field = "model"): Promise<string> {
  const value: unknown = JSON.parse(await textOf(request));
  return typeof value === "object" && value !== null && field in value
    ? String(Reflect.get(value, field))
    : "";
}

/**
 * A router as llama-server is one: routed requests name a model; without autoload=false an unloaded
 * one is loaded, which `loads` counts, as it does for explicit requests.
 */
export async function startRouter(
  statuses: Record<string, Status>,
  options: { script?: Script } = {},
) {
  const loads = { explicit: [] as string[], implicit: [] as string[] };
  const failing = new Set<string>();
  const server = await startModelServer({
    script: options.script ?? hello,
    handle: (request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const model = url.searchParams.get("model");
      const unloaded = {
        error: { code: 400, message: "model is not loaded", type: "invalid_request_error" },
      };
      if (url.pathname === "/v1/models") {
        const data = Object.entries(statuses).map(([id, value]) => ({
          id,
          status: { value, ...(failing.has(id) ? { failed: true, exit_code: 1 } : {}) },
        }));
        // Whoever looks again finds it further on.
        for (const [id, value] of Object.entries(statuses)) {
          if (value === "loading") statuses[id] = failing.has(id) ? "unloaded" : "loaded";
        }
        return json(response, 200, { data });
      }
      if (url.pathname === "/models/load") {
        void nameIn(request).then((id) => {
          loads.explicit.push(id);
          if (statuses[id] !== "unloaded") return json(response, 400, unloaded);
          statuses[id] = "loading";
          return json(response, 200, { success: true });
        });
        return true;
      }
      if (url.pathname === "/props" && model === null) {
        return json(response, 200, { role: "router", default_generation_settings: { n_ctx: 0 } });
      }
      if (url.pathname === "/props" || url.pathname === "/slots") {
        const status = statuses[model ?? ""];
        if (status === "loading")
          return json(response, 503, { error: { type: "unavailable_error" } });
        if (status === undefined || status === "unloaded") return json(response, 400, unloaded);
        if (url.pathname === "/slots")
          return json(response, 200, [{ id: 0, is_processing: false }]);
        const n_ctx = 1000 + Object.keys(statuses).indexOf(model ?? "");
        return json(response, 200, { default_generation_settings: { n_ctx }, total_slots: 1 });
      }
      if (url.pathname === "/v1/chat/completions") {
        if (url.searchParams.get("autoload") !== "false") loads.implicit.push(url.href);
        if (!Object.values(statuses).some((status) => status !== "unloaded")) {
          request.resume();
          return json(response, 400, unloaded);
        }
      }
      return false;
    },
  });
  return { server, statuses, loads, failing, [Symbol.asyncDispose]: () => server.close() };
}

/** An Ollama; `loaded` is what /api/ps tells. */
export async function startOllama(models: string[], loaded: string[]) {
  const explicit: string[] = [];
  const server = await startModelServer({
    props: null,
    models: models.map((id) => ({ id, object: "model", owned_by: "library" })),
    handle: (request, response) => {
      if (request.url === "/api/ps") {
        const running = loaded.map((name) => ({ name, model: name, context_length: 4096 }));
        return json(response, 200, { models: running });
      }
      if (request.url !== "/api/generate") return false;
      void nameIn(request).then((id) => {
        explicit.push(id);
        loaded.push(id);
        json(response, 200, { model: id, done: true, done_reason: "load" });
      });
      return true;
    },
  });
  return { server, loaded, explicit, [Symbol.asyncDispose]: () => server.close() };
}

/** An LM Studio, which answers unknown paths with 200 and an error. */
export async function startLmStudio(states: Record<string, string>) {
  const explicit: string[] = [];
  const server = await startModelServer({
    props: null,
    models: Object.keys(states).map((id) => ({ id, object: "model" })),
    handle: (request, response) => {
      if (request.url === "/api/v0/models") {
        const data = Object.entries(states).map(([id, state]) => ({
          id,
          type: id.startsWith("embed") ? "embeddings" : "llm",
          state,
          ...(state === "loaded" ? { loaded_context_length: 2048 } : {}),
          max_context_length: 32768,
        }));
        return json(response, 200, { object: "list", data });
      }
      if (request.url === "/api/v1/models/load") {
        void nameIn(request).then((id) => {
          explicit.push(id);
          states[id] = "loaded";
          json(response, 200, { status: "loaded" });
        });
        return true;
      }
      if (request.url?.startsWith("/v1/")) return false;
      return json(response, 200, { error: "Unexpected endpoint or method" });
    },
  });
  return { server, states, explicit, [Symbol.asyncDispose]: () => server.close() };
}

/** An address of this machine where nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = await startModelServer();
  await server.close();
  return server.url;
}

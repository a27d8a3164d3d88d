// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A model server whose replies a test writes: real HTTP, scripted words.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { trialQuestions } from "../../src/model/trial.ts";

/** One chat request as it arrived; `body` is the exact text, `json` its value. */
export type ChatRequest = {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
  json: ChatBody;
};
export type ChatBody = {
  model?: string;
  messages: { role: string; content: string; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string; description: string; parameters: unknown } }[];
  tool_choice?: string;
  [field: string]: unknown;
};

/** Writes one reply. Whoever gets it must end it, or leave it open on purpose. */
export class ReplyWriter {
  readonly response: ServerResponse;
  /** Resolves when the other side has closed the connection or the reply was ended. */
  readonly closed: Promise<void>;

  constructor(response: ServerResponse) {
    this.response = response;
    this.closed = new Promise((resolve) => response.once("close", resolve));
  }

  /** Exact bytes; sends the event stream's headers first. */
  raw(bytes: string | Uint8Array): this {
    if (!this.response.headersSent)
      this.response.writeHead(200, { "content-type": "text/event-stream" });
    this.response.write(bytes);
    return this;
  }
  data(value: unknown): this {
    return this.raw(`data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`);
  }
  delta(delta: Record<string, unknown>, finish: string | null = null): this {
    return this.data({ choices: [{ index: 0, delta, finish_reason: finish }] });
  }
  /** One delta for each string. */
  text(...deltas: string[]): this {
    for (const content of deltas) this.delta({ content });
    return this;
  }
  think(...deltas: string[]): this {
    for (const reasoning_content of deltas) this.delta({ reasoning_content });
    return this;
  }
  /** A whole tool call. */
  call(name: string, args: unknown, options: { id?: string; index?: number } = {}): this {
    const { id = `call-${name}-${options.index ?? 0}`, index = 0 } = options;
    const text = typeof args === "string" ? args : JSON.stringify(args);
    return this.delta({
      tool_calls: [{ index, id, type: "function", function: { name, arguments: text } }],
    });
  }
  usage(prompt: number, output: number, cached?: number): this {
    const details =
      cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
    return this.data({
      choices: [],
      usage: { prompt_tokens: prompt, completion_tokens: output, ...details },
    });
  }
  finish(reason = "stop"): this {
    return this.delta({}, reason);
  }
  done(): void {
    this.raw("data: [DONE]\n\n");
    this.response.end();
  }
  status(code: number, body: unknown, headers: Record<string, string> = {}): void {
    this.response.writeHead(code, { "content-type": "application/json", ...headers });
    this.response.end(typeof body === "string" ? body : JSON.stringify(body));
  }
}

export type Script = (
  reply: ReplyWriter,
  request: ChatRequest,
  count: number,
) => void | Promise<void>;

export type ModelServerOptions = {
  script?: Script;
  /** Replies to the canned questions by which a model's way of calling tools is found out. */
  trial?: Script;
  /** Replies to what is read ahead. */
  warmUp?: Script;
  /** Replies to the wish for a title; none comes of an empty one. Null: it is a chat as any other. */
  title?: Script | null;
  /** The data list of /v1/models. */
  models?: Record<string, unknown>[];
  /** /props of a llama-server; null answers 404, as other servers do. */
  props?: Record<string, unknown> | null;
  /** Answers any other path, and any of the above when it returns true. */
  handle?: (request: IncomingMessage, response: ServerResponse) => boolean;
  port?: number;
};

/** Every reply so far: "Hello there." in two deltas. */
export const hello: Script = (reply) => reply.text("Hello", " there.").finish().usage(12, 2).done();

/** A model that calls tools as it should. */
export const calling: Script = (reply, request) => {
  if (request.json.messages.at(-1)?.content === trialQuestions[0]) {
    reply.call("weather", { city: "Lisbon" }).finish("tool_calls").done();
  } else reply.text("You are welcome.").finish().done();
};

/** A server with a cache that had most of it. */
export const warm: Script = (reply) => reply.text("a").finish("length").usage(100, 1, 90).done();

const untitled: Script = (reply) => reply.finish().done();

const isTitle = ({ json }: ChatRequest) =>
  json.messages.at(-1)?.content.startsWith("Give this conversation a title") ?? false;

const isWarmUp = ({ json }: ChatRequest) => json.max_tokens === 1;

const isTrial = ({ json }: ChatRequest) =>
  trialQuestions.includes(json.messages.at(-1)?.content ?? "");

/** Starts a scripted model server on a free port of 127.0.0.1. */
export async function startModelServer(options: ModelServerOptions = {}) {
  const chats: ChatRequest[] = [];
  const trials: ChatRequest[] = [];
  const warmUps: ChatRequest[] = [];
  const titles: ChatRequest[] = [];
  const paths: string[] = [];
  const waits = new Set<() => void>();
  let { script = hello } = options;
  const {
    models = [{ id: "scripted", object: "model" }],
    props = { default_generation_settings: { n_ctx: 8192 }, total_slots: 1 },
  } = options;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const chatting = path === "/v1/chat/completions";
    if (!chatting) {
      paths.push(`${request.method} ${request.url}`);
      for (const look of waits) look();
    }
    if (options.handle?.(request, response)) return;
    const json = (code: number, body: unknown) => {
      response.writeHead(code, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (path === "/v1/models") return json(200, { object: "list", data: models });
    if (path === "/props")
      return props ? json(200, props) : json(404, { error: { code: 404, message: "not found" } });
    if (path === "/slots")
      return props ? json(200, [{ id: 0, is_processing: false }]) : json(404, {});
    if (!chatting) return json(404, { error: { code: 404, message: "File Not Found" } });
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      const chat = {
        url: request.url ?? "",
        headers: request.headers,
        body,
        json: JSON.parse(body) as ChatBody,
      };
      const apart = (some: ChatRequest[], answer: Script) => {
        some.push(chat);
        for (const look of waits) look();
        void answer(new ReplyWriter(response), chat, some.length);
      };
      if (isTrial(chat)) return apart(trials, options.trial ?? calling);
      if (options.title !== null && isTitle(chat)) return apart(titles, options.title ?? untitled);
      if (isWarmUp(chat)) return apart(warmUps, options.warmUp ?? warm);
      paths.push(`POST ${request.url}`);
      chats.push(chat);
      void script(new ReplyWriter(response), chat, chats.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** With /v1, as config.toml's `llm` wants it. */
    url: `http://127.0.0.1:${port}/v1`,
    port,
    /** Every chat request so far, without those that come by themselves. */
    chats,
    trials,
    warmUps,
    titles,
    /** "GET /props" and so on, in order, without the chats that come by themselves. */
    paths,
    /** Resolves when it is true after a chat that came by itself, or a request that is no chat. */
    until(fits: () => boolean): Promise<void> {
      return new Promise((resolve) => {
        const look = () => {
          if (!fits()) return;
          waits.delete(look);
          resolve();
        };
        waits.add(look);
        look();
      });
    },
    setScript(next: Script) {
      script = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

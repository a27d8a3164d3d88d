// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A scripted engine with one slot, which writes and reads slot files, refuses, ends or hangs as a test says.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { makePrivate } from "../../../src/model/engine/beginning.ts";
import { Slot, type SlotOptions } from "../../../src/model/engine/slot.ts";
import { Speeds } from "../../../src/model/engine/speed.ts";
import { inMemory } from "../../../src/model/learned.ts";
import type { Completion, Usage } from "../../../src/model/model.ts";

/** What becomes of a request: a status, the end of its connection, or nothing. */
export type Outcome = number | "die" | "hang";
export type Action = "save" | "restore" | "aside";

const actions: Record<string, Action> = {
  "/slots/0?action=save": "save",
  "/slots/0?action=restore": "restore",
  "/completion": "aside",
};

export const props = {
  build_info: "b1",
  chat_template: "{{ messages }}",
  default_generation_settings: { n_ctx: 8192 },
};

export const system = JSON.stringify({ role: "system", content: "You help." });
export const user = (content: string) => JSON.stringify({ role: "user", content });

/** What every conversation begins with. */
export const beginning: Completion = {
  messages: [system, user("")],
  tools: "[]",
  think: false,
  beginning: true,
};

export const of = (thread: string | null, content = "hi"): Completion => ({
  messages: [system, user(content)],
  tools: "[]",
  think: false,
  ...(thread !== null && { thread }),
});

export const usage: Usage = { prompt: 20, cached: 0, output: 1, readMs: 9, outputMs: 9 };
export const { signal } = new AbortController();

export type SlotWorld = Awaited<ReturnType<typeof makeSlotWorld>>;

export async function makeSlotWorld() {
  const home = mkdtempSync(join(tmpdir(), "da-slot-"));
  const folder = join(home, "engine");
  await makePrivate(folder);
  const program = join(home, "llama-server");
  const model = join(home, "model.gguf");
  for (const path of [program, model]) writeFileSync(path, "bytes");
  /** What was asked since it was last taken, without /props. */
  let seen: string[] = [];
  const lines: string[] = [];
  const bugs: unknown[] = [];
  const scripted: { next: Partial<Record<Action, Outcome>>; content: string } = {
    next: {},
    content: "what was read",
  };
  let told: unknown = props;
  const arrivals = new EventTarget();
  const answer = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.headers.authorization !== "Bearer key") return answer(response, 401, {});
    if (request.url === "/props") return answer(response, 200, told);
    const action = actions[request.url ?? ""];
    if (!action) return answer(response, 404, {});
    seen.push(action);
    arrivals.dispatchEvent(new Event("request"));
    const outcome = scripted.next[action] ?? 200;
    if (outcome === "hang") return;
    if (outcome === "die") return request.socket.destroy();
    if (outcome !== 200) return answer(response, outcome, { error: { message: "no such luck" } });
    if (action === "aside") return answer(response, 200, { content: "" });
    const path = join(folder, Object(JSON.parse(body)).filename);
    if (action === "save") writeFileSync(path, scripted.content);
    const size = readFileSync(path).length;
    return answer(response, 200, { [action === "save" ? "n_written" : "n_read"]: size });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const speeds = new Speeds(inMemory());
  const make = (options: Partial<SlotOptions> = {}) =>
    new Slot({
      url: `http://127.0.0.1:${port}`,
      apiKey: "key",
      model: "m",
      folder,
      memory: true,
      files: [program, model],
      form: ["--ctx-size", "8192"],
      speeds,
      log: (line) => lines.push(line),
      onBug: (thrown) => bugs.push(thrown),
      ...options,
    });
  return {
    folder,
    program,
    model,
    kv: join(folder, "beginning.kv"),
    note: join(folder, "beginning.json"),
    lines,
    bugs,
    speeds,
    scripted,
    /** What /props says from now on. */
    tell(next: unknown): void {
      told = next;
    },
    /** The slot of one start of the engine. */
    make,
    /** A whole request; what it made the server do beside itself. */
    async ask(slot: Slot, completion: Completion): Promise<string> {
      seen = [];
      await slot.before(completion, signal);
      const before = seen.join(" ");
      seen = [];
      await slot.after(completion, usage, signal);
      return [before, ...seen].filter((word) => word !== "").join(" ");
    },
    /** What was asked since the last `ask` began. */
    seen: () => seen.join(" "),
    /** Resolves when the server has got another request. */
    arrival: () => once(arrivals, "request"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(home, { recursive: true });
    },
  };
}

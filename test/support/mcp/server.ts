// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// An MCP server by hand that misbehaves as its one argument says, a JSON object of the type Script.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

type Rpc = { id?: unknown; method?: string; params?: Record<string, unknown> };

export type Script = {
  /** Printed before anything else. */
  banner?: string;
  /** Said on the error output, and then it ends with status 1. */
  crash?: string;
  /** Reads these methods and never answers them. */
  deaf?: string[];
  /** Answers these methods with an error. */
  refuse?: string[];
  /** Besides the tools below; a text is a file that holds them, read for each list. */
  tools?: unknown[] | string;
  /** How many tools a page of the list holds. */
  page?: number;
  /** The page after the last one is the first. */
  endless?: boolean;
  /** Ends at no signal that can be ignored, and not at the end of its input. */
  stubborn?: boolean;
  /** A shell script that is started at once and not waited for. */
  child?: string;
  /** While this file is there, it crashes at the start. */
  crashWhile?: string;
};

const script: Script = JSON.parse(process.argv[2] ?? "{}");
// At once and whole, whoever reads it or not: the process may end right after.
const write = (text: string) => {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (fault) {
      if (!(fault instanceof Error && "code" in fault && fault.code === "EAGAIN")) throw fault;
    }
  }
};
const send = (message: Record<string, unknown>) =>
  write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const anything = { type: "object", properties: {} };
let calls = 0;
let cancelled = 0;
let listed: unknown[] | null = null;

type Call = (args: Record<string, unknown>, id: unknown) => unknown;

/** What each tool answers; undefined: nothing. */
const own: Record<string, Call> = {
  echo: ({ words }) => text(String(words)),
  /** Exactly this result. */
  answer: ({ result }) => result,
  crash: () => {
    process.stderr.write("first word\nlast word\n");
    process.exit(3);
  },
  /** Crashes at the second call. */
  second: () => (calls > 1 ? process.exit(4) : text("once")),
  hang: () => undefined,
  cancelled: () => text(String(cancelled)),
  /** So many bytes without an end of the line. */
  long: ({ bytes }) => write("x".repeat(Number(bytes))),
  /** These words as they are, then an answer. */
  raw: ({ words }) => {
    write(String(words));
    return text("after");
  },
  stray: (_, id) => {
    send({ id: `${id}0000`, result: text("for somebody else") });
    send({ id: null, result: text("for nobody") });
    return text("for you");
  },
  lost: () => void send({ id: 987_654, result: text("for somebody else") }),
  storm: ({ count }) => {
    for (let sent = 0; sent < Number(count); sent += 1) {
      send({ method: "notifications/message", params: { level: "info", data: sent } });
      send({ method: "notifications/tools/list_changed" });
      send({ method: "notifications/of/its/own", params: { sent } });
    }
    return text("calm");
  },
  /** Writes this again and again, to the output or to the error output. */
  flood: ({ words, error }) => {
    const stream = error ? process.stderr : process.stdout;
    const more = () => stream.write(`${words}\n`.repeat(500), more);
    more();
  },
  refuse: () => {
    throw new Error("not today");
  },
  tools: ({ list }) => {
    listed = Array.isArray(list) ? list : null;
    send({ method: "notifications/tools/list_changed" });
    return text("changed");
  },
  leave: (_, id) => {
    send({ id, result: text("bye") });
    process.exit(0);
  },
  place: () => text(JSON.stringify({ env: process.env, cwd: process.cwd() })),
  pid: () => text(String(process.pid)),
};

function tools(): unknown[] {
  if (listed) return listed;
  if (typeof script.tools === "string") return JSON.parse(readFileSync(script.tools, "utf8"));
  if (script.tools) return script.tools;
  return Object.keys(own).map((name) => ({ name, description: name, inputSchema: anything }));
}

function list({ cursor = 0 }: Record<string, unknown>) {
  const all = tools();
  const { page = all.length, endless } = script;
  const next = Number(cursor) + page;
  const more = endless ? next % all.length : next;
  const tail = endless || next < all.length ? { nextCursor: String(more) } : {};
  return { tools: all.slice(Number(cursor), next), ...tail };
}

function answer({ id, method = "", params = {} }: Rpc): unknown {
  if (script.refuse?.includes(method)) throw new Error(`not ${method}`);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const capabilities = { tools: { listChanged: true } };
    return { protocolVersion, capabilities, serverInfo: { name: "broken", version: "1" } };
  }
  if (method === "tools/list") return list(params);
  if (method !== "tools/call") throw new Error(`no method ${method}`);
  calls += 1;
  const { name, arguments: args = {} } = params;
  const call = own[String(name)] ?? own.echo;
  return call?.(Object(args), id);
}

if (script.crash !== undefined && (!script.crashWhile || existsSync(script.crashWhile))) {
  process.stderr.write(script.crash);
  process.exit(1);
}
if (script.stubborn) for (const name of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(name, () => 0);
if (script.banner) write(script.banner);
if (script.child) {
  const stdio = ["ignore", "inherit", "inherit"] as const;
  spawn("setsid", ["sh", "-c", script.child], { stdio: [...stdio] }).unref();
}

const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const message: Rpc = JSON.parse(line);
  const { id, method = "" } = message;
  if (method === "notifications/cancelled") cancelled += 1;
  if (id === undefined || script.deaf?.includes(method)) return;
  try {
    const result = answer(message);
    if (result !== undefined) send({ id, result });
  } catch (fault) {
    send({ id, error: { code: -32_000, message: fault instanceof Error ? fault.message : "" } });
  }
});
// A port keeps it alive after the end of its input.
if (script.stubborn) createServer().listen(0, "127.0.0.1");

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One connection to a server: the greeting, its list of tools, calls, and why it ended.
import { ReadableError, systemCode, systemReason } from "../../errors.ts";
import { asRecord } from "../schema.ts";
import type { Limits, ServerConfig } from "./config.ts";
import { httpTransport, leave } from "./http.ts";
import { type Listed, readList } from "./listed.ts";
import { oneLine } from "./one-line.ts";
import { StdioTransport } from "./stdio.ts";

const mostPages = 50;
const mostTools = 2_000;
/** The SDK has a limit of its own, of a minute: ours are signals. */
const noLimit = 2 ** 31 - 1;

export type Connection = {
  /** Its list of tools as it was at the start. */
  first: readonly Listed[];
  /** All rejections are ReadableError, or the signal's reason. */
  list(signal: AbortSignal): Promise<Listed[]>;
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<Answer>;
  /** Resolves with why, when no more calls are answered. */
  ended: Promise<string>;
  /** Gives it up for a reason. */
  fail(why: string): void;
  /** Resolves when nothing is left of it; never takes long. */
  close(): Promise<void>;
};
type Answer = Record<string, unknown>;
type Sdk = typeof import("@modelcontextprotocol/client");

/** Takes any object: a server that is careless with its answers still serves. */
const anyObject = {
  "~standard": {
    version: 1,
    vendor: "desktop-assistant",
    validate: (value: unknown) => ({ value: asRecord(value) }),
  },
} as const;

/** Greets the server and reads its list. Rejects with ReadableError, also when `signal` aborts. */
export async function connect(options: {
  config: ServerConfig;
  limits: Limits;
  signal: AbortSignal;
  onListChanged: () => void;
}): Promise<Connection> {
  const { config, limits, signal, onListChanged } = options;
  // It costs 30 MB: only those who have a server pay them.
  const sdk = await import("@modelcontextprotocol/client");
  signal.throwIfAborted();
  const ended = Promise.withResolvers<string>();
  const gone = new AbortController();
  let why = "";
  const end = (reason: string) => {
    why ||= reason;
    ended.resolve(why);
    gone.abort();
  };
  const fail = (reason: string) => {
    end(reason);
    // Its end is waited for by whoever closes it.
    close().catch(ended.reject);
  };
  const link = linkOf(sdk, config, limits, fail);
  const client = new sdk.Client({ name: "desktop-assistant", version: "1" });
  client.onclose = () => {
    // The SDK also closes what it could not greet, before it says why.
    if (link.why() !== "") end(link.why());
  };
  client.setNotificationHandler("notifications/tools/list_changed", () => onListChanged());
  let closing: Promise<void> | null = null;
  const close = () => {
    // Not the client's own close: that does nothing once it has heard of an end.
    closing ??= link.leave().then(() => link.transport.close());
    return closing;
  };

  /** A request's own promise may be late, or never come; the signal and the end are at once. */
  const request = async <T>(work: Promise<T>, stop: AbortSignal): Promise<T> => {
    const { promise, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(stop.reason ?? gone.signal.reason);
    // Not AbortSignal.any: what it makes is held by a signal that lives as long as the server.
    for (const signal of [stop, gone.signal]) {
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
    }
    try {
      return await Promise.race([work, promise]);
    } catch (thrown) {
      if (stop.aborted) throw stop.reason;
      if (why !== "") throw new ReadableError("mcp_server", why, { cause: thrown });
      const fault = readable(sdk, thrown);
      // Without an answer in its own words, nobody knows what it still hears.
      if (link.remote && !(thrown instanceof sdk.ProtocolError)) fail(fault.message);
      throw fault;
    } finally {
      for (const signal of [stop, gone.signal]) signal.removeEventListener("abort", onAbort);
    }
  };
  const ask = async (method: string, params: Record<string, unknown>, stop: AbortSignal) => {
    const options = { signal: stop, timeout: noLimit };
    return asRecord(await request(client.request({ method, params }, anyObject, options), stop));
  };

  const list = async (stop: AbortSignal) => {
    if (!client.getServerCapabilities()?.tools) return [];
    const entries: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < mostPages && entries.length < mostTools; page += 1) {
      const { tools, nextCursor } = await ask("tools/list", cursor ? { cursor } : {}, stop);
      if (Array.isArray(tools)) entries.push(...tools);
      cursor = nextCursor;
      if (typeof cursor !== "string" || cursor === "") break;
    }
    return readList(entries.slice(0, mostTools));
  };

  try {
    await request(client.connect(link.transport, { signal, timeout: noLimit }), signal);
    const first = await list(signal);
    const call = (name: string, args: Answer, stop: AbortSignal) =>
      ask("tools/call", { name, arguments: args }, stop);
    return { first, list, call, ended: ended.promise, fail, close };
  } catch (thrown) {
    const late = `it did not answer within ${limits.startMs / 1000} s`;
    fail(thrown instanceof ReadableError ? thrown.message : link.reason(late));
    await close();
    throw new ReadableError("mcp_server", why, { cause: thrown });
  }
}

/** What differs between a program and an address. */
function linkOf(sdk: Sdk, config: ServerConfig, limits: Limits, onBroken: (why: string) => void) {
  if (config.command) {
    const { command, env } = config;
    const transport = new StdioTransport({ command, env, limits, parse: sdk.parseJSONRPCMessage });
    return {
      transport,
      remote: false,
      why: () => transport.why,
      reason: (why: string) => transport.reason(why),
      leave: () => Promise.resolve(),
    };
  }
  const make = sdk.StreamableHTTPClientTransport;
  const transport = httpTransport({ make, url: config.url ?? "", limits, onBroken });
  return {
    transport,
    remote: true,
    why: () => "",
    reason: (why: string) => why,
    leave: () => leave(transport),
  };
}

/** A fault of the SDK or the system in words for a person. */
function readable(sdk: Sdk, thrown: unknown): ReadableError {
  if (thrown instanceof ReadableError) return thrown;
  return new ReadableError("mcp_server", wordsFor(sdk, thrown), { cause: thrown });
}

function wordsFor(sdk: Sdk, thrown: unknown): string {
  if (thrown instanceof sdk.SdkHttpError) {
    const { status } = thrown;
    const login = status === 401 || status === 403;
    return login ? `it wants a login (HTTP ${status})` : `it answered HTTP ${status}`;
  }
  if (thrown instanceof sdk.SdkError) {
    if (thrown.code === sdk.SdkErrorCode.ClientHttpUnexpectedContent)
      return "what answers there is no MCP server";
    return oneLine(thrown.message, 300);
  }
  if (!(thrown instanceof Error)) return oneLine(String(thrown), 300);
  // What fetch says is that it failed; the cause says why.
  const code = systemCode(thrown.cause);
  const why = thrown.cause instanceof Error ? thrown.cause.message : "";
  // Codes that are none of the system's come with better words.
  if (code !== "") return systemReason(code) ?? oneLine(why || code, 300);
  return oneLine(why === "" ? thrown.message : `${thrown.message}: ${why}`, 300);
}

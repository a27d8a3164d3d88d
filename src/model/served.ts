// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A chosen model as the conversation sees it: one completion at a time through the server's lane.
import { ReadableError } from "../errors.ts";
import type { Address } from "./address.ts";
import type { Lane } from "./lane.ts";
import type { Completion, LeaseKind, Reply, Served, ToolsMode } from "./model.ts";
import { ownGrammar, requestBody } from "./request.ts";
import { send } from "./send.ts";
import { Failed, Refused, TooLong } from "./server-error.ts";
import type { Found } from "./settle.ts";
import { listModels, type ServerKind } from "./survey.ts";

export type Chosen = {
  address: Address;
  kind: ServerKind;
  model: string | null;
  contextTokens: number;
  slots: number;
  /** The server says that the model is loaded, or is loading it. */
  loaded: boolean;
  /** How it was chosen, as a sentence. */
  why: string;
  apiKey: string | null;
};

/** The models of a server that take no grammar, or no schema; one is added when that shows. */
export type Untaken = { grammar: Set<string | null>; schema: Set<string | null> };

export type ServeOptions = {
  lane: Lane;
  untaken: Untaken;
  /** How it was found: whether it is our own engine, and that engine's slot. */
  found: Pick<Found, "engine" | "slot">;
  toolsMode: () => ToolsMode;
  temperature: number | null;
  /** Milliseconds without a byte. */
  stall: number;
  /** A request is coming; called before the lane. */
  onBegin: (kind: LeaseKind) => void;
  /** A request is over; `fault` is null when it went well; `aborted`: the caller stopped it. */
  onEnd: (end: { kind: LeaseKind; fault: unknown; aborted: boolean }) => void;
};

/** Nobody has to look after our own engine: it is started anew when it is needed. */
function ofEngine(thrown: unknown): unknown {
  if (!(thrown instanceof ReadableError)) return thrown;
  if (thrown.code !== "unreachable" && thrown.code !== "cut") return thrown;
  const when = thrown.code === "cut" ? "in the middle of its answer" : "before it could answer";
  return new ReadableError(thrown.code, `the engine ended ${when}`, {
    hint: "Ask again: it is started anew.",
    cause: thrown,
  });
}

/** "refused": the server does not take the request as it is; "failed": perhaps because of what is in it. */
async function tried(asked: Promise<Reply>): Promise<Reply | "refused" | "failed"> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof TooLong) throw thrown; // whatever it is held to
    if (thrown instanceof Refused) return "refused";
    if (thrown instanceof Failed) return "failed";
    throw thrown;
  }
}

export function serve(chosen: Chosen, options: ServeOptions): Served {
  const { address, kind, model, apiKey } = chosen;
  const { lane, untaken, found, temperature, stall } = options;
  const llama = kind === "llama" || kind === "router";
  // Harmless on a plain llama-server, and what keeps a router from loading a model unasked.
  const url = `${address.v1}/chat/completions${llama ? "?autoload=false" : ""}`;

  /** A router answers 400 for a model that is gone; its list says so without reading its words. */
  async function withReason(thrown: unknown, signal: AbortSignal): Promise<unknown> {
    const refused = thrown instanceof ReadableError && thrown.code === "server_error";
    if (kind !== "router" || !refused || signal.aborted) return thrown;
    const rows = await listModels({ address, apiKey, signal, stall });
    const row = rows.find((one) => one.id === model);
    if (row && row.status !== "unloaded") return thrown;
    return new ReadableError("model_unloaded", `model ${model ?? ""} was unloaded`, {
      hint: "Ask again: the next question goes to a model that is loaded.",
      cause: thrown,
    });
  }

  /**
   * A server may refuse the request for its grammar, or for its schema; without one it still answers.
   * What it refused is not sent again, unless it was a tool's: that can be one that nobody takes. Others
   * fail at it, which is nothing to remember: it may be chance.
   */
  async function withSchema(
    completion: Completion,
    lease: LeaseKind,
    go: (asked: Completion, grammar: boolean) => Promise<Reply>,
  ): Promise<Reply> {
    const { schema, ...bare } = completion;
    if (schema === undefined || untaken.schema.has(model)) return await go(bare, false);
    const own = llama && !untaken.grammar.has(model) && ownGrammar(completion) !== null;
    const first = own ? await tried(go(completion, true)) : null;
    if (first !== null && typeof first === "object") return first;
    const second = await tried(go(completion, false));
    const reply = typeof second === "object" ? second : await go(bare, false);
    if (lease === "tool") return reply;
    if (first === "refused") untaken.grammar.add(model);
    if (second === "refused") untaken.schema.add(model);
    return reply;
  }

  return {
    url: address.v1,
    model,
    contextTokens: chosen.contextTokens,
    local: address.local,
    llama,
    lacksBeginning: (completion) => found.slot?.lacks(completion) ?? false,
    get toolsMode() {
      return options.toolsMode();
    },
    async complete(completion, { kind: lease, signal, emit, onWaiting, onGranted, onLoading }) {
      options.onBegin(lease);
      let fault: unknown = null;
      try {
        const granted = await lane.acquire(lease, { signal, onWaiting });
        let interrupted = true;
        try {
          onGranted?.();
          await found.slot?.before(completion, granted.signal);
          const reply = await withSchema(completion, lease, (asked, grammar) => {
            const body = requestBody(asked, { model, llama, temperature, grammar });
            const call = { url, body, apiKey, signal: granted.signal, stall };
            return send(call, { emit, onLoading });
          });
          interrupted = false;
          await found.slot?.after(completion, reply.usage, granted.signal);
          return reply;
        } catch (thrown) {
          // What it does not take it does not work on.
          interrupted = !(thrown instanceof Refused);
          throw thrown;
        } finally {
          granted.release({ interrupted });
        }
      } catch (thrown) {
        const known = found.engine ? ofEngine(thrown) : thrown;
        fault = await withReason(known, signal).catch(() => known);
        throw fault;
      } finally {
        options.onEnd({ kind: lease, fault, aborted: signal.aborted });
      }
    },
  };
}

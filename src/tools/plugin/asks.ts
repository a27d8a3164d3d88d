// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What the tools of a plugin ask the daemon for: a small completion, a search, the load.
import { describe } from "../../errors.ts";
import type { ToolContext } from "../context.ts";
import { asRecord } from "../schema.ts";
import type { Order, Report } from "./message.ts";

type Ask = Extract<Report, { is: "ask" }>;

export class Asks {
  /** Signals of the calls that run: a tool that hands its own on is then inside its turn. */
  readonly calls = new Map<number, AbortSignal>();
  /** By tool. */
  readonly contexts = new Map<string, ToolContext>();
  readonly #running = new Map<number, AbortController>();
  readonly #send: (order: Order) => void;

  constructor(send: (order: Order) => void) {
    this.#send = send;
  }

  async answer(ask: Ask): Promise<void> {
    const { id } = ask;
    const dropped = new AbortController();
    this.#running.set(id, dropped);
    const own = ask.call === null ? undefined : this.calls.get(ask.call);
    try {
      const value = await this.#value(ask, own ?? dropped.signal);
      this.#send({ do: "answer", id, value });
    } catch (thrown) {
      const { code, message } = describe(thrown);
      this.#send({ do: "refuse", id, code, message });
    } finally {
      this.#running.delete(id);
    }
  }

  drop(id: number): void {
    this.#running.get(id)?.abort();
  }

  close(): void {
    for (const running of this.#running.values()) running.abort();
  }

  async #value({ tool, what, args }: Ask, signal: AbortSignal): Promise<unknown> {
    const context = this.contexts.get(tool);
    if (!context) return null;
    const [words, given] = args;
    const options = asRecord(given);
    if (what === "monitor") return context.monitor();
    if (what === "search") {
      const { limit } = options;
      return context.history.search(String(words), typeof limit === "number" ? { limit } : {});
    }
    const { system, maxTokens, schema } = options;
    return context.model(String(words), {
      signal,
      ...(typeof system === "string" && { system }),
      ...(typeof maxTokens === "number" && { maxTokens }),
      ...(schema !== undefined && { schema: asRecord(schema) }),
    });
  }
}

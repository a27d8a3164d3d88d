// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Reading ahead: when it is of use at a server, what it has cost, and whether its cache keeps what it should.
import { isAbort, ReadableError } from "../errors.ts";
import type { Notice } from "../message.ts";
import type { Completion, Served, Usage } from "../model/model.ts";
import { Refused } from "../model/server-error.ts";
import type { Held, Prompt } from "./held.ts";

/** Tokens that are read again without anybody noticing: a cache may keep whole blocks only. */
const tolerance = 100;
/** So many times in a row in vain, and a server is not read ahead any more. */
const mostInVain = 2;

/** As `status` tells it. */
export type AheadStatus = {
  state: "on" | "off";
  /** Why it is off, or that it waits for something; "" when it is on. */
  why: string;
  /** Requests that read ahead, and the tokens that they read. */
  requests: number;
  tokens: number;
  /** Questions that found there what was read ahead. */
  used: number;
  /** Requests that were broken off for a question. */
  dropped: number;
  /** Requests of a conversation that a cache should have held, and did not. */
  lost: number;
};

/** What is known of a conversation's next request. */
type Coming = {
  held: Held;
  /** JSON of the tools array; null without one. */
  list: string | null;
  messages: readonly string[];
  /** The same of a conversation in which nothing has been said yet. */
  beginning: readonly string[];
  think: boolean;
};

type Options = { warm: boolean; notice(notice: Notice): void; log(line: string): void };

export class Ahead {
  readonly #options: Options;
  readonly #counts = { requests: 0, tokens: 0, used: 0, dropped: 0, lost: 0 };
  /** The server and model that all below is about. */
  #of = "";
  #local = true;
  /** Whether the server tells what it had cached; null: not known yet. */
  #tells: boolean | null = null;
  #inVain = 0;
  #off = "";
  #wasLost = false;
  /** Whose request came last: what others have asked in between can displace a conversation. */
  #last: Held | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  status(): AheadStatus {
    const why = this.#why();
    return { state: why === "" ? "on" : "off", why, ...this.#counts };
  }

  #why(): string {
    if (!this.#options.warm) return "warm = false in config.toml";
    if (!this.#local) return "the model server is not on this machine";
    if (this.#off !== "") return this.#off;
    if (this.#tells === false) return "the model server does not tell what it has cached";
    return this.#of === "" ? "no model has been used yet" : "";
  }

  /** From now on it is about this model. */
  #turnTo(served: Served): void {
    const of = `${served.url} ${served.model}`;
    if (of === this.#of) return;
    this.#of = of;
    this.#local = served.local;
    this.#tells = served.llama ? true : null;
    this.#inVain = 0;
    this.#off = "";
    this.#wasLost = false;
    this.#last = null;
  }

  /** Something else was asked of the server: what it holds is not known any more. */
  disturb(): void {
    this.#last = null;
  }

  /** True when it may be of use. */
  worthwhile(served: Served): boolean {
    this.#turnTo(served);
    return this.#why() === "" && this.#tells === true;
  }

  /** A request of a question has been read: `held` is what was known before. */
  asked(served: Served, held: Held, prompt: Prompt, usage: Usage): void {
    this.#turnTo(served);
    const { cached } = usage;
    const least = this.#last === held ? held.least(prompt) : 0;
    const lost = cached !== null && least - cached > tolerance;
    if (cached !== null) this.#tells = true;
    if (held.ahead && least > 0 && cached !== null) {
      if (!lost) this.#counts.used += 1;
      this.#inVain = lost ? this.#inVain + 1 : 0;
    }
    if (lost) this.#tellLoss(least - cached);
    this.#wasLost = lost;
    held.note(prompt, usage);
    held.ahead = false;
    this.#last = held;
  }

  #tellLoss(tokens: number): void {
    this.#counts.lost += 1;
    if (this.#off !== "") return;
    if (this.#inVain >= mostInVain) {
      this.#off =
        "the model server keeps nothing of what was read ahead (it may be a model whose state cannot be taken back, or another program uses the server)";
      this.#options.notice({
        code: "read_ahead_off",
        message: `reading ahead is off for this model: ${this.#off}`,
        hint: "Answers are as before, only later. `desktop-assistant status` shows what was read.",
      });
      return;
    }
    if (this.#wasLost) return;
    this.#options.notice({
      code: "cache_lost",
      message: `about ${tokens} tokens of the conversation had to be read again: the model server did not keep them`,
      hint: "That is so after the server was restarted or another program has used it. Otherwise it is a fault worth reporting.",
    });
  }

  /** Reads a prompt ahead. Rejects only for a bug, or when the signal aborts. */
  async read(
    served: Served,
    { held, list, messages, beginning, think }: Coming,
    signal: AbortSignal,
  ): Promise<void> {
    const fresh = messages.length === beginning.length;
    const completion: Completion = {
      messages: beginning,
      ...(list !== null && { tools: list, toolChoice: "auto" }),
      think,
      maxTokens: 1,
      thread: held.thread,
      beginning: true,
    };
    // Who always asks at once would never have it kept.
    if (fresh || served.lacksBeginning(completion))
      await this.#send(served, { held, completion }, signal);
    if (fresh) return;
    const { beginning: _, ...talk } = completion;
    await this.#send(served, { held, completion: { ...talk, messages } }, signal);
  }

  async #send(
    served: Served,
    { held, completion }: { held: Held; completion: Completion },
    signal: AbortSignal,
  ): Promise<void> {
    const prompt = { tools: completion.tools ?? "", messages: completion.messages };
    if (!this.worthwhile(served) || (held === this.#last && held.covers(prompt))) return;
    try {
      const { usage } = await served.complete(completion, {
        kind: "warm-up",
        signal,
        emit: () => undefined,
      });
      this.#counts.requests += 1;
      this.#tells = usage !== null && usage.cached !== null;
      if (usage === null || usage.cached === null) return;
      this.#counts.tokens += Math.max(0, usage.prompt - usage.cached);
      held.note(prompt, usage);
      held.ahead = true;
      this.#last = held;
    } catch (thrown) {
      const preempted = thrown instanceof ReadableError && thrown.code === "preempted";
      if (preempted || isAbort(thrown, signal)) this.#counts.dropped += 1;
      if (isAbort(thrown, signal)) throw thrown;
      if (!(thrown instanceof ReadableError)) throw thrown;
      if (thrown instanceof Refused) this.#off = `the model server refuses it: ${thrown.message}`;
      if (!preempted) this.#options.log(`reading ahead: ${thrown.message}`);
    }
  }
}

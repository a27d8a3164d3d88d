// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The space that a turn's requests take in the model's context, and what is left of it.
import type { ReadableError } from "../errors.ts";
import type { TooLong } from "../model/server-error.ts";
import type { Strategy } from "./strategies/strategy.ts";
import { cannotFit, type Long, refusedAsTooLong } from "./too-long.ts";
import type { Draft, Transcript } from "./transcript.ts";
import {
  halfOf,
  outgrows,
  type Reader,
  resultRoom,
  type Sizes,
  type TokenGauge,
  turnsAhead,
  turnsToKeep,
} from "./window.ts";

/** What stands in one request beside the talk: the tools array or not, and bytes that are its alone. */
export type Beside = { list: boolean; aside?: number };

export class Space {
  readonly #transcript: Transcript;
  readonly #draft: Draft;
  readonly #reader: Reader;
  readonly #list: number;
  readonly #gauge: TokenGauge;

  constructor(
    of: {
      transcript: Transcript;
      draft: Draft;
      served: Reader;
      strategy: Pick<Strategy, "preamble">;
    },
    gauge: TokenGauge,
  ) {
    this.#transcript = of.transcript;
    this.#draft = of.draft;
    this.#reader = of.served;
    this.#list = Buffer.byteLength(of.strategy.preamble.tools ?? "");
    this.#gauge = gauge;
  }

  /** Tokens that the model reads; 0 when unknown. */
  get context(): number {
    return this.#gauge.context(this.#reader);
  }

  /**
   * Lets the oldest turns go when the request would not fit with them; says how many went. Throws
   * ReadableError "context_too_small" when it would not fit without any.
   */
  cut(beside: Beside): number {
    const sizes = this.#sizes(beside);
    // The server itself is asked when its context is only supposed.
    const known = !this.#gauge.supposed(this.#reader);
    if (known && outgrows(sizes, this.context, this.#gauge))
      throw cannotFit(this.#long({ ...sizes, turns: 0 }));
    return this.#transcript.cut(turnsToKeep(sizes, this.context, this.#gauge));
  }

  /** Lets the oldest turns go before the next question needs their room; says how many went. */
  cutAhead(): number {
    return this.#transcript.cut(turnsAhead(this.#sizes({ list: true }), this.context, this.#gauge));
  }

  /**
   * The server has refused the request: its numbers are believed, and oldest turns go, at least half of
   * what was sent. Says how many went.
   */
  shrink(beside: Beside, { needs, holds }: TooLong): number {
    const sizes = this.#sizes(beside);
    if (needs !== null) this.#gauge.learn(sizes.beginning + sizes.turns + sizes.draft, needs);
    if (holds !== null) this.#gauge.refused(this.#reader, holds);
    const half = this.context === 0 ? sizes.turns : halfOf(sizes, this.context, this.#gauge);
    return this.#transcript.cut(Math.min(half, sizes.turns / 2));
  }

  /** What the person is told when the server has refused the request for good. */
  refused(beside: Beside, refusal: TooLong, begun: boolean): ReadableError {
    return refusedAsTooLong(this.#long(this.#sizes(beside)), refusal, begun);
  }

  /** Bytes that may still come in the running turn, with the tools array in front. */
  left(): number {
    return resultRoom(this.#sizes({ list: true }), this.context, this.#gauge);
  }

  /** The request that stands was so many tokens long. */
  learn(beside: Beside, tokens: number): void {
    const { beginning, turns, draft } = this.#sizes(beside);
    this.#gauge.learn(beginning + turns + draft, tokens);
    this.#gauge.taken(this.#reader, tokens);
  }

  #long(sizes: Sizes): Long {
    const [question = ""] = this.#draft.strings;
    return {
      ...sizes,
      question: Buffer.byteLength(question),
      filled: outgrows({ ...sizes, draft: 1 }, this.context, this.#gauge),
      about: this.#gauge.tokens(sizes.beginning + sizes.turns + sizes.draft),
      context: this.context,
    };
  }

  #sizes({ list, aside = 0 }: Beside): Sizes {
    const { beginning, turns } = this.#transcript.size;
    const draft = this.#draft.bytes + aside;
    return { beginning: beginning + (list ? this.#list : 0), turns, draft };
  }
}

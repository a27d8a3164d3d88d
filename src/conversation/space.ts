// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The space that a turn's requests take in the model's context, and what is left of it.
import type { Draft, Transcript } from "./transcript.ts";
import { resultRoom, type Sizes, type TokenGauge, turnsToKeep } from "./window.ts";

/** What stands in one request beside the talk: the tools array or not, and bytes that are its alone. */
export type Beside = { list: boolean; aside?: number };

export class Space {
  readonly #transcript: Transcript;
  readonly #draft: Draft;
  readonly #context: number;
  readonly #list: number;
  readonly #gauge: TokenGauge;

  /** `context` in tokens, 0 when unknown; `tools` is the JSON of the tools array. */
  constructor(
    { transcript, draft }: { transcript: Transcript; draft: Draft },
    { context, tools, gauge }: { context: number; tools: string | null; gauge: TokenGauge },
  ) {
    this.#transcript = transcript;
    this.#draft = draft;
    this.#context = context;
    this.#list = Buffer.byteLength(tools ?? "");
    this.#gauge = gauge;
  }

  /** Lets the oldest turns go when the request would outgrow the window; says how many went. */
  cut(beside: Beside): number {
    return this.#transcript.cut(turnsToKeep(this.#sizes(beside), this.#context, this.#gauge));
  }

  /** Bytes that may still come in the running turn, with the tools array in front. */
  left(): number {
    return resultRoom(this.#sizes({ list: true }), this.#context, this.#gauge);
  }

  /** The request that stands was so many tokens long. */
  learn(beside: Beside, tokens: number): void {
    const { beginning, turns, draft } = this.#sizes(beside);
    this.#gauge.learn(beginning + turns + draft, tokens);
  }

  #sizes({ list, aside = 0 }: Beside): Sizes {
    const { beginning, turns } = this.#transcript.size;
    const draft = this.#draft.bytes + aside;
    return { beginning: beginning + (list ? this.#list : 0), turns, draft };
  }
}

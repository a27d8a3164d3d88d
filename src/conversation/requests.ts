// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The requests of one turn: each is sent and streamed, and sent once more when it was too long.
import type { ModelEvent, Reply, Served, Usage } from "../model/model.ts";
import { TooLong } from "../model/server-error.ts";
import type { Held, Prompt } from "./held.ts";
import { Hold } from "./hold.ts";
import type { Rooms } from "./rooms.ts";
import type { Shown } from "./shown.ts";
import { type Beside, Space } from "./space.ts";
import type { Cost } from "./stats.ts";
import type { Step, Strategy } from "./strategies/strategy.ts";
import { type Draft, serialise, type Transcript } from "./transcript.ts";
import type { RunningTurn } from "./turn.ts";

/** Reading a prompt is told only when it takes longer than this, in milliseconds. */
const quickReading = 500;

export type Sending = {
  served: Served;
  strategy: Strategy;
  transcript: Transcript;
  draft: Draft;
  /** What the server should have of the conversation. */
  held: Held;
  /** Called when oldest turns had to leave. */
  onCut(turns: number): void;
};

/** What came of one request, whether it went well or not. */
class Streamed {
  usage: Usage | null = null;
  /** The first and the last word or thought, as performance.now() gives them. */
  first: number | null = null;
  last = 0;

  words(): void {
    this.last = performance.now();
    this.first ??= this.last;
  }
}

export class Requests {
  readonly space: Space;
  /** Of the requests whose server told their tokens. */
  readonly costs: Cost[] = [];
  readonly #ahead: Rooms["ahead"];
  readonly #sending: Sending;
  readonly #turn: RunningTurn;
  readonly #signal: AbortSignal;

  constructor(
    { gauge, ahead }: Pick<Rooms, "gauge" | "ahead">,
    sending: Sending,
    turn: RunningTurn,
    signal: AbortSignal,
  ) {
    this.space = new Space(sending, gauge);
    this.#ahead = ahead;
    this.#sending = sending;
    this.#turn = turn;
    this.#signal = signal;
  }

  /** Rejects as `served.complete` does; with "context_too_small" when nothing more can leave the request. */
  async send(step: Step, shown: Shown): Promise<Reply> {
    const { strategy, onCut } = this.#sending;
    const aside = serialise(step.aside ?? []);
    const list = strategy.preamble.tools !== null && step.tools !== "absent";
    const beside = { list, aside: aside.bytes };
    const gone = this.space.cut(beside);
    if (gone > 0) onCut(gone);
    for (let refusals = 1; ; refusals += 1) {
      const streamed = new Streamed();
      try {
        return await this.#stream(step, { shown, streamed, beside, aside: aside.strings });
      } catch (thrown) {
        if (!(thrown instanceof TooLong)) throw thrown;
        const begun = streamed.first !== null;
        const left = refusals === 1 ? this.space.shrink(beside, thrown) : 0;
        if (left > 0) onCut(left);
        // What the person has begun to read is not written anew.
        if (left === 0 || begun) throw this.space.refused(beside, thrown, begun);
      }
    }
  }

  async #stream(
    step: Step,
    options: { shown: Shown; streamed: Streamed; beside: Beside; aside: readonly string[] },
  ): Promise<Reply> {
    const { shown, streamed, beside, aside } = options;
    const { served, transcript, draft, strategy, held } = this.#sending;
    const tools = beside.list ? strategy.preamble.tools : null;
    const messages = [...transcript.strings(draft), ...aside];
    const prompt = { tools: tools ?? "", messages };
    let granted = performance.now();
    const hold = new Hold(this.#turn);
    const emit = (event: ModelEvent) => {
      hold.off(); // a server that was still loading does not say when it is done
      if (event.type === "text" || event.type === "think") streamed.words();
      if (event.type === "text") shown.text(event.delta);
      else if (event.type === "think") this.#turn.emit(event);
      else if (event.type === "usage") streamed.usage = this.#told(event.usage, beside, prompt);
      else if (performance.now() - granted > quickReading) this.#turn.emit(event);
    };
    let calls = true;
    try {
      const reply = await served.complete(
        {
          messages,
          thread: held.thread,
          think: step.think,
          ...(tools !== null && { tools, toolChoice: step.tools === "none" ? "none" : "auto" }),
          ...(step.maxTokens !== undefined && { maxTokens: step.maxTokens }),
          ...(step.schema && { schema: step.schema }),
          ...(step.odds !== undefined && { odds: step.odds }),
        },
        {
          kind: "answer",
          signal: this.#signal,
          emit,
          onWaiting: () => hold.on({ waiting: true }),
          onLoading: () => hold.on({ loading: true }),
          onGranted: () => {
            granted = performance.now();
            hold.off();
          },
        },
      );
      calls = reply.calls.length > 0;
      return reply;
    } finally {
      const { usage, first, last } = streamed;
      // The writing of a call is not seen.
      const wroteMs = first === null || calls ? null : last - first;
      if (usage) this.costs.push({ usage, wroteMs });
    }
  }

  #told(usage: Usage, beside: Beside, prompt: Prompt): Usage {
    const { served, held } = this.#sending;
    this.space.learn(beside, usage.prompt);
    this.#ahead.asked(served, held, prompt, usage);
    this.#turn.emit({ type: "ctx", used: usage.prompt, max: this.space.context });
    return usage;
  }
}

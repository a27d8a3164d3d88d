// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A conversation: its finished turns, what of them is sent, and one question at a time to its answer.
import { isAbort } from "../errors.ts";
import type { Turn } from "../message.ts";
import type { Served } from "../model/model.ts";
import { isoDay } from "../tools/day.ts";
import type { WholeTool } from "../tools/tool.ts";
import { Answering, type Prepared } from "./answer.ts";
import { described, Entry, type Stored } from "./entry.ts";
import { Held } from "./held.ts";
import { languageOf, languagesOf } from "./language.ts";
import { type Offer, takeOffer, toolsOf } from "./offer.ts";
import type { Approve } from "./policy.ts";
import { stamp, stampOfHour, systemText } from "./prompt.ts";
import type { Rooms } from "./rooms.ts";
import { Space } from "./space.ts";
import { listings } from "./strategies/listings.ts";
import { native } from "./strategies/native.ts";
import { plan } from "./strategies/plan/plan.ts";
import type { Asked, Strategy } from "./strategies/strategy.ts";
import { titleFits, titleRequest, writeTitle } from "./title.ts";
import { Draft, Transcript } from "./transcript.ts";
import type { RunningTurn } from "./turn.ts";
import { windowNotice } from "./window.ts";

export type Question = { text: string; aloud: boolean };

type Sent = { of: string; strategy: Strategy; offer: Offer; transcript: Transcript; held: Held };

const madeFor = ({ url, model, contextTokens, toolsMode }: Served, today: Date) =>
  `${isoDay(today)} ${url} ${model} ${contextTokens} ${toolsMode.strategy}`;

export class Conversation {
  readonly turns: Turn[];
  readonly #rooms: Rooms;
  readonly #inTurn: Rooms;
  /** The turn that the next finished one replaces, with all that followed it. */
  #replaces: { turn: Turn; stored: string | undefined } | null = null;
  #entry: Entry;
  #offered: Offer | null = null;
  #sent: Sent | null = null;
  /** How many of the oldest turns are no longer sent. */
  #gone = 0;

  constructor(
    rooms: Rooms,
    from: ConstructorParameters<typeof Entry>[1] & { turns?: Turn[] } = {},
  ) {
    this.#entry = new Entry(rooms, from);
    // Nothing that happens in a private conversation is for the log, but faults of ours.
    this.#rooms = rooms;
    this.#inTurn = this.private ? { ...rooms, log: () => undefined } : rooms;
    this.turns = from.turns ?? [];
  }

  get private(): boolean {
    return this.#entry.private;
  }
  /** Null until its first turn is stored; always null when private. */
  get id(): number | null {
    return this.#entry.id;
  }
  get title(): string {
    return this.#entry.title;
  }
  /** All its turns are on disk. */
  get saved(): boolean {
    return this.#entry.saved;
  }

  /** The conversation as it stood before a turn, which its next finished turn replaces; null: no such turn. */
  before(key: string): Conversation | null {
    const index = this.turns.findIndex((turn) => turn.key === key);
    const replaces = this.turns[index];
    if (!replaces) return null;
    const turns = this.turns.slice(0, index);
    const earlier = new Conversation(this.#rooms, { private: this.private, turns });
    earlier.#entry = this.#entry.before(turns);
    earlier.#replaces = { turn: replaces, stored: this.#entry.storedKey(replaces) };
    earlier.#offered = this.#offered;
    earlier.#gone = Math.min(this.#gone, index);
    return earlier;
  }

  /**
   * Answers one question. Everything goes out through `turn`, its end included; resolves when nothing
   * of it is left running, with what was stored (null when nothing was).
   */
  async answer(
    question: Question,
    turn: RunningTurn,
    { signal, approve }: { signal: AbortSignal; approve: Approve },
  ): Promise<Stored | null> {
    const at = Math.floor(this.#rooms.now().getTime() / 1000);
    try {
      signal.throwIfAborted();
      turn.emit({ type: "user", text: question.text });
      turn.emit({ type: "state", state: "thinking" });
      this.#entry.begin({ key: turn.key, text: question.text, at });
      const { prepared, offer } = await this.#prepare(question, turn, signal);
      const answering = new Answering(this.#inTurn, prepared, turn, {
        turns: this.turns,
        reach: offer.reach,
        approve,
        signal,
      });
      const { reply, messages, calls, stats, unbacked } = await answering.answer();
      signal.throwIfAborted();
      const replaced = this.#replaces?.turn;
      const versions = replaced ? [...replaced.versions, replaced.key] : [];
      const tools = calls.map((call) => call.name);
      const finished: Turn = {
        key: turn.key,
        at,
        user: question.text,
        reply,
        tools,
        calls,
        versions,
        messages,
        aloud: question.aloud,
      };
      const stored = this.#store(finished);
      prepared.transcript.seal(prepared.strategy.render(finished, prepared.asked));
      const gone = this.#cutAhead(prepared);
      turn.emit({ type: "done", id: this.id, stats, unbacked });
      this.#tellCut(gone, offer); // behind the answer, not in the middle of it
      return stored;
    } catch (thrown) {
      this.#entry.drop(turn.key);
      if (!isAbort(thrown, signal)) turn.emit({ type: "error", ...this.#described(thrown) });
      return null;
    }
  }

  /** What a person is told of a thrown thing; a bug of ours also goes to the log with its stack. */
  #described(thrown: unknown): ReturnType<typeof described> {
    return described(thrown, this.#rooms.log);
  }

  async #prepare(
    { text, aloud }: Question,
    turn: RunningTurn,
    signal: AbortSignal,
  ): Promise<{ prepared: Prepared; offer: Offer }> {
    let loading = false;
    const served = await this.#rooms.ready(signal, () => {
      if (!loading) turn.emit({ type: "state", state: "thinking", loading: true });
      loading = true;
    });
    if (loading) turn.emit({ type: "state", state: "thinking" });
    if (!this.#offered) await this.#rooms.tools.settled({ signal });
    const { transcript, strategy, offer, held } = await this.#current(served);
    // The tools are taken at the first question: a changed list waits for the next conversation.
    this.#offered = offer;
    const earlier = this.turns.map((one) => one.user);
    const asked: Asked = {
      text,
      aloud,
      stamp: stamp(this.#rooms.now()),
      language: await this.#language(strategy, null, () => languageOf(text, earlier)),
      more: offer.more(text, earlier),
    };
    const draft = new Draft();
    const onCut = (turns: number) => {
      this.#gone += turns;
      this.#tellCut(turns, offer);
    };
    const prepared = { served, strategy, transcript, draft, asked, held, onCut };
    return { prepared, offer };
  }

  /** Lets the oldest turns go while nobody waits; says how many went. */
  #cutAhead(filled: ConstructorParameters<typeof Space>[0]): number {
    const gone = new Space(filled, this.#rooms.gauge).cutAhead();
    this.#gone += gone;
    return gone;
  }

  /** So many of the oldest turns are no longer sent: the person is told, and what still finds their words. */
  #tellCut(turns: number, { tools }: Offer): void {
    if (turns === 0) return;
    const searched = tools.some(({ name }) => name === "history_search");
    this.#rooms.notice(windowNotice(turns, { searched, kept: !this.private }));
  }

  /** Only a plan names languages. An answer is worth more than they: what cannot tell them is logged. */
  async #language<T>(
    { name }: Pick<Strategy, "name">,
    unknown: T,
    find: () => Promise<T>,
  ): Promise<T> {
    if (name !== "plan") return unknown;
    try {
      return await find();
    } catch (thrown) {
      this.#described(thrown);
      return unknown;
    }
  }

  /** What is sent is made anew when the day, the model or its way of calling tools changes, never within one. */
  async #current(served: Served): Promise<Sent> {
    const standing = this.#standing(served);
    if (standing) return standing;
    const name = served.toolsMode.strategy;
    const languages = await this.#language({ name }, [], () =>
      languagesOf(this.turns.map(({ user }) => user)),
    );
    // A question and what is read ahead may both have come here.
    return this.#standing(served) ?? this.#make(served, languages);
  }

  #standing(served: Served): Sent | null {
    const all = this.#offered?.all ?? toolsOf(this.#rooms);
    const sent = this.#sent;
    if (sent?.of !== madeFor(served, this.#rooms.now())) return null;
    const same = (tool: WholeTool, at: number) => tool === sent.offer.all[at];
    return sent.offer.all.length === all.length && all.every(same) ? sent : null;
  }

  #make(served: Served, languages: readonly (string | null)[]): Sent {
    const today = this.#rooms.now();
    const way = served.toolsMode.strategy;
    const offer = takeOffer(this.#rooms, listings[way], this.#offered?.all);
    // Without tools there is nothing to plan.
    const make = way === "plan" && offer.tools.length > 0 ? plan : native;
    const system = systemText(this.#rooms.config, today);
    const strategy = make({ system, listed: offer.listed, tools: offer.tools, today });
    const transcript = new Transcript(strategy.preamble.messages);
    for (const [at, turn] of this.turns.entries()) {
      if (at < this.#gone) continue;
      const language = languages[at] ?? null;
      transcript.seal(strategy.render(turn, { language, aloud: turn.aloud }));
    }
    this.#sent = { of: madeFor(served, today), strategy, offer, transcript, held: new Held() };
    const filled = { served, strategy, transcript, draft: new Draft() };
    this.#tellCut(this.#cutAhead(filled), offer);
    return this.#sent;
  }

  /** Reads ahead what the next question begins with. Rejects with the signal's reason, or for a bug. */
  async readAhead(served: Served, signal: AbortSignal): Promise<void> {
    const { ahead, tools, config, now } = this.#rooms;
    if (!ahead.worthwhile(served)) return;
    await tools.settled({ signal });
    const { strategy, transcript, held } = await this.#current(served);
    signal.throwIfAborted();
    const coming = strategy.coming({ stamp: stampOfHour(now()), think: config.think });
    const draft = new Draft();
    draft.append(coming.append);
    const list = coming.tools === "absent" ? null : strategy.preamble.tools;
    await ahead.read(
      served,
      {
        held,
        list,
        messages: transcript.strings(draft),
        beginning: new Transcript(strategy.preamble.messages).strings(draft),
        think: coming.think,
      },
      signal,
    );
  }

  /** The model is still to be asked for a title. */
  get nameable(): boolean {
    return this.#rooms.config.titles && this.#entry.nameable;
  }

  /**
   * Has the model write the title, right after what the next question will begin with; null when none was
   * stored. What a question broke off can be tried again. Rejects with the signal's reason.
   */
  async entitle(served: Served, signal: AbortSignal): Promise<Stored | null> {
    const sent = this.#sent;
    const { now, log, gauge } = this.#rooms;
    // Made anew for another day or model, it would be read whole, for a title alone.
    if (!this.nameable || sent?.of !== madeFor(served, now())) return null;
    const { strategy, transcript, held } = sent;
    const questions = this.turns.map(({ user }) => user);
    const language = await this.#language(strategy, null, () =>
      languageOf(questions.at(-1) ?? "", questions.slice(0, -1)),
    );
    const request = titleRequest(strategy, {
      sent: transcript.strings(new Draft()),
      language,
      thread: held.thread,
    });
    if (!titleFits(request, { contextTokens: gauge.context(served) }, gauge)) return null;
    return await writeTitle(this.#entry, request, { served, signal, log });
  }

  #store(turn: Turn): Stored | null {
    this.turns.push(turn);
    const replace = this.#replaces?.stored;
    this.#replaces = null;
    return this.#entry.store(turn, replace);
  }
}

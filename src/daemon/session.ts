// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A session: one conversation on a screen, its reply in flight, its queue, and who watches.
import type { Conversation } from "../conversation/conversation.ts";
import type { Stored } from "../conversation/entry.ts";
import type { Approve } from "../conversation/policy.ts";
import { RunningTurn, type TurnEvent } from "../conversation/turn.ts";
import { describe, ReadableError } from "../errors.ts";
import type { QueueItem } from "../protocol/events.ts";
import type { Connection } from "./connection.ts";
import { conversationLine, type Line, line, TurnLines } from "./wire.ts";

export type Asked = { key: string; text: string; aloud: boolean; replace: string | undefined };

export const noTurn = () =>
  new ReadableError("no_turn", "no such turn in this conversation", {
    hint: "It was replaced or deleted. Open the conversation again.",
  });

export type SessionEvents = {
  /** A question begins. */
  onAsk(session: Session): void;
  /** Another conversation is before it. */
  onShow(session: Session): void;
  /** A turn was stored. */
  onStored(session: Session, stored: Stored): void;
  /** A turn has ended, or the queue is empty: somebody may be waiting to close. */
  onIdle(session: Session): void;
  /** A call of its turn needs the person's yes. */
  approve(session: Session, turn: RunningTurn, ...asked: Parameters<Approve>): ReturnType<Approve>;
};

type Running = {
  turn: RunningTurn;
  lines: TurnLines;
  controller: AbortController;
  /** What stands again when the turn comes to nothing. */
  before: Conversation;
};

export class Session {
  readonly name: string;
  readonly watchers = new Set<Connection>();
  /** Clients that have put a conversation before the session, to ask in it. */
  readonly holders = new Set<Connection>();
  conversation: Conversation;
  /** The server's prompt_tokens of the last request; 0 in a fresh conversation. */
  contextUsed = 0;
  readonly #events: SessionEvents;
  #running: Running | null = null;
  #queue: Asked[] = [];
  /** Turns that have ended for everybody but are still letting go of what they hold. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(name: string, conversation: Conversation, events: SessionEvents) {
    this.name = name;
    this.conversation = conversation;
    this.#events = events;
  }

  get running(): RunningTurn | null {
    return this.#running?.turn ?? null;
  }
  get queue(): QueueItem[] {
    return this.#queue.map(({ key, text }) => ({ key, text }));
  }
  /** The conversation as it stands once what runs is stopped. */
  get standing(): Conversation {
    return this.#running?.before ?? this.conversation;
  }
  /** Nothing runs and nothing waits. */
  get idle(): boolean {
    return this.#running === null && this.#queue.length === 0;
  }

  send(message: Line): void {
    for (const watcher of this.watchers) watcher.send(message);
  }

  /** Asks when everything before it is over. */
  enqueue(asked: Asked): void {
    if (this.idle) {
      this.ask(asked);
      return;
    }
    this.#queue.push(asked);
    this.#tellQueue();
  }

  /** Stops the reply in flight and drops the queue; returns the keys. */
  stop(): { stopped: string | null; dropped: string[] } {
    const dropped = this.#queue.map(({ key }) => key);
    this.#queue = [];
    if (dropped.length > 0) this.#tellQueue();
    return { stopped: this.#stopRunning(), dropped };
  }

  /** Ends one turn, running or queued; the queue goes on. */
  stopOne(key: string): { stopped: string | null; dropped: string[] } {
    if (this.#running?.turn.key === key) return { stopped: this.#stopRunning(), dropped: [] };
    const queued = this.#queue.some((asked) => asked.key === key);
    if (!queued) return { stopped: null, dropped: [] };
    this.#queue = this.#queue.filter((asked) => asked.key !== key);
    this.#tellQueue();
    return { stopped: null, dropped: [key] };
  }

  /** Puts another conversation before the session; what runs must have been stopped before. */
  show(conversation: Conversation): void {
    this.conversation = conversation;
    this.contextUsed = 0;
    this.#events.onShow(this);
  }

  /** Resolves when nothing of any turn is left running. */
  async settled(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  #stopRunning(): string | null {
    const running = this.#running;
    if (!running) return null;
    // Whoever stops tells it: the end is out before the turn itself has noticed.
    running.turn.emit({ type: "stopped", id: this.conversation.id });
    running.controller.abort();
    return running.turn.key;
  }

  /** Asks at once; what runs must have been stopped before. */
  ask(asked: Asked): void {
    this.#events.onAsk(this);
    const before = this.conversation;
    const earlier = asked.replace === undefined ? before : before.before(asked.replace);
    if (earlier && earlier !== before) {
      this.conversation = earlier;
      this.send(conversationLine(earlier, { session: this.name }));
    }
    const controller = new AbortController();
    const lines = new TurnLines(this.name, asked.key);
    const turn = new RunningTurn(asked.key, asked.text, (event) => this.#out(event, running));
    const running: Running = { turn, lines, controller, before };
    this.#running = running;
    if (!earlier) {
      // It waited in the queue, and the turn it was to replace went away meanwhile.
      turn.emit({ type: "user", text: asked.text });
      turn.emit({ type: "state", state: "thinking" });
      turn.emit({ type: "error", ...describe(noTurn()) });
      return;
    }
    const { signal } = controller;
    const approve: Approve = (...call) => this.#events.approve(this, turn, ...call);
    const answering = earlier.answer(asked, turn, { signal, approve }).then((stored) => {
      this.#leaving.delete(answering);
      if (stored) this.#events.onStored(this, stored);
    });
    this.#leaving.add(answering);
  }

  #out(event: TurnEvent, running: Running): void {
    if (event.type === "ctx") this.contextUsed = event.used;
    const message = running.lines.of(event);
    for (const watcher of this.watchers) watcher.send(message);
    if (event.type !== "state" || event.state !== "idle") return;
    if (this.#running === running) this.#running = null;
    const { before } = running;
    const failed = running.turn.value.ended !== "done";
    if (failed && this.conversation !== before) {
      // A question that was to replace a turn came to nothing: the old turns stand.
      this.conversation = before;
      this.send(conversationLine(before, { session: this.name }));
    }
    queueMicrotask(() => this.#next());
  }

  #next(): void {
    const next = this.#running ? undefined : this.#queue.shift();
    if (next) {
      this.#tellQueue();
      this.ask(next);
    } else this.#events.onIdle(this);
  }

  #tellQueue(): void {
    this.send(line("queue", null, { items: this.queue }, { session: this.name }, "queue"));
  }
}

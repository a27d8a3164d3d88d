// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What serves: the clients, their sessions, and everything that is told to all of them.
import { Conversation } from "../conversation/conversation.ts";
import type { Stored } from "../conversation/entry.ts";
import type { Rooms } from "../conversation/rooms.ts";
import type { RunningTurn } from "../conversation/turn.ts";
import { describe } from "../errors.ts";
import type { Job, Notice } from "../message.ts";
import type { Backend } from "../model/backend.ts";
import type { Feature } from "../protocol/commands.ts";
import { protocolVersion } from "../protocol/events.ts";
import type { Tools } from "../tools/tools.ts";
import { Confirmations, type Hearers } from "./confirmations.ts";
import type { Connection } from "./connection.ts";
import { Session } from "./session.ts";
import { conversationLine, type Line, line, pending, wireTurn } from "./wire.ts";

/** How many of the daemon's own notices a new client is told. */
const noticesKept = 20;

export class Daemon {
  readonly connections = new Set<Connection>();
  readonly sessions = new Map<string, Session>();
  readonly confirmations = new Confirmations();
  /** Tools that run by hand, and the session that each was run for. */
  readonly runs = new Map<AbortController, string>();
  readonly rooms: Rooms;
  readonly tools: Tools;
  readonly backend: Backend;
  readonly version: string;
  readonly paths: Record<string, string>;
  readonly startedAt = Date.now();
  #recent = "main";
  readonly #notices: Notice[] = [];

  constructor(options: {
    rooms: Rooms;
    tools: Tools;
    backend: Backend;
    version: string;
    paths: Record<string, string>;
  }) {
    this.rooms = options.rooms;
    this.tools = options.tools;
    this.backend = options.backend;
    this.version = options.version;
    this.paths = options.paths;
    this.session("main");
  }

  /** The session of that name; it begins with a fresh conversation. */
  session(name: string): Session {
    const known = this.sessions.get(name);
    if (known) return known;
    const session = new Session(name, this.fresh(), {
      onAsk: (asked) => {
        this.#recent = asked.name;
        this.backend.interrupt();
      },
      onShow: (shown) => {
        this.#recent = shown.name;
        this.backend.interrupt();
        this.backend.rest();
      },
      onStored: (from, stored) => this.changed(from, stored),
      onIdle: (idle) => this.#idle(idle),
      approve: (asking, turn, question, signal) =>
        this.confirmations.ask(turn.key, question, this.#hearers(asking, turn), signal),
    });
    this.sessions.set(name, session);
    // A command that came to nothing leaves no session behind.
    queueMicrotask(() => this.#forget(session));
    return session;
  }

  /** Where a question was asked or a conversation chosen last. */
  get recent(): Session {
    return this.sessions.get(this.#recent) ?? this.session("main");
  }

  fresh(hidden = false): Conversation {
    return new Conversation(this.rooms, { private: hidden });
  }

  /** Null when there is no such conversation. */
  stored(id: number): Conversation | null {
    const loaded = this.rooms.history.load(id);
    return loaded && new Conversation(this.rooms, loaded);
  }

  /** Tells every client that knows the event. */
  broadcast(message: Line, except?: Connection): void {
    for (const connection of this.connections) if (connection !== except) connection.send(message);
  }

  notice(notice: Notice): void {
    // Told again it is news, but who comes later need not read it twice.
    const same = this.#notices.findIndex(({ message }) => message === notice.message);
    if (same >= 0) this.#notices.splice(same, 1);
    this.#notices.push(notice);
    this.#notices.splice(0, Math.max(0, this.#notices.length - noticesKept));
    const what = notice.hint ? ` (${notice.hint})` : "";
    this.rooms.log(`notice ${notice.code}: ${notice.message}${what}`);
    this.#tell("notice", { ...notice });
  }

  job(job: Job): void {
    if (job.state !== "running") this.rooms.log(`job ${job.kind} ${job.state}: ${job.message}`);
    this.#tell("job", { ...job });
  }

  #tell(feature: Feature, fields: Record<string, unknown>): void {
    this.broadcast(line(feature, null, fields, {}, feature));
  }

  /** The first line a client gets, and the answer to `features` and `watch`. */
  hello(session: Session, req?: string): Line {
    const { running, conversation, name } = session;
    const { model, contextTokens } = this.backend.status();
    const value = running?.value;
    const fields = (v2: boolean) => ({
      state: value?.state ?? "idle",
      ...(value?.tool != null && { tool: value.tool }),
      model,
      ctx_used: session.contextUsed,
      ctx_max: contextTokens,
      id: conversation.id,
      turns: conversation.turns.map((turn) => wireTurn(turn, v2)),
      pending: running ? pending(running, session.queue, v2) : null,
      protocol: protocolVersion,
    });
    const more = {
      version: this.version,
      session: name,
      private: conversation.private,
      unfinished: null,
      jobs: this.backend.jobs(),
      notices: this.#notices,
    };
    // In hello the session is always named for version 2, "main" too.
    return line("hello", fields(false), { ...fields(true), ...more }, { session: name, req });
  }

  watch(connection: Connection, session: Session): void {
    session.watchers.add(connection);
    connection.watches.add(session.name);
  }

  /** Keeps a session whose conversation the client has chosen, until it leaves or unwatches it. */
  hold(connection: Connection, session: Session): void {
    session.holders.add(connection);
    connection.holds.add(session.name);
  }

  unwatch(connection: Connection, name: string): void {
    const session = this.sessions.get(name);
    connection.watches.delete(name);
    connection.holds.delete(name);
    session?.watchers.delete(connection);
    session?.holders.delete(connection);
    if (session) this.#forget(session);
  }

  leave(connection: Connection): void {
    this.connections.delete(connection);
    for (const name of [...connection.watches, ...connection.holds]) this.unwatch(connection, name);
  }

  /** A client that half-closed is let go when nothing that it asked for, or watches, is outstanding. */
  settle(connection: Connection): void {
    if (!connection.halfClosed || connection.outstanding > 0) return;
    const concerns = [...connection.watches, ...connection.asked];
    if (concerns.every((name) => this.sessions.get(name)?.idle ?? true)) void connection.finish();
  }

  /** True when the conversation is being answered in another session. */
  inUse(session: Session): boolean {
    const { id } = session.conversation;
    return (
      id !== null &&
      this.#others(session).some((other) => other.running !== null && other.conversation.id === id)
    );
  }

  /** Who can say yes to a call of a session: the clients that watch it and take such questions. */
  #hearers(session: Session, turn: RunningTurn): Hearers {
    return {
      present: () => [...session.watchers].some((watcher) => watcher.answers),
      tell: (event) => void turn.emit(event),
    };
  }

  #others(session: Session): Session[] {
    return [...this.sessions.values()].filter((other) => other !== session);
  }

  /** A turn was stored, or a title. */
  changed(from: Session, stored: Stored): void {
    this.#tell("changed", { ...stored });
    for (const other of this.#others(from)) {
      if (other.conversation.id !== stored.id || other.running) continue;
      // What could not be saved there lives only there; it is stored with the next turn.
      if (!other.conversation.saved) continue;
      const renewed = this.#renewed(stored.id);
      if (!renewed) continue;
      other.conversation = renewed;
      other.send(conversationLine(renewed, { session: other.name }));
    }
  }

  /** What is on the other screens may stay as it is: a file that cannot be read must not end anything. */
  #renewed(id: number): Conversation | null {
    try {
      return this.stored(id);
    } catch (thrown) {
      this.rooms.log(`history: ${describe(thrown).message}`);
      return null;
    }
  }

  #idle(session: Session): void {
    if (!session.idle) return;
    this.backend.rest();
    for (const connection of this.connections) {
      this.settle(connection);
      connection.asked.delete(session.name);
    }
    this.#forget(session);
  }

  /** A session that nobody watches or holds and nothing runs in is gone; its conversations stay. */
  #forget(session: Session): void {
    const { name, watchers, holders, idle } = session;
    if (name === "main" || watchers.size > 0 || holders.size > 0 || !idle) return;
    if (this.sessions.get(name) === session) this.sessions.delete(name);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Events to lines of the protocol, in both dialects: version 1 exact, version 2 with what it adds.
import type { RunningTurn, TurnEvent } from "../conversation/turn.ts";
import type { Turn } from "../message.ts";
import type { Feature } from "../protocol/commands.ts";
import type { Pending, QueueItem, WireTurn } from "../protocol/events.ts";

/** An event in both dialects, each made when the first client of that dialect needs it. */
export interface Line {
  /** Null: version 1 has no such event. */
  readonly v1: string | null;
  readonly v2: string;
  /** Only clients that named this feature get it. */
  readonly feature?: Feature;
}

type Fields = Record<string, unknown>;
type Marks = { req?: string | undefined; session?: string | undefined; key?: string | undefined };

/** Events of the main session carry no session. */
function sessionMark(session: string | undefined): Fields {
  return session === undefined || session === "main" ? {} : { session };
}

/** One line of text. */
export function encode(type: string, fields: Fields, { req, session, key }: Marks = {}): string {
  const marks = {
    ...(key !== undefined && { key }),
    ...sessionMark(session),
    ...(req !== undefined && { req }),
  };
  return `${JSON.stringify({ type, ...fields, ...marks })}\n`;
}

/** An event whose version 1 fields are `v1` (null: none) and which adds `v2`. */
export function line(
  type: string,
  v1: Fields | null,
  v2: Fields,
  marks: Marks = {},
  feature?: Feature,
): Line {
  let first: string | null | undefined;
  let second: string | undefined;
  return {
    get v1() {
      first ??= v1 === null ? null : encode(type, v1, { session: marks.session, req: marks.req });
      return first;
    },
    get v2() {
      second ??= encode(type, { ...v1, ...v2 }, marks);
      return second;
    },
    ...(feature !== undefined && { feature }),
  };
}

/** The lines of one turn. It remembers the last state, since version 1 is not told what only version 2 sees. */
export class TurnLines {
  readonly #session: string;
  readonly #key: string;
  readonly #v1End: string;
  readonly #v2End: string;
  #state = "";

  constructor(session: string, key: string) {
    this.#session = session;
    this.#key = key;
    const mark = session === "main" ? "" : `,"session":${JSON.stringify(session)}`;
    this.#v1End = `${mark}}\n`;
    this.#v2End = `,"key":${JSON.stringify(key)}${mark}}\n`;
  }

  of(event: TurnEvent): Line {
    const { type } = event;
    switch (event.type) {
      case "token":
      case "think":
        return this.#delta(event.type, event.delta);
      case "user":
        return this.#line(type, { text: event.text }, {});
      case "state":
        return this.#stateLine(event);
      case "ctx":
        return this.#line(type, { used: event.used, max: event.max }, {});
      case "progress":
        return this.#line(
          type,
          null,
          { processed: event.processed, total: event.total, cached: event.cached },
          "progress",
        );
      case "tool": {
        const { type: _, name, done, ...more } = event;
        return this.#line(type, { name, done }, more);
      }
      case "confirm":
      case "confirmed": {
        const { type: _, ...fields } = event;
        return this.#line(type, null, fields, "confirm");
      }
      case "done": {
        const unbacked = event.unbacked ? { unbacked: true } : {};
        return this.#line(type, { id: event.id }, { stats: event.stats, ...unbacked });
      }
      case "stopped":
        return this.#line("done", { id: event.id, stopped: true }, {});
      case "error":
        return this.#line(type, { message: event.message }, { code: event.code, hint: event.hint });
    }
  }

  #line(type: string, v1: Fields | null, v2: Fields, feature?: Feature): Line {
    return line(type, v1, v2, { session: this.#session, key: this.#key }, feature);
  }

  /** The hot path: 100,000 of these a second, so the text is joined by hand. */
  #delta(type: "token" | "think", delta: string): Line {
    const start = `{"type":"${type}","delta":${JSON.stringify(delta)}`;
    return { v1: start + this.#v1End, v2: start + this.#v2End };
  }

  #stateLine(event: Extract<TurnEvent, { type: "state" }>): Line {
    const { type, ...fields } = event;
    const tool = event.state === "tool" ? { tool: event.tool } : {};
    const now = `${event.state} ${tool.tool ?? ""}`;
    const same = now === this.#state;
    this.#state = now;
    const { state } = event;
    return this.#line(
      type,
      same ? null : { state, ...tool },
      same ? fields : { ...fields, ...tool },
    );
  }
}

export function wireTurn(
  { user, reply, tools, key, at, versions, calls }: Turn,
  v2: boolean,
): WireTurn {
  return v2 ? { user, reply, tools, key, at, versions, calls } : { user, reply, tools };
}

/** The reply in flight, whole, for somebody who comes late. */
export function pending({ key, value }: RunningTurn, queue: QueueItem[], v2: boolean): Pending {
  const { user, reply, think, tools, calls, confirm, waiting, loading, progress } = value;
  const first = { user, reply, think, tools };
  return v2 ? { ...first, key, calls, confirm, queue, waiting, loading, progress } : first;
}

/** `conversation`: what a session has before it now. */
export function conversationLine(
  {
    id,
    title,
    turns,
    private: hidden,
  }: { id: number | null; title: string; turns: readonly Turn[]; private: boolean },
  { limit = turns.length, ...marks }: Marks & { limit?: number | undefined } = {},
): Line {
  const shown = turns.slice(Math.max(0, turns.length - limit));
  return line(
    "conversation",
    { id, turns: shown.map((turn) => wireTurn(turn, false)) },
    { turns: shown.map((turn) => wireTurn(turn, true)), title, private: hidden },
    marks,
  );
}

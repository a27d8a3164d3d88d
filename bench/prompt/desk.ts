// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What every measurement through the proxy has: a server, a daemon with the recorder tools, a client.
import type { ToolSchema } from "../../src/message.ts";
import type { Mode } from "../mode.ts";
import { openHome, withDaemon } from "../pick/home.ts";
import type { Asked } from "../pick/person.ts";
import { type Recorded, startProxy } from "../pick/proxy.ts";
import type { Place } from "../place.ts";
import { type Post, postTo, readsAhead } from "./rendered.ts";
import type { Row } from "./report.ts";
import { untilQuiet } from "./waiting.ts";

export type DeskOptions = {
  place: Place;
  tools: readonly ToolSchema[];
  mode: Mode;
  /** Milliseconds without a request after which a person is taken to be thinking. */
  quiet: number;
  /** Tokens of an answer at most. */
  longest: number;
  /** Ends it before the next question, with what there is. */
  signal: AbortSignal;
};

/** What a measurement gives: rows of the table, and all figures behind them. */
export type Outcome = { rows: Row[]; details: unknown };

/** Resolves with what `use` gives; the daemon and the proxy are gone then. */
export async function withDesk<T>(
  options: DeskOptions,
  use: (desk: Desk) => Promise<T>,
): Promise<T> {
  const { place, tools, mode, quiet, longest, signal } = options;
  const proxy = await startProxy(place, { longest });
  try {
    return await withDaemon(openHome({ llm: proxy.url, tools, mode }), ({ client, returns }) =>
      use({
        mode,
        place,
        post: postTo(place),
        client,
        returns,
        requests: proxy.requests,
        signal,
        settled: () => untilQuiet(proxy, quiet),
      }),
    );
  } finally {
    await proxy.close();
  }
}

type Home = Awaited<ReturnType<typeof openHome>>;
export type Desk = Pick<DeskOptions, "mode" | "place" | "signal"> &
  Pick<Home, "client" | "returns"> & {
    /** The server itself, not the proxy. */
    post: Post;
    requests: readonly Recorded[];
    /** Resolves when the daemon asks nothing more. */
    settled(): Promise<void>;
  };

/** The requests of a turn, without what was read ahead meanwhile. */
export const ofTurn = (requests: readonly Recorded[], { begun, ended }: Asked) =>
  requests.filter((one) => one.begun >= begun && one.begun <= ended && !readsAhead(one));

/** What was read ahead between two moments. */
export function aheadBetween(requests: readonly Recorded[], from: number, to: number) {
  const some = requests.filter((one) => readsAhead(one) && one.begun >= from && one.begun < to);
  return { requests: some.length, tokens: some.reduce((sum, { read }) => sum + (read ?? 0), 0) };
}

/** The difference of two figures; null when one is not known. */
export const beyond = (read: number | null, known: number | null) =>
  read === null || known === null ? null : read - known;

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs the cases conversation by conversation, through the daemon and, when wished, beside it.
import type { ToolSchema } from "../../src/message.ts";
import { countTokens, type Place } from "../place.ts";
import { Bare } from "./bare.ts";
import type { Case } from "./cases.ts";
import { type Home, openHome, withDaemon } from "./home.ts";
import { askQuestion, decisionMs, decisionOf, newConversation } from "./person.ts";
import { type Passage, type Recorded, startProxy } from "./proxy.ts";
import { addedTo, judge, type Measured, type Result } from "./result.ts";

export type RunOptions = {
  place: Place;
  tools: readonly ToolSchema[];
  cases: readonly Case[];
  /** What tools return, by name, where a case does not say. */
  results: Record<string, string>;
  /** Questions of a conversation. */
  per: number;
  mode: string;
  /** Milliseconds that the person reads before the next question. */
  pause: number;
  bare: boolean;
  /** Ends the run before the next case, with what there is. */
  signal?: AbortSignal;
  /** Called after each case. */
  onResult?: (result: Result, way: "ours" | "bare") => void;
};

export type Run = { ours: Result[]; bare: Result[] };

/** Rejects when the daemon or the model server is gone; a question that failed is a result. */
export async function run(options: RunOptions): Promise<Run> {
  const { place, tools, cases, per, mode } = options;
  const proxy = await startProxy(place);
  try {
    return await withDaemon(openHome({ llm: proxy.url, tools, mode }), async (home) => {
      const bare = options.bare ? new Bare(place, tools) : null;
      const results: Run = { ours: [], bare: [] };
      for (
        let from = 0, turn = 0;
        from < cases.length && !options.signal?.aborted;
        from += per, turn += 1
      ) {
        const some = cases.slice(from, from + per);
        const ours = async () =>
          void results.ours.push(...(await throughDaemon(home, proxy, some, options)));
        const beside = async () =>
          void (bare && results.bare.push(...(await besideDaemon(bare, some, options))));
        // In turns, so that a machine that grows slower or faster is neither's luck.
        for (const way of turn % 2 === 0 ? [ours, beside] : [beside, ours]) await way();
      }
      return results;
    });
  } finally {
    await proxy.close();
  }
}

async function throughDaemon(
  home: Home,
  proxy: Passage,
  cases: readonly Case[],
  options: RunOptions,
): Promise<Result[]> {
  const all: { wanted: Case; measured: Measured }[] = [];
  await newConversation(home.client);
  for (const wanted of cases) {
    if (options.signal?.aborted) break;
    const own = wanted.result === null ? {} : { [wanted.tool]: wanted.result };
    home.returns({ ...options.results, ...own });
    const asked = await askQuestion(home.client, wanted.question);
    const request = decisionOf(asked, proxy.requests);
    const before = request && proxy.requests[proxy.requests.indexOf(request) - 1];
    const { call, answer, error } = asked;
    const measured: Measured = {
      call,
      answer,
      error,
      ms: decisionMs(asked, request),
      read: request?.read ?? null,
      cached: request?.cached ?? null,
      output: request?.output ?? null,
      added: request && before ? addedTo(textAfter(before), request.sent) : null,
    };
    all.push({ wanted, measured });
    options.onResult?.(await judge(wanted, measured), "ours");
    if (options.pause > 0) await new Promise((resolve) => setTimeout(resolve, options.pause));
  }
  const results: Result[] = [];
  // Counted only now, so that it disturbs no question.
  for (const { wanted, measured } of all) {
    const fresh = measured.added === null ? null : await countTokens(options.place, measured.added);
    results.push({ ...(await judge(wanted, measured)), fresh });
  }
  return results;
}

/** What the server's cache holds after a request. */
const textAfter = ({ sent, wrote }: Recorded) => `${sent}assistant\n${wrote}\n`;

async function besideDaemon(
  bare: Bare,
  cases: readonly Case[],
  options: RunOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  bare.fresh();
  for (const wanted of cases) {
    if (options.signal?.aborted) break;
    const result = await judge(
      wanted,
      await bare.ask({ ...wanted, result: wanted.result ?? options.results[wanted.tool] ?? null }),
    );
    results.push(result);
    options.onResult?.(result, "bare");
  }
  return results;
}

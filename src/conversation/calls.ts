// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tool calls of one reply: one after another, each shown, run, and answered.
import type { CallRecord, Turn } from "../message.ts";
import type { ModelCall } from "../model/model.ts";
import type { Call } from "../tools/registry.ts";
import { failure, resultOf } from "../tools/result.ts";
import type { ToolResult } from "../tools/tool.ts";
import { meantCall } from "./call-tool.ts";
import { parseRecord, recordOf } from "./json.ts";
import { type Approve, refusalText, whyAsk } from "./policy.ts";
import type { Rooms } from "./rooms.ts";
import type { CallResult } from "./strategies/strategy.ts";
import { Taint } from "./taint.ts";
import type { RunningTurn } from "./turn.ts";

/** The same call with the same arguments runs this often in a turn; after that its result is given again. */
const sameCallLimit = 2;

/** So often the person says no in a turn; then the rest is refused unasked, since a flood wears people out. */
const mostNoes = 3;

const failed = (error: string): ToolResult => resultOf(failure(error), 0);

/** What the person is shown of the arguments; text that is no JSON object is shown as none. */
const shownArguments = (text: string) => parseRecord(text) ?? {};

const cutMark = "\n[cut: the model's context has no room for the rest]";

/** Bytes that a text takes in a request: quotes and line ends take two there. */
const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

/**
 * At most `bytes` of a text as a request has it, cut between code points, with a mark beyond them when
 * something is missing.
 */
export function cutToBytes(text: string, bytes: number): string {
  if (jsonBytes(text) <= bytes) return text;
  let kept = "";
  let size = 0;
  for (const point of text) {
    size += jsonBytes(point);
    if (size > bytes) break;
    kept += point;
  }
  return kept + cutMark;
}

/** The same arguments, in whatever order a model wrote them. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    const record = recordOf(inner);
    return record ? Object.fromEntries(Object.entries(record).sort(byName)) : inner;
  });
}
const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

/** What the calls of a turn need beside the rooms. */
export type CallOptions = {
  /** The conversation's finished turns. */
  turns: readonly Turn[];
  /** The tool that calls another by name. */
  reach: string;
  approve: Approve;
  signal: AbortSignal;
};

/** A turn's calls and what came of them. */
export class TurnCalls {
  readonly records: CallRecord[] = [];
  readonly #rooms: Rooms;
  readonly #turn: RunningTurn;
  readonly #options: CallOptions;
  readonly #seen = new Map<string, { count: number; result: ToolResult; refused: boolean }>();
  /** What was sent unasked after text of others. */
  readonly #left: Call[] = [];
  #changed = false;
  #noes = 0;

  constructor(rooms: Rooms, turn: RunningTurn, options: CallOptions) {
    this.#rooms = rooms;
    this.#turn = turn;
    this.#options = options;
  }

  /** Something was changed by a call of this turn. */
  get changed(): boolean {
    return this.#changed;
  }

  /**
   * Runs the calls of one reply in their order. `room` is the bytes that all results may take together
   * in a request; `note` is added to the last one.
   */
  async run(
    calls: readonly ModelCall[],
    { room, note }: { room: number; note: string },
  ): Promise<CallResult[]> {
    const results: CallResult[] = [];
    let left = room - jsonBytes(note);
    for (const [index, call] of calls.entries()) {
      const rest = calls.length - index;
      const share = left / rest - jsonBytes(cutMark);
      const id = this.#freeId(call.id);
      const result = await this.#one({ ...call, id }, share, rest === 1 ? note : "");
      left -= jsonBytes(result.text);
      results.push(result);
    }
    return results;
  }

  async #one(call: ModelCall, room: number, note: string): Promise<CallResult> {
    const meant = meantCall(call, this.#options.reach);
    const args = meant.whole ? shownArguments(meant.arguments) : {};
    const { id, name } = meant;
    this.#turn.emit({ type: "tool", done: false, call: id, name, arguments: args });
    this.#turn.emit({ type: "state", state: "tool", tool: name });
    const result = await this.#result(meant);
    this.#options.signal.throwIfAborted();
    const { ok, card } = result;
    const text = cutToBytes(result.text, room) + note;
    const latency_ms = Math.round(result.latencyMs);
    // A name that is no tool's is the model's own words, which the log is not for.
    const known = this.#rooms.tools.get(name)?.name ?? "of no known name";
    this.#rooms.log(`tool ${known}: ${ok ? "ok" : "error"} after ${latency_ms} ms`);
    this.records.push({ call: id, name, arguments: args, ok, text, latency_ms, card });
    this.#turn.emit({ type: "tool", done: true, call: id, name, ok, latency_ms, text, card });
    this.#turn.emit({ type: "state", state: "thinking" });
    return { call, text, ok };
  }

  async #result(call: ModelCall): Promise<ToolResult> {
    if (!call.whole) return failed("the call was cut off before its end and was not run");
    const taken = this.#rooms.tools.take(call.name, call.arguments);
    if ("fault" in taken) return taken.fault;
    const same = `${call.name} ${canonical(taken.call.args)}`;
    const seen = this.#seen.get(same);
    // A no holds for the turn: the person is not asked the same twice.
    if (seen && (seen.refused || seen.count >= sameCallLimit)) {
      const note = "[the same call was made before in this turn; this is its earlier result]";
      return { ...seen.result, text: `${seen.result.text}\n${note}`, latencyMs: 0 };
    }
    const refused = await this.#refused(call.id, taken.call);
    const result =
      refused ?? (await this.#rooms.tools.run(taken.call, { signal: this.#options.signal }));
    if (result.ok && taken.call.tool.effect === "change") this.#changed = true;
    this.#seen.set(same, { count: (seen?.count ?? 0) + 1, result, refused: refused !== null });
    return result;
  }

  /** Null when the call may run: it needs no yes, or the person said yes. */
  async #refused(id: string, call: Call): Promise<ToolResult | null> {
    const { tool, args, argv } = call;
    let read: Taint | null = null;
    const taint = () => {
      read ??= this.#taint();
      return read;
    };
    const why = whyAsk(call, taint);
    if (why === null) {
      if (tool.effect === "send" && taint().strict) this.#left.push(call);
      return null;
    }
    if (this.#noes >= mostNoes)
      return failed(
        `${tool.name} was not run: the person has said no to ${mostNoes} calls already`,
      );
    const exact = argv ? { argv } : { arguments: args };
    const { approve, signal } = this.#options;
    const verdict = await approve({ call: id, name: tool.name, ...exact, why }, signal);
    if (!verdict.allow && verdict.reason !== "nobody") this.#noes += 1;
    return verdict.allow ? null : failed(refusalText(tool.name, verdict));
  }

  #taint(): Taint {
    const { user, reply } = this.#turn.value;
    const running = { user, reply, calls: this.records };
    const flags = (name: string) => this.#rooms.tools.get(name) ?? null;
    const servers = this.#rooms.tools.servers().some(({ tools }) => tools > 0);
    return new Taint(this.#options.turns, running, flags, { left: this.#left, servers });
  }

  /** Models number their calls anew in each reply; in a turn every call has its own id. */
  #freeId(wanted: string): string {
    let id = wanted;
    for (let next = 2; this.records.some((record) => record.call === id); next += 1)
      id = `${wanted}-${next}`;
    return id;
  }
}

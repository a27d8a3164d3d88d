// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tool calls of one reply: one after another, each shown, run, and answered.
import type { CallRecord } from "../message.ts";
import type { ModelCall } from "../model/model.ts";
import type { Tool, ToolResult } from "../tools/tool.ts";
import { parseRecord } from "./json.ts";
import { refusal } from "./policy.ts";
import type { Rooms } from "./rooms.ts";
import type { CallResult } from "./strategies/strategy.ts";
import type { RunningTurn } from "./turn.ts";

/** The same call with the same arguments runs this often in a turn; after that its result is given again. */
const sameCallLimit = 2;

const failed = (text: string): ToolResult => ({
  ok: false,
  data: null,
  text,
  error: text.replace(/^error: /, ""),
  latencyMs: 0,
  meta: {},
  card: null,
});

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

/** A turn's calls and what came of them. */
export class TurnCalls {
  readonly records: CallRecord[] = [];
  readonly #rooms: Rooms;
  readonly #turn: RunningTurn;
  readonly #signal: AbortSignal;
  readonly #seen = new Map<string, { count: number; result: ToolResult }>();

  constructor(rooms: Rooms, turn: RunningTurn, signal: AbortSignal) {
    this.#rooms = rooms;
    this.#turn = turn;
    this.#signal = signal;
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
    const args = call.whole ? shownArguments(call.arguments) : {};
    this.#turn.emit({ type: "tool", done: false, call: call.id, name: call.name, arguments: args });
    this.#turn.emit({ type: "state", state: "tool", tool: call.name });
    const tool = this.#rooms.tools.list().find(({ name }) => name === call.name);
    const result = await this.#result(call, tool);
    this.#signal.throwIfAborted();
    const { ok, card } = result;
    const text = cutToBytes(result.text, room) + note;
    const latency_ms = Math.round(result.latencyMs);
    // A name that is no tool's is the model's own words, which the log is not for.
    const name = tool?.name ?? "of no known name";
    this.#rooms.log(`tool ${name}: ${ok ? "ok" : "error"} after ${latency_ms} ms`);
    this.records.push({
      call: call.id,
      name: call.name,
      arguments: args,
      ok,
      text,
      latency_ms,
      card,
    });
    this.#turn.emit({
      type: "tool",
      done: true,
      call: call.id,
      name: call.name,
      ok,
      latency_ms,
      text,
      card,
    });
    this.#turn.emit({ type: "state", state: "thinking" });
    return { call, text, ok };
  }

  async #result(call: ModelCall, tool: Tool | undefined): Promise<ToolResult> {
    if (!call.whole) return failed("error: the call was cut off before its end and was not run");
    const refused = refusal(tool);
    if (refused) return failed(refused);
    const same = `${call.name} ${JSON.stringify(shownArguments(call.arguments))}`;
    const seen = this.#seen.get(same);
    if (seen && seen.count >= sameCallLimit) {
      const note = "[the same call was made before in this turn; this is its earlier result]";
      return { ...seen.result, text: `${seen.result.text}\n${note}`, latencyMs: 0 };
    }
    const result = await this.#rooms.tools.callByText(call.name, call.arguments, {
      signal: this.#signal,
    });
    this.#seen.set(same, { count: (seen?.count ?? 0) + 1, result });
    return result;
  }

  /** Models number their calls anew in each reply; in a turn every call has its own id. */
  #freeId(wanted: string): string {
    let id = wanted;
    for (let next = 2; this.records.some((record) => record.call === id); next += 1)
      id = `${wanted}-${next}`;
    return id;
  }
}

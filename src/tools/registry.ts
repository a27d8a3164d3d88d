// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools by name: finds one, checks its arguments, runs it, times it, and lets no fault out.
import { contextFor, type SharedContext } from "./context.ts";
import { tooDeep } from "./depth.ts";
import { faultOf } from "./fault.ts";
import { readArguments } from "./read-arguments.ts";
import { failure, noToolNamed, resultOf } from "./result.ts";
import { type Arguments, takeKindly } from "./schema.ts";
import { sendFault } from "./send-bounds.ts";
import type { Tool, ToolOutcome, ToolResult, WholeTool } from "./tool.ts";
import { wholeTool } from "./whole.ts";

/** A call that may run: its tool, its arguments as they will be taken, and the command, if it is one. */
export type Call = Readonly<{
  tool: WholeTool;
  args: Arguments;
  argv: readonly string[] | null;
}>;

/** How many times of a tool its usual one is taken from. */
const timesKept = 20;

type Options = { signal: AbortSignal };

export class ToolRegistry {
  readonly #tools = new Map<string, WholeTool>();
  readonly #times = new Map<string, number[]>();
  readonly #faults = new Map<string, string>();
  #context: SharedContext | null = null;

  /** Takes the place of a tool of the same name. Throws ReadableError "bad_tool" for what is none. */
  register(tool: Tool): void {
    const whole = wholeTool(tool);
    this.#tools.set(whole.name, whole);
    if (this.#context) this.#bind(whole, this.#context);
  }
  unregister(name: string): void {
    this.#tools.delete(name);
  }
  get(name: string): WholeTool | undefined {
    return this.#tools.get(name);
  }
  /** In the order of their registration. */
  list(): WholeTool[] {
    return [...this.#tools.values()];
  }

  /** Hands every tool its context, once; a tool registered later gets it then. */
  bindContext(context: SharedContext): void {
    this.#context = context;
    for (const tool of this.list()) this.#bind(tool, context);
  }

  /** What is wrong with arguments, "<param>: <what>", a missing required one too; null when they pass. */
  fault(name: string, args: Arguments): string | null {
    const tool = this.#tools.get(name);
    if (!tool) return noToolNamed(name);
    return faultOf(tool.parameters, takeKindly(tool.parameters, args), { missing: true });
  }

  /** A call as it would run, or the fault that the model reads. Text is JSON as a model wrote it. */
  take(name: string, given: Arguments | string): { call: Call } | { fault: ToolResult } {
    const out = (why: string) => ({ fault: resultOf(failure(why), 0) });
    const tool = this.#tools.get(name);
    if (!tool) return out(noToolNamed(name));
    const read = typeof given === "string" ? readArguments(given) : given;
    if (read === null) return out("arguments are not valid JSON");
    if (tooDeep(read)) return out("arguments are nested too deeply");
    const args = Object.freeze(takeKindly(tool.parameters, read));
    const sends = tool.effect === "send";
    const fault =
      faultOf(tool.parameters, args) ?? (sends ? sendFault(args, tool.parameters) : null);
    if (fault !== null) return out(fault);
    const seen = tool.made.preview?.(args);
    if (seen && "fault" in seen) return out(seen.fault);
    return { call: Object.freeze({ tool, args, argv: seen?.argv ?? null }) };
  }

  /**
   * Runs a call that was taken. Resolves with a frozen result, also for every fault; rejects only with
   * the signal's reason, and then at once, whatever the tool makes of it.
   */
  async run(call: Call, { signal }: Options): Promise<ToolResult> {
    const { name } = call.tool;
    const begun = performance.now();
    const outcome = await this.#outcome(call, signal);
    signal.throwIfAborted();
    const result = madeResult(outcome, performance.now() - begun);
    this.#faults.set(name, result.error);
    const times = this.#times.get(name) ?? [];
    times.push(result.latencyMs);
    this.#times.set(name, times.slice(-timesKept));
    return result;
  }

  /** Takes and runs. */
  async call(name: string, given: Arguments | string, options: Options): Promise<ToolResult> {
    const taken = this.take(name, given);
    return "fault" in taken ? taken.fault : this.run(taken.call, options);
  }

  /** Median of its last calls in milliseconds; null when there were none. */
  usualMs(name: string): number | null {
    const times = [...(this.#times.get(name) ?? [])].sort((one, other) => one - other);
    const middle = times[Math.floor(times.length / 2)];
    return middle === undefined ? null : Math.round(middle);
  }
  /** What its last call failed with, or "". */
  lastFault(name: string): string {
    return this.#faults.get(name) ?? "";
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.list().map(async ({ made }) => made.close?.()));
  }

  async #outcome({ tool, args }: Call, signal: AbortSignal): Promise<ToolOutcome> {
    signal.throwIfAborted();
    // It was taken before a person was asked: what they said yes to is what runs, or nothing.
    if (this.#tools.get(tool.name) !== tool) {
      const gone = this.#tools.has(tool.name) ? "has changed meanwhile" : "is gone";
      return failure(`${tool.name} ${gone}, so nothing was run`);
    }
    const { timeout } = tool.made;
    const ending = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<ToolOutcome>();
    const stop = () => {
      reject(signal.reason);
      ending.abort(signal.reason);
    };
    const giveUp = () => {
      resolve(failure("timed out"));
      ending.abort();
    };
    const timer = timeout === undefined ? undefined : setTimeout(giveUp, timeout * 1000);
    signal.addEventListener("abort", stop, { once: true });
    this.#called(tool, args, ending.signal).then(resolve, reject);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** A tool promises not to throw; whatever it throws, the daemon goes on and the model is told. */
  async #called(tool: WholeTool, args: Arguments, signal: AbortSignal): Promise<ToolOutcome> {
    try {
      const outcome: unknown = await tool.made.call({ ...args }, { signal });
      if (isOutcome(outcome)) return outcome;
      return failure(`${tool.name} returned no result with ok true or false`);
    } catch (thrown) {
      return failure(reason(thrown));
    }
  }

  #bind(tool: WholeTool, context: SharedContext): void {
    const failed = (thrown: unknown) => void this.#faults.set(tool.name, reason(thrown));
    try {
      // One that takes its time gets it; one that fails is called all the same, and says why then.
      Promise.resolve(tool.made.bindContext?.(contextFor(context, tool.configKey))).catch(failed);
    } catch (thrown) {
      failed(thrown);
    }
  }
}

/** What a tool returned may be beyond writing down: a circle, a number without end. */
function madeResult(outcome: ToolOutcome, latencyMs: number): ToolResult {
  try {
    return resultOf(outcome, latencyMs);
  } catch (thrown) {
    return resultOf(failure(reason(thrown)), latencyMs);
  }
}

const reason = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));

function isOutcome(value: unknown): value is ToolOutcome {
  return (
    typeof value === "object" && value !== null && "ok" in value && typeof value.ok === "boolean"
  );
}

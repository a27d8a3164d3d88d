// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools by name: finds one, checks its arguments, runs it, times it, and lets no fault out.
import type { ToolSchema } from "../message.ts";
import { faultOf } from "./fault.ts";
import { failure, resultOf } from "./result.ts";
import { type Arguments, takeKindly } from "./schema.ts";
import type { Tool, ToolOutcome, ToolResult } from "./tool.ts";

export class Registry {
  readonly #tools = new Map<string, Tool>();

  /** Takes the place of a tool of the same name. */
  register(tool: Tool): void {
    this.#tools.set(tool.name, tool);
  }
  unregister(name: string): void {
    this.#tools.delete(name);
  }
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }
  /** By name, so that the order is the same at every start. */
  list(): Tool[] {
    return [...this.#tools.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }
  /** As a chat request offers them. */
  schemas(): ToolSchema[] {
    return this.list().map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: { ...parameters },
    }));
  }

  /** What is wrong with arguments, "<param>: <what>", a missing required one too; null when they pass. */
  fault(name: string, args: Arguments): string | null {
    const tool = this.#tools.get(name);
    if (!tool) return `no tool named ${name}`;
    return faultOf(tool.parameters, takeKindly(tool.parameters, args), { missing: true });
  }

  /** Runs a tool. Resolves with a frozen result, also for every fault; rejects only with the signal's reason. */
  async call(
    name: string,
    args: Arguments,
    { signal }: { signal: AbortSignal },
  ): Promise<ToolResult> {
    const begun = performance.now();
    try {
      const outcome = await this.#run(name, args, signal);
      signal.throwIfAborted();
      return resultOf(outcome, performance.now() - begun);
    } catch (thrown) {
      signal.throwIfAborted();
      // A tool promises not to throw; whatever it is, the daemon goes on and the model is told.
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      return resultOf(failure(why), performance.now() - begun);
    }
  }

  /** The same with the JSON text that a model wrote. */
  async callByText(
    name: string,
    text: string,
    options: { signal: AbortSignal },
  ): Promise<ToolResult> {
    const args = parse(text);
    if (args === null) return resultOf(failure("arguments are not valid JSON"), 0);
    return this.call(name, args, options);
  }

  async close(): Promise<void> {
    await Promise.all(this.list().map((tool) => tool.close?.()));
  }

  async #run(name: string, args: Arguments, signal: AbortSignal): Promise<ToolOutcome> {
    const tool = this.#tools.get(name);
    if (!tool) return failure(`no tool named ${name}`);
    const taken = takeKindly(tool.parameters, args);
    const fault = faultOf(tool.parameters, taken);
    if (fault !== null) return failure(fault);
    return tool.call(taken, { signal });
  }
}

/** No arguments at all are none; null when the text is no JSON object. */
function parse(text: string): Arguments | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text, exact);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : value === null
        ? {}
        : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/**
 * An integer that would lose digits (an account, a parcel) and a number too large to be one stay the
 * text that the model wrote.
 */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  const lost =
    !Number.isFinite(value) || (/^-?\d+$/.test(context.source) && !Number.isSafeInteger(value));
  return lost ? context.source : value;
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Runs in a plugin's own process: loads the one file, and does what the daemon says with its tools.
import { realpathSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { ReadableError } from "../../errors.ts";
import type { Arguments } from "../schema.ts";
import { type Ask, contextOf } from "./host-context.ts";
import { factsOf, isMade, type Made, reason } from "./host-facts.ts";
import { faultOfLoad, lineIn } from "./host-fault.ts";
import { watchImports } from "./imports.ts";
import { isOrder, type Order, type Report } from "./message.ts";
import { written } from "./written.ts";

// Node names a file by its real path, in an error's stack too.
const path = realpathSync(process.argv[2] ?? "");
// It was for the start of this process; programs that the plugin starts have nothing to do with it.
delete process.env.NODE_COMPILE_CACHE;

const imports = watchImports(path);
const tools = new Map<string, Made>();
/** What the start of a tool still waits for; its calls come after it. */
const bound = new Map<string, Promise<void>>();
const calls = new Map<number, AbortController>();
const callOf = new WeakMap<AbortSignal, number>();
const asks = new Map<number, PromiseWithResolvers<unknown>>();
let count = 0;

const channel = process.send?.bind(process);
/** When the daemon is gone there is nobody to tell. */
const send = (report: Report, then: () => void = () => undefined) => void channel?.(report, then);

function broken(thrown: unknown): void {
  const fault = { message: reason(thrown), line: lineIn(thrown, path), hint: "" };
  send({ is: "broken", ...fault, imports: imports() }, () => process.exit(1));
}

async function load(): Promise<void> {
  try {
    // Plugins are the one thing whose name nobody can know before.
    const module: unknown = await import(pathToFileURL(path).href);
    const given: unknown = isMade(module) ? module.default : undefined;
    if (given === undefined) {
      const hint = "Write: export default { name, description, parameters, call }";
      throw new ReadableError("plugin", "it has no default export", { hint });
    }
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    for (const made of list)
      if (isMade(made) && typeof made.name === "string" && !tools.has(made.name))
        tools.set(made.name, made);
    send({ is: "loaded", tools: list.map(factsOf), imports: imports() });
  } catch (thrown) {
    const fault = faultOfLoad(thrown, path);
    send({ is: "broken", ...fault, imports: imports() }, () => process.exit(1));
  }
}

/** A tool's own method, run with the tool as `this`; what it has no such method for is none. */
async function run(tool: string, method: string, args: readonly unknown[]): Promise<unknown> {
  const made = tools.get(tool);
  if (!made) throw new Error(`there is no tool ${tool} in it any more`);
  const does = made[method];
  return typeof does === "function" ? await Reflect.apply(does, made, args) : undefined;
}

async function call(id: number, tool: string, args: Arguments): Promise<unknown> {
  const ending = new AbortController();
  calls.set(id, ending);
  callOf.set(ending.signal, id);
  try {
    await bound.get(tool);
    // An "abort" listener of the tool's would wait for ever.
    ending.signal.throwIfAborted();
    return await run(tool, "call", [args, { signal: ending.signal }]);
  } catch (thrown) {
    place(thrown);
    throw thrown;
  } finally {
    calls.delete(id);
  }
}

/** A start that fails is told in the log; the tool is called all the same. */
function bind(tool: string, context: Parameters<typeof contextOf>[0]): Promise<unknown> {
  const ask: Ask = (what, args, signal) => asked(tool, what, args, signal);
  const binding = run(tool, "bindContext", [contextOf(context, ask)]);
  bound.set(
    tool,
    binding.then(
      () => undefined,
      (thrown) => {
        console.error(`bindContext of ${tool} failed: ${reason(thrown)}`);
        place(thrown);
      },
    ),
  );
  return binding;
}

function asked(
  tool: string,
  what: Parameters<Ask>[0],
  args: unknown[],
  signal?: AbortSignal,
): Promise<unknown> {
  signal?.throwIfAborted();
  count += 1;
  const id = count;
  const waiting = Promise.withResolvers<unknown>();
  asks.set(id, waiting);
  const drop = () => {
    asks.delete(id);
    send({ is: "drop", id });
    waiting.reject(signal?.reason);
  };
  signal?.addEventListener("abort", drop, { once: true });
  const call = (signal && callOf.get(signal)) ?? null;
  send({ is: "ask", id, call, tool, what, args });
  return waiting.promise.finally(() => signal?.removeEventListener("abort", drop));
}

function settle(order: Extract<Order, { do: "answer" | "refuse" }>): void {
  const waiting = asks.get(order.id);
  asks.delete(order.id);
  if (order.do === "answer") waiting?.resolve(order.value);
  else waiting?.reject(new ReadableError(order.code, order.message));
}

async function answer(id: number, tool: string, doing: Promise<unknown>): Promise<void> {
  try {
    send({ is: "done", id, json: written(await doing, { tool, path }) });
  } catch (thrown) {
    send({ is: "failed", id, message: reason(thrown) });
  }
}

/** Where a fault of the plugin's own is, for the log; not its words, which may be the person's. */
function place(thrown: unknown): void {
  const line = lineIn(thrown, path);
  if (line !== null && thrown instanceof Error && thrown.name !== "AbortError")
    console.error(`${thrown.name} at line ${line}`);
}

function take(order: Order): void {
  if (order.do === "abort") calls.get(order.id)?.abort();
  else if (order.do === "answer" || order.do === "refuse") settle(order);
  else {
    const { id, tool } = order;
    if (order.do === "call") void answer(id, tool, call(id, tool, order.args));
    else if (order.do === "bind") void answer(id, tool, bind(tool, order.context));
    else void answer(id, tool, run(tool, "close", []));
  }
}

process.on("message", (message) => {
  if (isOrder(message)) take(message);
});
// Whoever ends what a dead daemon has started needs this process to find what it has started itself.
process.on("disconnect", () => setTimeout(() => process.exit(), 2000));
process.on("uncaughtException", broken);
await load();
// Otherwise done at an end, but this process is always killed. It saves 15 MB and half the start.
flushCompileCache();

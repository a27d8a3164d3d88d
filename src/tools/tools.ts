// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// All tools of the program: what its sources have right now, in one registry, with nobody's name twice.
import { ReadableError } from "../errors.ts";
import type { Notice, ServerItem, ToolItem } from "../message.ts";
import { nearest } from "../toml/nearest.ts";
import type { PluginTables } from "./built-in/settings.ts";
import type { SharedContext } from "./context.ts";
import { argumentHint, nameHint } from "./hint.ts";
import type { McpServers } from "./mcp/servers.ts";
import { type Call, ToolRegistry } from "./registry.ts";
import { failure, resultOf } from "./result.ts";
import type { Arguments } from "./schema.ts";
import type { Known, Source } from "./source.ts";
import type { Tool, ToolResult, WholeTool } from "./tool.ts";

type Options = { signal: AbortSignal };

export class Tools {
  readonly #registry = new ToolRegistry();
  readonly #sources: readonly Source[];
  readonly #servers: Pick<McpServers, "items" | "accept"> | null;
  readonly #onNotice: (notice: Notice) => void;
  /** The names of the [plugins.*] tables. */
  readonly #tables: readonly string[];
  /** What stands in the registry, by name, as its source made it. */
  #made = new Map<string, Tool>();
  #known: Known[] = [];
  /** Clashes that were told, so that each is told once. */
  #told = new Set<string>();

  /**
   * `sources` are in the order in which a prompt lists their tools. Of two tools of one name the one of
   * the person's own file counts, else the earlier one.
   */
  constructor(
    sources: readonly Source[],
    {
      servers = null,
      plugins = {},
      onNotice,
    }: {
      servers?: McpServers | null;
      /** The [plugins.*] tables; one that is nearly a tool's is told. */
      plugins?: PluginTables;
      onNotice: (notice: Notice) => void;
    },
  ) {
    this.#sources = sources;
    this.#servers = servers;
    this.#tables = Object.keys(plugins);
    this.#onNotice = onNotice;
    this.scan();
  }

  bindContext(context: SharedContext): void {
    this.#registry.bindContext(context);
  }

  /** Takes in what is new, changed or gone; cheap when nothing is. */
  scan(): void {
    const known = this.#sources.flatMap((source) => source.known());
    const chosen = new Map<string, Known>();
    const files = known.filter(({ source }) => source === "file" || source === "plugin");
    for (const one of [...files, ...known])
      if (one.tool && !chosen.has(one.tool.name)) chosen.set(one.tool.name, one);
    this.#known = known.map((one) => {
      const winner = one.tool && chosen.get(one.tool.name);
      return winner && winner !== one ? this.#hidden(one, winner) : one;
    });
    this.#take(this.#known);
  }

  /** Ready to be called, in the order in which a prompt lists them. */
  list(): WholeTool[] {
    this.scan();
    return this.#known.flatMap(({ tool }) => (tool && this.#registry.get(tool.name)) ?? []);
  }
  get(name: string): WholeTool | undefined {
    return this.#registry.get(name);
  }
  fault(name: string, args: Arguments): string | null {
    return this.#registry.fault(name, args);
  }
  /** See ToolRegistry. A tool that is gone fails at once. */
  take(name: string, given: Arguments | string): { call: Call } | { fault: ToolResult } {
    this.scan();
    const changed = this.#known.find((one) => one.name === name && one.state === "changed");
    if (changed && !changed.tool) {
      const why = `${name} is off until the person accepts it: ${changed.error}`;
      return { fault: resultOf(failure(why), 0) };
    }
    return this.#registry.take(name, given);
  }
  /** What a person who ran a tool by hand is told beside its result, or "". */
  hintFor(name: string, given: Arguments | string): string {
    const tool = this.#registry.get(name);
    if (tool) return typeof given === "string" ? "" : argumentHint(tool.parameters, given);
    const kept = this.#known.find((one) => one.name === name);
    if (kept) return `${name} is ${kept.state}. Type: desktop-assistant tools check`;
    return nameHint(
      name,
      this.#registry.list().map((one) => one.name),
    );
  }
  run(call: Call, options: Options): Promise<ToolResult> {
    this.scan();
    return this.#registry.run(call, options);
  }
  async call(name: string, given: Arguments | string, options: Options): Promise<ToolResult> {
    const taken = this.take(name, given);
    return "fault" in taken ? taken.fault : this.#registry.run(taken.call, options);
  }

  /** Every tool for a person, those that stayed out too. */
  items(): ToolItem[] {
    this.scan();
    return this.#known.map(({ tool, unable, ...known }) => {
      const fault = tool ? unable?.() : null;
      // It can be called all the same: the model is told why nothing ran.
      const { error, ...about } = fault
        ? { ...known, state: "broken" as const, error: fault.message, hint: fault.hint }
        : known;
      const whole = tool ? this.#registry.get(tool.name) : undefined;
      return {
        ...about,
        name: whole?.name ?? about.name,
        effect: whole?.effect ?? null,
        confirm: whole?.confirm ?? null,
        untrusted: whole?.untrusted ?? false,
        personal: whole?.personal ?? false,
        error: error || (whole ? this.#registry.lastFault(whole.name) : ""),
        announce: whole?.announce ?? {},
        usual_ms: whole ? this.#registry.usualMs(whole.name) : null,
        remarks: about.remarks ?? [],
      };
    });
  }

  /** The MCP servers for a person. */
  servers(): ServerItem[] {
    return this.#servers?.items() ?? [];
  }

  /** Throws ReadableError "no_tool" when there is no MCP tool or server of that name that has changed. */
  accept(name: string): void {
    if (!this.#servers?.accept(name)) {
      throw new ReadableError(
        "no_tool",
        `no tool of an MCP server waits to be accepted as ${name}`,
        {
          hint: "Type: desktop-assistant tools list",
        },
      );
    }
  }

  /** Looks at everything anew. */
  async check(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.check(signal)));
    this.#tellStrays();
  }

  /** Waits for what is still loading at a start, up to `ms` milliseconds. */
  async settled({ signal, ms = 1000 }: Options & { ms?: number }): Promise<void> {
    this.scan();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
    await Promise.race([promise, Promise.all(this.#sources.map((source) => source.settled()))]);
    clearTimeout(timer);
    this.#tellStrays();
  }

  async close(): Promise<void> {
    await this.#registry.close();
    await Promise.all(this.#sources.map((source) => source.close()));
  }

  /** Settings below a mistyped name would count for nothing, without a word. */
  #tellStrays(): void {
    const names = this.#known.flatMap(({ name, tool }) => [name, tool?.configKey ?? name]);
    for (const table of this.#tables) {
      const near = names.includes(table) ? null : nearest(table, names);
      const message = `config.toml: plugins.${table} belongs to no tool and counts for nothing`;
      if (near === null || this.#told.has(message)) continue;
      this.#told.add(message);
      this.#onNotice({ code: "plugins", message, hint: `Did you mean plugins.${near}?` });
    }
  }

  #hidden(one: Known, winner: Known): Known {
    const place = ({ source, from }: Known) => (source === "mcp" ? `the server ${from}` : from);
    const error = `${place(winner)} has the tool's name ${one.name} already`;
    const key = `${one.from} ${error}`;
    // A file that takes the place of a built-in tool does what its writer wants.
    if (one.source !== "built-in" && !this.#told.has(key))
      this.#onNotice({
        code: "tool_name",
        message: `${place(one)}: ${error}`,
        hint: "Give one of them another name.",
      });
    this.#told.add(key);
    return { ...one, state: one.source === "built-in" ? "off" : "broken", error, tool: null };
  }

  #take(known: readonly Known[]): void {
    const made = new Map<string, Tool>();
    for (const { tool } of known) if (tool) made.set(tool.name, tool);
    for (const name of this.#made.keys()) if (!made.has(name)) this.#registry.unregister(name);
    for (const [name, tool] of made)
      if (this.#made.get(name) !== tool) this.#registry.register(tool);
    this.#made = made;
  }
}

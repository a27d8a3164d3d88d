// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The source of MCP tools: all servers of config.toml, what they have, and what was accepted of it.
import type { Notice, ServerItem } from "../../message.ts";
import type { Known, Source } from "../source.ts";
import type { Tool } from "../tool.ts";
import { type Limits, type ServerConfig, usualLimits } from "./config.ts";
import { type Listed, sameMarks } from "./listed.ts";
import { toolName } from "./names.ts";
import type { Memory, Seen } from "./remembered.ts";
import { McpServer } from "./server.ts";
import { changeOf, isChanged } from "./shelve.ts";
import { Shelves } from "./shelves.ts";
import { checkHint, leftNotice, missingNotices, newsNotice } from "./told.ts";
import { mcpTool } from "./tool.ts";
import { Turnstile } from "./turnstile.ts";

type Options = {
  /** By name, in the order of the file. */
  servers: Readonly<Record<string, ServerConfig>>;
  /** What was learned of their tools, in the state file. */
  remembered: Memory;
  log: (line: string) => void;
  onNotice: (notice: Notice) => void;
  /** The tools, or their states, are others. */
  onChange: () => void;
  limits?: Partial<Limits>;
};

/** One tool of a server's, or what was to become one. */
type Entry = { server: string; name: string; full: string; seen: Seen | null; fault: string };

/** Starts every server in the background. Whoever makes it closes it. */
export class McpServers implements Source {
  readonly #options: Options;
  readonly #shelves: Shelves;
  readonly #servers = new Map<string, McpServer>();
  /** By server: tools of its last list that cannot be offered. */
  readonly #faulty = new Map<string, Listed[]>();
  /** By full name; the same object as long as it is the same tool. */
  readonly #tools = new Map<string, { tool: Tool; seen: Seen; server: string }>();
  readonly #told = new Set<string>();
  readonly #patient = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;
  #known: Known[] | null = null;

  constructor(options: Options) {
    this.#options = options;
    const { servers, remembered, log, onNotice } = options;
    this.#shelves = new Shelves(remembered, servers);
    const limits = { ...usualLimits, ...options.limits };
    const turnstile = new Turnstile();
    this.#timer = setTimeout(this.#patient.resolve, limits.patienceMs);
    for (const [name, config] of Object.entries(servers)) {
      const server = new McpServer({
        name,
        config,
        limits,
        turnstile,
        log,
        onList: (tools) => this.#take(name, config, tools),
        onState: (state) => {
          if (state === "failed") this.#shelves.failed(name, config);
          this.#changed();
        },
        onLeft: (why) => onNotice(leftNotice(name, why)),
      });
      this.#servers.set(name, server);
    }
  }

  known(): readonly Known[] {
    this.#known ??= this.#look();
    return this.#known;
  }

  items(): ServerItem[] {
    return [...this.#servers].map(([server, { state, error }]) => ({
      server,
      state,
      error,
      hint: state === "failed" ? checkHint : "",
      tools: this.#entries(server).length,
    }));
  }

  accept(name: string): boolean {
    let accepted = false;
    for (const server of this.#servers.keys()) {
      const meant = this.#shelves.of(server).filter((tool) => toolName(server, tool.name) === name);
      for (const tool of meant) accepted = this.#shelves.accept(server, tool.name) || accepted;
      if (server === name) accepted = this.#shelves.accept(server, null) || accepted;
    }
    if (accepted) this.#changed();
    return accepted;
  }

  async check(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.check(signal)));
  }

  /** Only a server that was never tried is worth waiting for: tools that are remembered are there. */
  async settled(): Promise<void> {
    const unknown = [...this.#servers].filter(([name]) => !this.#shelves.knows(name));
    const settled = Promise.all(unknown.map(([, server]) => server.settled()));
    await Promise.race([settled, this.#patient.promise]);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#patient.resolve();
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #take(name: string, config: ServerConfig, listed: readonly Listed[]): void {
    const wanted = (tool: Listed) => !config.tools || config.tools.includes(tool.name);
    this.#faulty.set(
      name,
      listed.filter((tool) => tool.fault !== "" && wanted(tool)),
    );
    const news = this.#shelves.take(name, config, listed);
    this.#changed();
    for (const one of news) this.#options.onNotice(newsNotice(name, one));
    for (const notice of missingNotices(name, config, listed)) {
      if (!this.#told.has(notice.message)) this.#options.onNotice(notice);
      this.#told.add(notice.message);
    }
  }

  #changed(): void {
    this.#known = null;
    this.#options.onChange();
  }

  /** By name, so that the prompt is the same whatever order a server lists them in. */
  #entries(server: string): Entry[] {
    const about = (name: string) => ({ server, name, full: toolName(server, name) });
    const seen = this.#shelves.of(server);
    const faulty = this.#faulty.get(server) ?? [];
    return [
      ...seen.map((tool) => ({ ...about(tool.name), seen: tool, fault: "" })),
      ...faulty.map(({ name, fault }) => ({ ...about(name), seen: null, fault })),
    ].sort((one, other) => (one.full < other.full ? -1 : 1));
  }

  #look(): Known[] {
    const entries = [...this.#servers.keys()].flatMap((server) => this.#entries(server));
    const offered = entries.filter(({ seen, server }) => seen && this.#state(server) !== "off");
    const namesakes = Map.groupBy(offered, ({ full }) => full);
    return entries.map((entry) => {
      const same = namesakes.get(entry.full) ?? [];
      return this.#knownOf(entry, same.length > 1 && same.includes(entry) ? same : []);
    });
  }

  #knownOf({ server, full, seen, fault }: Entry, namesakes: readonly Entry[]): Known {
    const error = this.#servers.get(server)?.error ?? "";
    const about = { name: full, source: "mcp", from: server, hint: "" } as const;
    const out = { ...about, description: seen?.description ?? "", error, tool: null };
    if (this.#state(server) === "off")
      return { ...out, state: "off", error: `the server ${server} is off (enabled = false)` };
    if (!seen) return { ...out, state: "broken", error: fault };
    if (namesakes.length > 0) {
      const all = namesakes.map((one) => `${one.name} of the server ${one.server}`).join(" and ");
      const hint = "Name one of the servers otherwise, or list the tools you want of it.";
      return { ...out, state: "broken", error: `${all} have the same name here`, hint };
    }
    if (isChanged(seen)) {
      const hint = `If that is right, type: desktop-assistant tools accept ${full}`;
      return { ...out, state: "changed", error: `${changeOf(seen)} changed`, hint };
    }
    const known = {
      ...about,
      description: seen.description,
      error,
      tool: this.#tool(server, seen),
    };
    const state = this.#state(server);
    if (state === "failed") return { ...known, state: "broken", hint: checkHint };
    return { ...known, state: state === "ready" ? "ready" : "starting" };
  }

  #state(server: string) {
    return this.#servers.get(server)?.state ?? "off";
  }

  #tool(configKey: string, seen: Seen): Tool {
    const name = toolName(configKey, seen.name);
    const known = this.#tools.get(name);
    const same = known?.server === configKey && known.seen.name === seen.name;
    if (known && same && sameMarks(known.seen.marks, seen.marks)) return known.tool;
    const server = this.#servers.get(configKey);
    const config = this.#options.servers[configKey];
    if (!server || !config) throw new Error(`no server ${configKey}`);
    const stands = () => {
      const now = this.#shelves.of(configKey).find((one) => one.name === seen.name);
      return now !== undefined && sameMarks(now.marks, seen.marks) && !isChanged(now);
    };
    const tool = mcpTool({ name, configKey, seen, config, server, stands });
    this.#tools.set(name, { tool, seen, server: configKey });
    return tool;
  }
}

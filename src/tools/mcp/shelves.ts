// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools of all servers as they are remembered: changed by lists and by the person, and written down.
import type { ServerConfig } from "./config.ts";
import type { Listed } from "./listed.ts";
import { fingerprintOf, type Memory, readMemory, type Shelf, writtenMemory } from "./remembered.ts";
import { isChanged, type News, shelve } from "./shelve.ts";

export class Shelves {
  readonly #memory: Memory;
  readonly #servers: Readonly<Record<string, ServerConfig>>;
  readonly #shelves = new Map<string, Shelf>();
  #written: string;

  /** What is remembered of a server counts as long as its command or address is the same. */
  constructor(memory: Memory, servers: Readonly<Record<string, ServerConfig>>) {
    this.#memory = memory;
    this.#servers = servers;
    const known = readMemory(memory.get());
    for (const [name, config] of Object.entries(servers)) {
      const shelf = known.get(name);
      if (shelf?.fingerprint === fingerprintOf(config)) this.#shelves.set(name, shelf);
    }
    this.#written = JSON.stringify(writtenMemory(this.#shelves));
  }

  /** What the server had last, of what the person wants of it. */
  of(server: string) {
    const wanted = this.#servers[server]?.tools ?? null;
    const tools = this.#shelves.get(server)?.tools ?? [];
    return tools.filter(({ present, name }) => present && (!wanted || wanted.includes(name)));
  }

  knows(server: string): boolean {
    return this.#shelves.has(server);
  }

  /** Its first attempt has failed. */
  failed(server: string, config: ServerConfig): void {
    if (this.#shelves.has(server)) return;
    this.#shelves.set(server, { fingerprint: fingerprintOf(config), listed: false, tools: [] });
    this.#write();
  }

  /** Takes a list in, and says what of it is news. */
  take(server: string, config: ServerConfig, listed: readonly Listed[]): News[] {
    const before = this.#shelves.get(server);
    const { shelf, news } = shelve({
      shelf: before?.listed ? before : null,
      fingerprint: fingerprintOf(config),
      listed,
      wanted: config.tools,
    });
    this.#shelves.set(server, shelf);
    this.#write();
    return news;
  }

  /** Takes a changed tool as it is now; null means all of the server's. False when none has changed. */
  accept(server: string, name: string | null): boolean {
    const shelf = this.#shelves.get(server);
    if (!shelf) return false;
    const meant = this.of(server).filter(
      (tool) => isChanged(tool) && (name ?? tool.name) === tool.name,
    );
    const tools = shelf.tools.map((tool) =>
      meant.includes(tool) ? { ...tool, accepted: tool.marks } : tool,
    );
    this.#shelves.set(server, { ...shelf, tools });
    this.#write();
    return meant.length > 0;
  }

  #write(): void {
    const value = writtenMemory(this.#shelves);
    const text = JSON.stringify(value);
    if (text === this.#written) return;
    this.#written = text;
    this.#memory.set(value);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools folder: its TOML files and plugins, taken in anew when something in it changes.
import { basename, join } from "node:path";
import type { Notice } from "../message.ts";
import { before } from "./before.ts";
import { type SeenFile, seeFile } from "./file.ts";
import { FolderWatch } from "./folder-watch.ts";
import { isPlugin, isProgram, stemOf } from "./plugin/names.ts";
import { PluginFile } from "./plugin/reload.ts";
import type { Known, Source } from "./source.ts";
import { tomlFile } from "./toml-file.ts";
import type { Tool } from "./tool.ts";

type Environment = Record<string, string | undefined>;

/** One file and what came of it. */
type Entry = {
  seen: SeenFile;
  plugin: PluginFile | null;
  known(): readonly Known[];
};

type Options = {
  folder: string;
  /** The environment of what the tools run. */
  env: Environment;
  onNotice: (notice: Notice) => void;
  /** Something in the folder may have changed, or a plugin has been loaded. */
  onChange: () => void;
  /** What plugins print. */
  log?: (text: string) => void;
  /** Milliseconds that a plugin may take to load. */
  loadMs?: number;
};

/** The tools of a folder that need not exist yet; faults of its files are told by `onNotice`. */
export class ToolsFolder implements Source {
  readonly #options: Options;
  readonly #watch: FolderWatch;
  /** By file name, in order. */
  #files = new Map<string, Entry>();
  /** Every plugin whose process may live, also of files that are gone. */
  readonly #plugins = new Set<PluginFile>();
  /** Tools whose name another file has taken, and that file, as it was told. */
  #hidden = new Map<Tool, string>();
  #known: Known[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#watch = new FolderWatch(options);
    this.scan();
  }

  /** Takes in what is new, changed or gone. Cheap when nothing is: one look at the folder and each file. */
  scan(): void {
    const before = this.#files;
    const files = new Map<string, Entry>();
    const all = this.#watch.names();
    const names = new Set(all);
    for (const name of all) {
      const toml = name.endsWith(".toml") && !name.startsWith(".");
      if (!toml && !isPlugin(name, names)) continue;
      const path = join(this.#options.folder, name);
      const known = before.get(name);
      const seen = seeFile(path, known?.seen);
      if (known?.seen === seen && !known.plugin?.stale) files.set(name, known);
      else if (toml) files.set(name, this.#toml(path, seen));
      else files.set(name, this.#plugin(path, seen, known?.plugin ?? null));
    }
    for (const [name, { plugin }] of before)
      if (plugin && files.get(name)?.plugin !== plugin) this.#remove(plugin);
    this.#files = files;
    this.#choose();
  }

  /** As they are on disk now, so that what is asked of a tool holds for the call that follows. */
  known(): readonly Known[] {
    this.scan();
    return this.#known;
  }

  async check(signal: AbortSignal): Promise<void> {
    this.scan();
    // What kept a plugin out may lie elsewhere: a package that has been installed since.
    for (const { seen, plugin } of this.#files.values())
      if (plugin?.broken && seen.text !== null) plugin.renew(seen.text);
    await before(this.settled(), signal);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#plugins].map((plugin) => plugin.settled()));
  }

  async close(): Promise<void> {
    this.#watch.close();
    await Promise.all([...this.#plugins].map((plugin) => plugin.close()));
  }

  #toml(path: string, seen: SeenFile): Entry {
    const { known, notices } = tomlFile(path, seen, this.#options.env);
    for (const notice of notices) this.#options.onNotice(notice);
    return { seen, plugin: null, known: () => [known] };
  }

  #plugin(path: string, seen: SeenFile, before: PluginFile | null): Entry {
    const { text, fault } = seen;
    if (text === null) {
      if (!fault) return { seen, plugin: null, known: () => [] };
      this.#options.onNotice(fault);
      return { seen, plugin: null, known: () => [outOf(path, fault)] };
    }
    if (isProgram(text)) return { seen, plugin: null, known: () => [] };
    const plugin = before ?? this.#newPlugin(path);
    plugin.renew(text);
    return { seen, plugin, known: () => plugin.known() };
  }

  #newPlugin(path: string): PluginFile {
    const { env, log = () => undefined, loadMs, onNotice, onChange } = this.#options;
    const plugin = new PluginFile({
      path,
      env,
      log,
      ...(loadMs !== undefined && { loadMs }),
      onLoaded: (left) => {
        for (const { code, message, hint } of left) onNotice({ code, message, hint });
        onChange();
      },
    });
    this.#plugins.add(plugin);
    return plugin;
  }

  #remove(plugin: PluginFile): void {
    void plugin.remove().finally(() => this.#plugins.delete(plugin));
  }

  /** Of several files for one name the first in order wins, whichever came first. */
  #choose(): void {
    const chosen = new Map<string, string>();
    const hidden = new Map<Tool, string>();
    const known: Known[] = [];
    const loading = [...this.#files.values()].some(({ plugin }) => plugin?.loading);
    for (const [file, entry] of this.#files) {
      for (const one of entry.known()) {
        const winner = one.tool ? chosen.get(one.tool.name) : undefined;
        if (one.tool && winner === undefined) chosen.set(one.tool.name, file);
        if (!one.tool || winner === undefined) {
          known.push(one);
          continue;
        }
        const told = this.#hidden.get(one.tool) === winner;
        // What still loads may yet take the name.
        if (!told && !loading) this.#tellHidden(file, winner, one.name);
        if (told || !loading) hidden.set(one.tool, winner);
        known.push({
          ...one,
          state: "broken",
          error: `${file}: ${winner} has its name`,
          tool: null,
        });
      }
    }
    this.#hidden = hidden;
    this.#known = known;
  }

  #tellHidden(file: string, winner: string, name: string): void {
    this.#options.onNotice({
      code: "tool_file",
      message: `${join(this.#options.folder, file)}: ${winner} has the tool's name ${name} already`,
      hint: "Give one of the files another name.",
    });
  }
}

const outOf = (path: string, { message: error, hint }: Notice): Known => ({
  name: stemOf(basename(path)),
  description: "",
  source: "plugin",
  from: path,
  state: "broken",
  error,
  hint,
  tool: null,
});

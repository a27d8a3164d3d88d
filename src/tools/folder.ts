// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools folder: read, watched, and taken in anew when something in it changes.
import { type FSWatcher, readdirSync, type Stats, statSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { systemCode, systemReason } from "../errors.ts";
import type { Notice } from "../message.ts";
import { othersCanWrite, privateHint } from "./access.ts";
import { readToolFile, type ToolFile } from "./file.ts";
import type { Known, Source } from "./source.ts";

/** Milliseconds; one save of an editor is several changes, and the first may be an empty file. */
const oneSave = 50;

/** The tools of a folder that need not exist yet; faults of its files are told by `onNotice`. */
export class ToolsFolder implements Source {
  readonly #folder: string;
  readonly #env: Record<string, string | undefined>;
  readonly #onNotice: (notice: Notice) => void;
  readonly #onChange: () => void;
  /** By file name, in order. */
  #files = new Map<string, ToolFile>();
  /** Files whose tool's name another file has taken, and that file. */
  #hidden = new Map<ToolFile, string>();
  #known: Known[] = [];
  #folderFault = "";
  #watcher: FSWatcher | null = null;
  /** Which folder is watched: another one may take its path. */
  #watched = "";
  #timer: NodeJS.Timeout | null = null;

  constructor(options: {
    folder: string;
    env: Record<string, string | undefined>;
    onNotice: (notice: Notice) => void;
    /** Something in the folder may have changed. */
    onChange: () => void;
  }) {
    this.#folder = options.folder;
    this.#env = options.env;
    this.#onNotice = options.onNotice;
    this.#onChange = options.onChange;
    this.scan();
  }

  /** Takes in what is new, changed or gone. Cheap when nothing is: one look at the folder and each file. */
  scan(): void {
    const before = this.#files;
    const files = new Map<string, ToolFile>();
    for (const name of this.#names()) {
      const known = before.get(name);
      const file = readToolFile(join(this.#folder, name), this.#env, known);
      files.set(name, file);
      if (file !== known) for (const notice of file.notices) this.#onNotice(notice);
    }
    this.#files = files;
    this.#choose();
  }

  /** As they are on disk now, so that what is asked of a tool holds for the call that follows. */
  known(): readonly Known[] {
    this.scan();
    return this.#known;
  }

  async check(): Promise<void> {
    this.scan();
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#unwatch();
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** Of several files for one name the first in order wins, whichever came first. */
  #choose(): void {
    const chosen = new Map<string, string>();
    const hidden = new Map<ToolFile, string>();
    const known: Known[] = [];
    for (const [name, file] of this.#files) {
      const path = join(this.#folder, name);
      const { tool, notices } = file;
      const about = { source: "file", from: path, hint: "" } as const;
      if (!tool) {
        const { message: error, hint } = notices[0] ?? { message: "it cannot be read", hint: "" };
        const stem = basename(name, ".toml");
        known.push({ ...about, name: stem, description: "", state: "broken", error, hint, tool });
        continue;
      }
      const winner = chosen.get(tool.name);
      const { description } = tool;
      if (winner === undefined) {
        chosen.set(tool.name, name);
        known.push({ ...about, name: tool.name, description, state: "ready", error: "", tool });
        continue;
      }
      hidden.set(file, winner);
      if (this.#hidden.get(file) !== winner) this.#tellHidden(name, winner, tool.name);
      const error = `${winner} has its name`;
      known.push({ ...about, name: tool.name, description, state: "broken", error, tool: null });
    }
    this.#hidden = hidden;
    this.#known = known;
  }

  #tellHidden(file: string, winner: string, name: string): void {
    this.#onNotice({
      code: "tool_file",
      message: `${join(this.#folder, file)}: ${winner} has the tool's name ${name} already`,
      hint: "Give one of the files another name.",
    });
  }

  /** Names of the TOML files, sorted; none when the folder is missing or not safe to read tools from. */
  #names(): string[] {
    try {
      const seen = statSync(this.#folder, { throwIfNoEntry: false });
      if (!seen?.isDirectory()) {
        this.#unwatch();
        return [];
      }
      this.#watch(seen);
      if (othersCanWrite(seen)) {
        return this.#refuseFolder(
          `${this.#folder}: others can write to this folder, so no tool is read from it`,
          privateHint(this.#folder, seen),
        );
      }
      const names = readdirSync(this.#folder).filter(
        (name) => name.endsWith(".toml") && !name.startsWith("."),
      );
      this.#folderFault = "";
      return names.sort();
    } catch (cause) {
      const code = systemCode(cause);
      if (code === "") throw cause;
      return this.#refuseFolder(
        `${this.#folder} cannot be read: ${systemReason(code) ?? code}`,
        "",
      );
    }
  }

  #refuseFolder(message: string, hint: string): string[] {
    if (message !== this.#folderFault) this.#onNotice({ code: "tools_folder", message, hint });
    this.#folderFault = message;
    return [];
  }

  /** Without a watch (the system has no more of them), changes are still seen at the next conversation. */
  #watch({ dev, ino, birthtimeMs }: Stats): void {
    const place = `${dev} ${ino} ${birthtimeMs}`;
    if (this.#watcher && this.#watched === place) return;
    this.#unwatch();
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => this.#soon());
    } catch (cause) {
      if (systemCode(cause) === "") throw cause;
      return;
    }
    this.#watcher.on("error", () => this.#unwatch());
    this.#watched = place;
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#onChange();
    }, oneSave).unref();
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools folder: read, watched, and taken in anew when something in it changes.
import { type FSWatcher, readdirSync, type Stats, statSync, watch } from "node:fs";
import { join } from "node:path";
import { systemCode, systemReason } from "../errors.ts";
import type { Notice, ToolSchema } from "../message.ts";
import { othersCanWrite, privateHint } from "./access.ts";
import { readToolFile, type ToolFile } from "./file.ts";
import { Registry } from "./registry.ts";
import type { Arguments } from "./schema.ts";
import type { Tool, ToolResult } from "./tool.ts";

/** Milliseconds; one save of an editor is several changes, and the first may be an empty file. */
const oneSave = 50;

/** Environment for the tools: the daemon's own without the model server's key, and [env] of config.toml. */
function toolEnvironment(env: Record<string, string>): Record<string, string | undefined> {
  const { DESKTOP_ASSISTANT_API_KEY: _, NODE_COMPILE_CACHE: __, ...own } = process.env;
  return { ...own, ...env };
}

/** The tools of a folder that need not exist yet; faults of its files are told by `onNotice`. */
export class Tools {
  readonly #registry = new Registry();
  readonly #folder: string;
  readonly #env: Record<string, string | undefined>;
  readonly #onNotice: (notice: Notice) => void;
  /** By file name, in order. */
  #files = new Map<string, ToolFile>();
  /** Files whose tool's name another file has taken, and that file. */
  #hidden = new Map<ToolFile, string>();
  #folderFault = "";
  #watcher: FSWatcher | null = null;
  /** Which folder is watched: another one may take its path. */
  #watched = "";
  #timer: NodeJS.Timeout | null = null;

  constructor(options: {
    folder: string;
    env: Record<string, string>;
    onNotice: (notice: Notice) => void;
  }) {
    this.#folder = options.folder;
    this.#env = toolEnvironment(options.env);
    this.#onNotice = options.onNotice;
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
  list(): Tool[] {
    this.scan();
    return this.#registry.list();
  }
  schemas(): ToolSchema[] {
    return this.#registry.schemas();
  }
  fault(name: string, args: Arguments): string | null {
    return this.#registry.fault(name, args);
  }
  /** A tool whose file is gone fails at once. */
  callByText(name: string, text: string, options: { signal: AbortSignal }): Promise<ToolResult> {
    this.scan();
    return this.#registry.callByText(name, text, options);
  }

  async close(): Promise<void> {
    this.#unwatch();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#registry.close();
  }

  /** Of several files for one name the first in order wins, whichever came first. */
  #choose(): void {
    const chosen = new Map<string, { file: string; tool: Tool }>();
    const hidden = new Map<ToolFile, string>();
    for (const [name, file] of this.#files) {
      const { tool } = file;
      if (!tool) continue;
      const winner = chosen.get(tool.name);
      if (!winner) chosen.set(tool.name, { file: name, tool });
      else {
        hidden.set(file, winner.file);
        if (this.#hidden.get(file) !== winner.file) this.#tellHidden(name, winner.file, tool.name);
      }
    }
    this.#hidden = hidden;
    for (const tool of this.#registry.list())
      if (chosen.get(tool.name)?.tool !== tool) this.#registry.unregister(tool.name);
    for (const { tool } of chosen.values()) this.#registry.register(tool);
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
      this.scan();
    }, oneSave).unref();
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }
}

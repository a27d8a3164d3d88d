// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The tools folder: read, watched, and taken in anew when something in it changes.
import { type FSWatcher, readdirSync, readFileSync, type Stats, statSync, watch } from "node:fs";
import { join } from "node:path";
import { ReadableError, systemCode } from "../errors.ts";
import type { Notice, ToolSchema } from "../message.ts";
import { Registry } from "./registry.ts";
import type { Arguments } from "./schema.ts";
import { tomlTool } from "./toml-tool.ts";
import type { Tool, ToolResult } from "./tool.ts";

/** Environment for the tools: the daemon's own without the model server's key, and [env] of config.toml. */
function toolEnvironment(env: Record<string, string>): Record<string, string | undefined> {
  const { DESKTOP_ASSISTANT_API_KEY: _, NODE_COMPILE_CACHE: __, ...own } = process.env;
  return { ...own, ...env };
}

/** Group-writable is private only where the group is the user's own, by the usual convention gid = uid. */
function othersCanWrite({ mode, gid, uid }: Stats): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
}

/** What is there, or undefined when it is not (any more). */
function look(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

type File = { signature: string; name: string | null };

/** The tools of a folder that need not exist yet; faults of its files are told by `onNotice`. */
export class Tools {
  readonly #registry = new Registry();
  readonly #folder: string;
  readonly #env: Record<string, string | undefined>;
  readonly #onNotice: (notice: Notice) => void;
  /** By file name: what it was when it was read, and the tool that it made. */
  readonly #files = new Map<string, File>();
  #watcher: FSWatcher | null = null;
  #folderFault = "";

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
    const names = this.#names();
    for (const [file, { name }] of this.#files) {
      if (names.includes(file)) continue;
      this.#files.delete(file);
      if (name !== null) this.#registry.unregister(name);
    }
    for (const name of names) this.#take(name);
  }

  list(): Tool[] {
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
    this.#watcher?.close();
    await this.#registry.close();
  }

  /** Names of the TOML files, sorted; none when the folder is missing or not safe to read tools from. */
  #names(): string[] {
    try {
      const seen = look(this.#folder);
      if (!seen?.isDirectory()) return this.#unwatch();
      if (othersCanWrite(seen)) {
        return this.#refuseFolder(
          `${this.#folder}: others can write to this folder, so no tool is read from it`,
          `Type: chmod go-w ${this.#folder}`,
        );
      }
      this.#watch();
      const names = readdirSync(this.#folder).filter(
        (name) => name.endsWith(".toml") && !name.startsWith("."),
      );
      this.#folderFault = "";
      return names.sort();
    } catch (cause) {
      if (systemCode(cause) === "") throw cause;
      return this.#refuseFolder(`${this.#folder} cannot be read: ${systemCode(cause)}`, "");
    }
  }

  #refuseFolder(message: string, hint: string): string[] {
    if (message !== this.#folderFault) this.#onNotice({ code: "tools_folder", message, hint });
    this.#folderFault = message;
    return [];
  }

  #take(file: string): void {
    const path = join(this.#folder, file);
    const known = this.#files.get(file);
    try {
      const seen = look(path);
      const signature = seen ? `${seen.ino} ${seen.size} ${seen.mtimeMs} ${seen.ctimeMs}` : "gone";
      if (known?.signature === signature) return;
      if (known?.name != null) this.#registry.unregister(known.name);
      this.#files.set(file, { signature, name: null });
      if (!seen) return;
      if (othersCanWrite(seen)) {
        throw new ReadableError(
          "tool_file",
          `${path}: others can write to this file, so the tool is left out`,
          {
            hint: `Type: chmod go-w ${path}`,
          },
        );
      }
      const { tool, notices } = tomlTool(path, readFileSync(path, "utf8"), this.#env);
      if (this.#registry.get(tool.name)) {
        throw new ReadableError(
          "tool_file",
          `${path}: there is a tool named ${tool.name} already`,
          { hint: "Give one of the files another name." },
        );
      }
      this.#registry.register(tool);
      this.#files.set(file, { signature, name: tool.name });
      for (const notice of notices) this.#onNotice(notice);
    } catch (thrown) {
      this.#leaveOut(path, thrown);
    }
  }

  /** One bad file never hides a good one. */
  #leaveOut(path: string, thrown: unknown): void {
    if (thrown instanceof ReadableError) {
      this.#onNotice({ code: thrown.code, message: thrown.message, hint: thrown.hint });
      return;
    }
    if (systemCode(thrown) === "") throw thrown;
    this.#onNotice({
      code: "tool_file",
      message: `${path} cannot be read: ${systemCode(thrown)}`,
      hint: "",
    });
  }

  #watch(): void {
    if (this.#watcher) return;
    this.#watcher = watch(this.#folder, { persistent: false }, () => this.scan());
    // Without a watch, changes are still seen at the next conversation.
    this.#watcher.on("error", () => this.#unwatch());
  }

  #unwatch(): string[] {
    this.#watcher?.close();
    this.#watcher = null;
    return [];
  }
}

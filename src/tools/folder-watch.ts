// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The names in the tools folder, and a word when something in it changes.
import { type FSWatcher, readdirSync, type Stats, statSync, watch } from "node:fs";
import { systemCode, systemReason } from "../errors.ts";
import type { Notice } from "../message.ts";
import { othersCanWrite, privateHint } from "./access.ts";

/** Milliseconds; one save of an editor is several changes, and the first may be an empty file. */
const oneSave = 50;

export class FolderWatch {
  readonly #folder: string;
  readonly #onNotice: (notice: Notice) => void;
  readonly #onChange: () => void;
  #folderFault = "";
  #watcher: FSWatcher | null = null;
  /** Which folder is watched: another one may take its path. */
  #watched = "";
  #timer: NodeJS.Timeout | null = null;

  constructor(options: {
    folder: string;
    onNotice: (notice: Notice) => void;
    onChange: () => void;
  }) {
    this.#folder = options.folder;
    this.#onNotice = options.onNotice;
    this.#onChange = options.onChange;
  }

  /** Sorted; none when the folder is missing or not safe to read tools from. */
  names(): string[] {
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
      const names = readdirSync(this.#folder);
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

  close(): void {
    this.#unwatch();
    if (this.#timer) clearTimeout(this.#timer);
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

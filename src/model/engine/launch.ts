// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One program with one model, ready to be started again and again: each start has its port and its slot.
import { systemCode } from "../../errors.ts";
import type { EngineSlot } from "../embedded.ts";
import { type Abilities, abilitiesOf } from "./abilities.ts";
import { makePrivate } from "./beginning.ts";
import { commandFor, type EngineSettings, formOf, freePort } from "./command.ts";
import type { Machine } from "./machine.ts";
import type { Program } from "./program.ts";
import { Slot } from "./slot.ts";
import type { Speeds } from "./speed.ts";
import type { StoredModel } from "./store.ts";

/** Where the engine answers now; a later start has another address. */
export type EnginePlace = { url: string; apiKey: string; model: string; slot: EngineSlot };

export type LauncherOptions = {
  program: Program;
  model: StoredModel;
  settings: EngineSettings;
  machine: Machine;
  apiKey: string;
  env: NodeJS.ProcessEnv;
  /** Where what the engine has read is kept over restarts; null: nowhere. */
  cache: string | null;
  speeds: Speeds;
  signal: AbortSignal;
  log: (line: string) => void;
  onBug: (thrown: unknown) => void;
};

export class Launcher {
  readonly #options: LauncherOptions;
  #place: EnginePlace | null = null;
  #abilities: Promise<Abilities> | null = null;

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  /** Of the last start. */
  get place(): EnginePlace {
    if (this.#place) return this.#place;
    throw new Error("the engine has not been started");
  }

  async launch(): Promise<{ argv: string[]; env: NodeJS.ProcessEnv }> {
    const { program, model, apiKey, speeds, env, signal, log, onBug } = this.#options;
    this.#abilities ??= abilitiesOf(program, { env, signal });
    const { slotFiles, memory } = await this.#abilities;
    const folder = slotFiles ? await this.#folder() : null;
    const port = await freePort();
    const speed = speeds.of(model.name);
    const command = commandFor({ ...this.#options, speed, slots: folder, port });
    const url = `http://127.0.0.1:${port}`;
    const files = [program.path, model.path];
    const form = formOf(command.argv);
    const about = { url, apiKey, model: model.name, folder, memory, files, form };
    const slot = new Slot({ ...about, speeds, log, onBug });
    this.#place = { url: `${url}/v1`, apiKey, model: model.name, slot };
    return command;
  }

  /** The program does not start with a folder that is not there. */
  async #folder(): Promise<string | null> {
    const { cache, log } = this.#options;
    if (cache === null) return null;
    try {
      await makePrivate(cache);
      return cache;
    } catch (fault) {
      if (systemCode(fault) === "" || !(fault instanceof Error)) throw fault;
      log(`engine: what it has read is not kept over a restart: ${fault.message}`);
      return null;
    }
  }
}

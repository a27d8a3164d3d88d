// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Sees to it that program and model are on disk: what is missing is fetched as a job, once.

import { sizeText } from "../../download/disk.ts";
import { ReadableError } from "../../errors.ts";
import type { Notice } from "../../message.ts";
import { type CatalogModel, withoutHub } from "./catalog.ts";
import type { Jobs, Started } from "./jobs.ts";
import type { Machine } from "./machine.ts";
import { fetchProgram, findProgram, type Program, type ProgramSource } from "./program.ts";
import type { Store, StoredModel } from "./store.ts";
import { fetchModel } from "./weights.ts";

export type SupplyOptions = {
  store: Store;
  jobs: Jobs;
  command: string | null;
  /** Of the fetched program. */
  folder: string;
  env: NodeJS.ProcessEnv;
  hub: string;
  releases: string;
  programs: readonly ProgramSource[];
  onNotice: (notice: Notice) => void;
};

/** Follows a job; its fault is thrown here. */
async function finish({ end }: Started): Promise<void> {
  const fault = await end;
  if (fault !== null) throw fault;
}

export class Supply {
  readonly #options: SupplyOptions;
  /** Fetches under way, by model name. */
  readonly #fetching = new Map<string, Started>();
  #engine: Started | null = null;
  #told = "";

  constructor(options: SupplyOptions) {
    this.#options = options;
  }

  /** The program on disk, or null. Throws ReadableError "engine_command". */
  program(): Program | null {
    const { command, env, folder } = this.#options;
    return findProgram({ command, env, folder });
  }

  /** The model that would be started now, or null when it has to be fetched first. */
  model(wanted: string | null, machine: Machine | null): StoredModel | null {
    const { store } = this.#options;
    if (wanted !== null) {
      const found = store.find(wanted);
      if (found !== null || store.known(wanted)) return found;
    }
    return store.best(machine);
  }

  /** Starts the download of one catalog model, or joins the one that runs. */
  fetch(model: CatalogModel): Started {
    const running = this.#fetching.get(model.name);
    if (running) return running;
    const { store, jobs, hub, env } = this.#options;
    const to = store.pathOf(model.name);
    const started = jobs.start({
      kind: "model",
      what: `${model.name} (${sizeText(model.size)}, ${model.licence})`,
      work: async ({ signal, progress }) => {
        try {
          await fetchModel({ model, to, hub, env, signal, onProgress: progress });
        } finally {
          this.#fetching.delete(model.name);
        }
      },
    });
    this.#fetching.set(model.name, started);
    return started;
  }

  fetching(name: string): boolean {
    return this.#fetching.has(name);
  }

  /** Resolves with a program that runs; rejects with what its job failed with. */
  async needProgram(machine: Machine): Promise<Program> {
    const found = this.program();
    if (found) return found;
    const { jobs, folder, releases, programs: sources, env } = this.#options;
    this.#engine ??= jobs.start({
      kind: "engine",
      what: "the engine (llama-server)",
      work: async ({ signal, progress: onProgress }) => {
        try {
          await fetchProgram({ folder, releases, sources, machine, env, signal, onProgress });
        } finally {
          this.#engine = null;
        }
      },
    });
    await finish(this.#engine);
    const fetched = this.program();
    if (fetched) return fetched;
    throw new Error("the fetched engine is not in its folder");
  }

  /** The model that has to be fetched before anything can answer; null when one is on disk. */
  toFetch(wanted: string | null, machine: Machine): CatalogModel | null {
    const { store } = this.#options;
    if (this.model(wanted, machine)) return null;
    return (wanted === null ? undefined : store.known(wanted)) ?? store.toFetch(machine);
  }

  /** Resolves with a model file; rejects with what its job failed with. */
  async needModel(wanted: string | null, machine: Machine): Promise<StoredModel> {
    const { store } = this.#options;
    const found = this.model(wanted, machine);
    const strange = wanted !== null && !store.find(wanted) && !store.known(wanted);
    const named = wanted === null ? undefined : store.known(wanted);
    const choice = named ?? store.toFetch(machine);
    const name = found?.name ?? choice.name;
    if (strange) {
      this.#tell({
        code: "other_model",
        message: `The engine has no model ${wanted}; ${name} answers.`,
        hint: `Type: desktop-assistant model list`,
      });
    }
    if (found) return found;
    try {
      await finish(this.fetch(choice));
    } catch (fault) {
      const spare = withoutHub(store.catalog);
      const reach = fault instanceof ReadableError && fault.code !== "cancelled";
      if (!reach || fault.code === "disk_full" || named || !spare || spare === choice) throw fault;
      this.#tell({
        code: "smaller_model",
        message: `${fault.message}. The smaller ${spare.name} is fetched instead.`,
        hint: `Later, type: desktop-assistant model fetch ${choice.name}`,
      });
      await finish(this.fetch(spare));
      return this.#stored(spare.name);
    }
    return this.#stored(choice.name);
  }

  #stored(name: string): StoredModel {
    const found = this.#options.store.find(name);
    if (found) return found;
    throw new ReadableError("not_fetched", `the file of ${name} is gone`);
  }

  /** The same words once in a row are enough. */
  #tell(notice: Notice): void {
    if (notice.message === this.#told) return;
    this.#told = notice.message;
    this.#options.onNotice(notice);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The embedded engine: a llama-server of our own with one model, fetched, started, watched and ended.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ReadableError } from "../../errors.ts";
import type { Job, Notice } from "../../message.ts";
import { ManagedServer, type ServerState } from "../../process/server.ts";
import type { Engine as Embedded, EngineModel, EngineState } from "../embedded.ts";
import { inMemory, type Learned } from "../learned.ts";
import { untilAborted } from "../patience.ts";
import { type CatalogModel, catalog } from "./catalog.ts";
import { type EngineSettings, healthOf } from "./command.ts";
import { Jobs } from "./jobs.ts";
import { type EnginePlace, Launcher } from "./launch.ts";
import { type Machine, readMachine } from "./machine.ts";
import { type Program, type ProgramSource, programSources } from "./program.ts";
import { Speeds } from "./speed.ts";
import { Store, type StoredModel } from "./store.ts";
import { Supply } from "./supply.ts";

export type EngineOptions = {
  config: EngineSettings;
  /** The data folder: engine/ and models/ are in it. */
  folder: string;
  /** A folder for what the engine has read; absent: it is not kept over a restart. */
  cache?: string;
  /** How fast models were seen to read; absent: not kept over restarts. */
  speeds?: Learned;
  env: NodeJS.ProcessEnv;
  /** The configured model. */
  wanted: string | null;
  /** The person's last pick, kept over restarts; it counts while none is configured and its file is here. */
  picked?: { readonly model: string | null; set(model: string): void };
  onJob: (job: Job) => void;
  onNotice: (notice: Notice) => void;
  onState?: (state: EngineState) => void;
  log?: (line: string) => void;
  /** Gets what is thrown by a fault of ours. */
  onBug?: (thrown: unknown) => void;
  /** Elsewhere than the real ones, for tests. */
  sources?: {
    hub?: string;
    releases?: string;
    models?: readonly CatalogModel[];
    programs?: readonly ProgramSource[];
    machine?: Machine;
    pauses?: readonly number[];
  };
};

type Current = { model: string; server: ManagedServer; place: () => EnginePlace };

export class Engine implements Embedded {
  readonly #options: EngineOptions;
  readonly #store: Store;
  readonly #jobs: Jobs;
  readonly #supply: Supply;
  readonly #speeds: Speeds;
  readonly #onBug: (thrown: unknown) => void;
  readonly #closing = new AbortController();
  #wanted: string | null;
  #state: EngineState = "absent";
  #machine: Promise<Machine> | null = null;
  #preparing: Promise<Current> | null = null;
  #current: Current | null = null;
  /** Resolves at the next pick: who waits for the model before it turns to the new one. */
  #picked = Promise.withResolvers<null>();

  constructor(options: EngineOptions) {
    const { folder, env, config, onJob, onNotice, sources = {} } = options;
    this.#options = options;
    this.#store = new Store(join(folder, "models"), sources.models ?? catalog);
    const picked = options.picked?.model ?? null;
    this.#wanted = options.wanted ?? (picked !== null && this.#store.find(picked) ? picked : null);
    this.#speeds = new Speeds(options.speeds ?? inMemory());
    this.#onBug = options.onBug ?? ((thrown) => console.error(thrown));
    this.#jobs = new Jobs(onJob, this.#onBug);
    this.#supply = new Supply({
      store: this.#store,
      jobs: this.#jobs,
      command: config.command,
      folder: join(folder, "engine"),
      env,
      hub: sources.hub ?? "https://huggingface.co",
      releases: sources.releases ?? "https://github.com/ggml-org/llama.cpp/releases/download",
      programs: sources.programs ?? programSources,
      onNotice,
    });
  }

  get state(): EngineState {
    return this.#state;
  }

  /** True when it can start without fetching anything. Throws ReadableError "engine_command". */
  installed(): boolean {
    return this.#supply.program() !== null && this.#supply.model(this.#wanted, null) !== null;
  }

  /**
   * Resolves when the engine answers, after fetching and starting what is needed; callers at the same
   * time share the work, and a caller that aborts leaves it running. Rejects with a ReadableError
   * that says what was tried, or with the signal's reason; the next call tries again.
   */
  async ready(signal: AbortSignal): Promise<EnginePlace> {
    signal.throwIfAborted();
    for (;;) {
      this.#closing.signal.throwIfAborted();
      const current = await untilAborted(
        Promise.race([this.#prepared(), this.#picked.promise]),
        signal,
      );
      if (current === null) continue;
      try {
        await current.server.ready(signal);
      } catch (fault) {
        // Another model was picked meanwhile.
        if (current !== this.#current && !signal.aborted) continue;
        // Its file is gone: the next question may find or fetch another.
        if (!signal.aborted && !this.#store.find(current.model)) await this.#drop();
        throw fault;
      }
      return current.place();
    }
  }

  /** The catalog and the person's own files. */
  async models(): Promise<EngineModel[]> {
    const first = this.#supply.toFetch(this.#wanted, await this.#readMachine())?.name;
    return this.#rows().map((row) => ({ ...row, first: row.name === first }));
  }

  #rows(): Omit<EngineModel, "first">[] {
    const used = this.#current?.model ?? this.#supply.model(this.#wanted, null)?.name;
    const known = this.#store.catalog.map(({ name, size, licence, goodFor }) => ({
      name,
      size,
      licence,
      good_for: goodFor,
      on_disk: this.#store.find(name) !== null,
      used: name === used,
    }));
    const own = this.#store.own().map((name) => ({
      name,
      size: this.#store.find(name)?.size ?? 0,
      licence: "unknown",
      good_for: "your own file",
      on_disk: true,
      used: name === used,
    }));
    return [...known, ...own];
  }

  /** Begins (or joins) the download of a catalog model; the job's id. Throws ReadableError. */
  fetch(name: string): string {
    this.#closing.signal.throwIfAborted();
    const model = this.#store.known(name);
    if (!model) throw this.#store.unknown(name);
    if (this.#store.find(name))
      throw new ReadableError("on_disk", `${name} is already here`, {
        hint: `Type: desktop-assistant model use ${name}`,
      });
    return this.#supply.fetch(model).id;
  }

  /** Picks a model on disk for the next question; resolves when the one before has ended. */
  async use(name: string): Promise<void> {
    if (!this.#store.find(name)) {
      if (!this.#store.known(name)) throw this.#store.unknown(name);
      throw new ReadableError("not_fetched", `${name} is not on this computer yet`, {
        hint: `Type: desktop-assistant model fetch ${name}`,
      });
    }
    this.#wanted = name;
    this.#options.picked?.set(name);
    if (this.#current?.model !== name) await this.#drop();
  }

  /** Deletes a model's file. Rejects with ReadableError "in_use", "busy" or "no_model". */
  async remove(name: string): Promise<void> {
    const here = this.#store.find(name) !== null || this.#store.begun(name);
    if (!here) {
      if (!this.#store.known(name)) throw this.#store.unknown(name);
      throw new ReadableError("not_fetched", `${name} is not on this computer`);
    }
    if (this.#rows().some((row) => row.name === name && row.used))
      throw new ReadableError("in_use", `${name} is the model in use`, {
        hint: "Pick another one first: desktop-assistant model use NAME",
      });
    if (this.#supply.fetching(name))
      throw new ReadableError("busy", `${name} is just being fetched`, {
        hint: "Cancel that job first.",
      });
    await this.#store.remove(name);
  }

  jobs(): Job[] {
    return this.#jobs.running();
  }

  /** Throws ReadableError "no_job" when no such job runs. */
  cancel(job: string): void {
    if (this.#jobs.cancel(job)) return;
    throw new ReadableError("no_job", "no such job is running");
  }

  /** Ends the server and every job, and waits for their end. */
  async close(): Promise<void> {
    const preparing = this.#preparing;
    this.#closing.abort(new ReadableError("closed", "the engine is being ended"));
    await this.#jobs.close();
    if (preparing) await Promise.allSettled([preparing]);
    await this.#current?.server.close();
  }

  #tell(state: EngineState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState?.(state);
  }

  /** Ends the server; the next question prepares anew. */
  async #drop(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    this.#preparing = null;
    this.#picked.resolve(null);
    this.#picked = Promise.withResolvers<null>();
    if (current) await current.server.close();
    if (this.#current === null) this.#tell("absent");
  }

  #prepared(): Promise<Current> {
    if (this.#preparing) return this.#preparing;
    const preparing = this.#prepare().catch((fault: unknown) => {
      if (this.#preparing === preparing) {
        this.#preparing = null;
        this.#tell("absent");
      }
      throw fault;
    });
    this.#preparing = preparing;
    return preparing;
  }

  #readMachine(): Promise<Machine> {
    const { env, sources = {} } = this.#options;
    const { signal } = this.#closing;
    this.#machine ??= Promise.resolve(sources.machine ?? readMachine({ env, signal }));
    return this.#machine;
  }

  async #prepare(): Promise<Current> {
    const { sources = {} } = this.#options;
    const { signal } = this.#closing;
    const picked = this.#picked;
    const machine = await this.#readMachine();
    if (!this.installed()) this.#tell("fetching");
    const program = await this.#supply.needProgram(machine);
    const model = await this.#supply.needModel(this.#wanted, machine);
    signal.throwIfAborted();
    if (picked !== this.#picked) return this.#prepared();
    const launcher = this.#launcher(program, model, machine);
    const server = new ManagedServer({
      name: `llama-server with ${model.name}`,
      launch: () => launcher.launch(),
      probe: (stop) => healthOf(launcher.place.url, stop),
      onState: (state) => this.#follow(server, state),
      ...(sources.pauses ? { pauses: sources.pauses } : {}),
    });
    this.#current = { model: model.name, server, place: () => launcher.place };
    return this.#current;
  }

  #launcher(program: Program, model: StoredModel, machine: Machine): Launcher {
    const { env, config: settings, cache = null, log = () => undefined } = this.#options;
    const apiKey = randomBytes(24).toString("base64url");
    const { signal } = this.#closing;
    const about = { program, model, settings, machine, apiKey, env, cache, signal };
    return new Launcher({ ...about, speeds: this.#speeds, log, onBug: this.#onBug });
  }

  #follow(server: ManagedServer, state: ServerState): void {
    if (this.#current?.server === server && state !== "stopped") this.#tell(state);
  }
}

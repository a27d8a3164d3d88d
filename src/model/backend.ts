// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The model side of the program for everybody else: one state, one way to a model that answers.
import { ReadableError } from "../errors.ts";
import type { Job } from "../message.ts";
import { Chooser, type ChooserOptions, type Phase } from "./chooser.ts";
import type { EngineState } from "./embedded.ts";
import { loadModel } from "./load.ts";
import { Loads } from "./loads.ts";
import type { Served, ToolsMode } from "./model.ts";
import type { Found } from "./settle.ts";
import { type ModelStatus, survey } from "./survey.ts";
import { type Whose, whoseOf } from "./tools-mode.ts";

export type BackendOptions = ChooserOptions & { onJob: (job: Job) => void };

export type BackendStatus = {
  state: EngineState;
  /** With /v1; null before a choice. */
  url: string | null;
  model: string | null;
  /** How the choice was made, a sentence; "" before there is one. */
  why: string;
  /** 0 when unknown. */
  contextTokens: number;
  local: boolean;
  slots: number;
  /** A choice is being made right now; "absent" then only means not yet. */
  looking: boolean;
};

/** A model that can be picked: at the server, or of the embedded engine. */
export type BackendModel = {
  model: string;
  /** What the server says, or for the engine "fetched" and "not fetched". */
  status: ModelStatus | "fetched" | "not fetched";
  used: boolean;
  /** The server's address, or "engine". */
  source: string;
  /** Tokens it reads; 0 when unknown. */
  context: number;
  /** How it is made to call tools, and why so; absent when only a trial can tell. */
  strategy?: ToolsMode["strategy"];
  strategy_why?: string;
  /** Bytes, licence and purpose: the engine's only. */
  size?: number;
  licence?: string;
  good_for?: string;
  /** The one that is fetched when the engine is needed. */
  first?: boolean;
};

export class Backend {
  readonly #options: BackendOptions;
  readonly #loads: Loads;
  readonly #chooser: Chooser;

  constructor(options: BackendOptions) {
    this.#options = options;
    this.#loads = new Loads(options.onJob);
    this.#chooser = new Chooser(options, this.#loads);
  }

  status(): BackendStatus {
    const { state, chosen } = this.#chooser;
    return {
      state,
      url: chosen?.address.v1 ?? null,
      model: chosen?.model ?? null,
      why: chosen?.why ?? "",
      contextTokens: chosen?.contextTokens ?? 0,
      local: chosen?.address.local ?? false,
      slots: chosen?.slots ?? 1,
      looking: this.#chooser.looking,
    };
  }

  /** How the model that is used is made to call tools; null before there is one. */
  toolsMode(): ToolsMode | null {
    return this.#chooser.toolsMode;
  }

  /** For the start: chooses a server, starts an installed engine, fetches and loads nothing. */
  probe(): Promise<void> {
    return this.#chooser.probe();
  }

  /** To be called when the engine's state changes, so that who waits for it hears of it. */
  engineChanged(state: EngineState): void {
    if (
      this.#chooser.waitsForEngine &&
      (state === "fetching" || state === "starting" || state === "loading")
    ) {
      this.#chooser.phase(state);
    }
  }

  /**
   * A model that answers. Without a round trip while the last choice stands; after a fault of the
   * server it chooses anew. It may load a model or fetch the engine, which the phases tell; an abort
   * ends the wait, not that work. Rejects with ReadableError or the signal's reason.
   */
  ready(signal: AbortSignal, onPhase?: (phase: Phase) => void): Promise<Served> {
    return this.#chooser.ready(signal, onPhase);
  }

  /** Every model that can be picked. A server that does not answer has none. */
  async models(signal = this.#chooser.signal): Promise<BackendModel[]> {
    const { chosen, runsEngine } = this.#chooser;
    const rows: BackendModel[] = [];
    const found = await this.#server(signal);
    if (found) {
      const seen = await this.#look(found, signal);
      for (const row of seen?.rows ?? []) {
        const used = !runsEngine && row.id === chosen?.model;
        const { id, status, context } = row;
        const tokens = used && chosen ? chosen.contextTokens : context;
        const mode = this.#modeOf(whoseOf({ address: found.address, model: id }, false), used);
        const source = found.address.v1;
        rows.push({ model: id, status, used, source, context: tokens, ...mode });
      }
    }
    for (const row of await this.#options.engine.models()) {
      const { name, size, licence, good_for, on_disk, first } = row;
      const used = runsEngine && name === chosen?.model;
      const status = used ? "loaded" : on_disk ? "fetched" : "not fetched";
      const context = used ? (chosen?.contextTokens ?? 0) : 0;
      const mode = this.#modeOf({ engine: true, local: true, url: "", model: name }, used);
      const about = { context, ...mode, size, licence, good_for, first };
      rows.push({ model: name, status, used, source: "engine", ...about });
    }
    return rows;
  }

  #modeOf(whose: Whose, used: boolean) {
    const { modes } = this.#chooser;
    const mode = used ? modes.of(whose) : modes.known(whose);
    return mode && { strategy: mode.strategy, strategy_why: mode.why };
  }

  /** The server that is used or would be, leaving out the engine; null when there is none. */
  async #server(signal: AbortSignal): Promise<Found | null> {
    const { found, runsEngine, state } = this.#chooser;
    if (found && !runsEngine && state !== "lost") return found;
    return this.#chooser.locateServer(AbortSignal.any([signal, this.#chooser.signal]));
  }

  async #look(found: Found, signal: AbortSignal) {
    try {
      const { address, apiKey } = found;
      return await survey({ address, apiKey, signal, stall: this.#chooser.stall });
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof ReadableError)) throw thrown;
      return null;
    }
  }

  /**
   * Picks a model for the questions to come. At a server, an unloaded one needs `load`, because
   * another may be displaced: else ReadableError "not_loaded". Unknown name: "no_model".
   */
  async use(model: string, options: { load?: boolean; signal?: AbortSignal } = {}): Promise<void> {
    const { load = false, signal = this.#chooser.signal } = options;
    const chooser = this.#chooser;
    const found = await this.#server(signal);
    const seen = found && (await this.#look(found, signal));
    const row = seen?.rows.find((one) => one.id === model);
    if (found && seen && row) {
      if (row.status === "unloaded") {
        if (!load) throw notLoaded(model, "another model may have to make room for it");
        const { address, apiKey } = found;
        await this.#loads.run(model, AbortSignal.any([signal, chooser.signal]), (stop) =>
          loadModel({ address, apiKey, signal: stop, stall: chooser.stall }, seen.kind, model),
        );
      }
      chooser.pick(model, { engine: false });
      await chooser.ready(signal);
      return;
    }
    const { engine, config } = this.#options;
    const own = (await engine.models()).find((one) => one.name === model);
    if (!own) {
      throw new ReadableError("no_model", `there is no model ${model}`, {
        hint: "Type: desktop-assistant model list",
      });
    }
    if (config.llm !== null) {
      throw new ReadableError("no_model", `${model} is a model of the built-in engine`, {
        hint: `config.toml names the server ${config.llm}. Remove llm there to use the engine.`,
      });
    }
    if (!own.on_disk && !load) throw notLoaded(model, "it has to be fetched first");
    await engine.use(model);
    chooser.pick(model, { engine: true });
    // The person need not wait for the start; the next question does, and a fault is told there.
    void chooser.probe();
  }

  /** Brings what an answer still needs (engine, model), as the next question would; a fault is a notice. */
  prepare(): void {
    const { onNotice } = this.#options;
    this.ready(this.#chooser.signal).catch((thrown: unknown) => {
      if (this.#chooser.signal.aborted) return;
      if (!(thrown instanceof ReadableError)) throw thrown;
      onNotice({ code: thrown.code, message: thrown.message, hint: thrown.hint });
    });
  }

  /** A question begins: what is done in idle time makes room at once. */
  interrupt(): void {
    this.#chooser.idle.interrupt();
  }

  /** There may be something new to do in idle time. */
  rest(): void {
    this.#chooser.idle.rest();
  }

  /** Begins to fetch a model for the engine; returns the job. */
  fetch(model: string): string {
    return this.#options.engine.fetch(model);
  }

  async remove(model: string): Promise<void> {
    await this.#options.engine.remove(model);
  }

  /** Rejects with ReadableError when there is no such job. */
  async cancel(job: string): Promise<void> {
    if (!this.#loads.cancel(job)) this.#options.engine.cancel(job);
  }

  jobs(): Job[] {
    return [...this.#options.engine.jobs(), ...this.#loads.jobs()];
  }

  /** Aborts every request, then ends the engine. */
  async close(): Promise<void> {
    await this.#chooser.close();
    await this.#options.engine.close();
  }
}

function notLoaded(model: string, why: string): ReadableError {
  return new ReadableError("not_loaded", `${model} is not loaded`, {
    hint: `To load it all the same (${why}), type: desktop-assistant model use ${model} --load`,
  });
}

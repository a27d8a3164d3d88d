// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Holds the standing choice of server and model, and makes a new one when it no longer stands.
import { ReadableError } from "../errors.ts";
import type { Notice } from "../message.ts";
import type { Engine, EngineState } from "./embedded.ts";
import { Idle, type Standing } from "./idle.ts";
import { Lane } from "./lane.ts";
import type { Learned } from "./learned.ts";
import type { Loads } from "./loads.ts";
import { locateServer, startEngine } from "./locate.ts";
import type { LeaseKind, Served, ToolsMode } from "./model.ts";
import { untilAborted } from "./patience.ts";
import { type Chosen, serve } from "./served.ts";
import { Servers } from "./servers.ts";
import { type Found, settle } from "./settle.ts";
import { type Configured, ToolsModes, whoseOf } from "./tools-mode.ts";

export type Phase = "fetching" | "starting" | "loading";

export type ChooserOptions = {
  config: {
    /** Null: the first server found, else the embedded engine. */
    llm: string | null;
    model: string | null;
    loadIfNone: boolean;
    temperature: number | null;
    /** Seconds without a sign of life. */
    stall: number;
    toolsMode: Configured;
  };
  apiKey: string | null;
  /** Where to look when `llm` is unset. */
  candidates?: readonly string[];
  /** Milliseconds that these have to answer; 300 if absent. */
  within?: number;
  engine: Engine;
  /** The last model used, kept over restarts. */
  remembered: { readonly model: string | null; set(model: string): void };
  /** Which way of calling tools suits a model, as far as it was tried; absent: not kept over restarts. */
  tried?: Learned;
  /** True while a question runs, even if the model has nothing to do for it right now. */
  questionRuns?: () => boolean;
  /** Work for a loaded model of this machine while nobody asks; see IdleOptions. */
  idleWork?: (served: Served, signal: AbortSignal) => Promise<unknown>;
  onNotice: (notice: Notice) => void;
  /** State, model or context size are not what they were. */
  onChange?: () => void;
};

/** Faults of one question that say nothing against the server. */
const harmless = new Set(["context_too_small", "empty_answer", "preempted", "closed", "cancelled"]);

type Outcome = { served: Served } | { fault: unknown } | null;

export class Chooser {
  state: EngineState = "absent";
  chosen: Chosen | null = null;
  found: Found | null = null;
  waitsForEngine = false;
  readonly #options: ChooserOptions;
  readonly #loads: Loads;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(phase: Phase) => void>();
  /** Picked by the person while the program runs. */
  #used: string | null = null;
  /** What was picked is a model of the embedded engine. */
  #useEngine = false;
  #served: Served | null = null;
  #stale = false;
  readonly #servers = new Servers();
  #lane = new Lane();
  readonly idle: Idle;
  #choosing: Promise<Outcome> | null = null;
  #waiting = 0;
  #picks = 0;
  #phase: Phase | null = null;
  #told = "";
  readonly modes: ToolsModes;

  constructor(options: ChooserOptions, loads: Loads) {
    this.#options = options;
    this.#loads = loads;
    this.modes = new ToolsModes(options.config.toolsMode, options.tried);
    this.idle = new Idle({
      modes: this.modes,
      signal: this.signal,
      standing: () => this.#standing(),
      questionRuns: options.questionRuns ?? (() => false),
      busy: () => !this.#lane.idle,
      look: () => this.probe(),
      work: options.idleWork ?? (() => Promise.resolve()),
    });
  }

  /** Aborts with the program's end. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  get stall(): number {
    return this.#options.config.stall * 1000;
  }

  /** A choice is being made. */
  get looking(): boolean {
    return this.#choosing !== null;
  }

  /** True when the embedded engine answers. */
  get runsEngine(): boolean {
    return this.found?.engine === true;
  }

  /** The person's choice, for the questions to come. */
  pick(model: string, options: { engine: boolean }): void {
    this.#used = model;
    this.#useEngine = options.engine;
    this.#stale = true;
    this.#picks += 1;
  }

  /** Chooses in the background, without fetching or loading anything. */
  async probe(): Promise<void> {
    this.#choosing ??= this.#choose();
    await this.#choosing;
  }

  /** See Backend.ready. */
  async ready(signal: AbortSignal, onPhase?: (phase: Phase) => void): Promise<Served> {
    signal.throwIfAborted();
    if (this.#served && !this.#stale && !this.#loadsByName()) return this.#served;
    this.#waiting += 1;
    if (onPhase) {
      this.#listeners.add(onPhase);
      if (this.#phase) onPhase(this.#phase);
    }
    try {
      for (;;) {
        this.#choosing ??= this.#choose();
        const outcome = await untilAborted(this.#choosing, signal);
        // Null: a probe that was past the point where it could have fetched or loaded for us.
        if (outcome === null) continue;
        if ("fault" in outcome) throw outcome.fault;
        return outcome.served;
      }
    } finally {
      this.#waiting -= 1;
      if (onPhase) this.#listeners.delete(onPhase);
    }
  }

  /** Ollama and LM Studio load a model that a request names; they are asked before each question. */
  #loadsByName(): boolean {
    return this.chosen?.kind === "ollama" || this.chosen?.kind === "lmstudio";
  }

  async #choose(): Promise<Outcome> {
    try {
      for (;;) {
        const picks = this.#picks;
        const standing = this.#stale ? null : this.found;
        const found = standing ?? (await this.#locate());
        const chosen = found && (await this.#settle(found));
        // The person picked another model meanwhile.
        if (picks !== this.#picks) continue;
        if (found && chosen) return { served: this.#install(found, chosen) };
        this.chosen = null;
        this.#lose("absent");
        return null;
      }
    } catch (fault) {
      this.#lose("lost");
      return { fault };
    } finally {
      this.#choosing = null;
      this.#phase = null;
    }
  }

  #lose(state: EngineState): void {
    this.#stale = true;
    this.#turn(state);
  }

  /** The server without the embedded engine: the configured one, or one that answers. */
  locateServer(signal: AbortSignal): Promise<Found | null> {
    const { config, apiKey, candidates, within } = this.#options;
    return locateServer({ llm: config.llm, apiKey, candidates, within, signal });
  }

  async #locate(): Promise<Found | null> {
    const { engine } = this.#options;
    const server = this.#useEngine ? null : await this.locateServer(this.signal);
    if (server) return server;
    const installed = engine.installed();
    if (!installed && this.#waiting === 0) return null;
    this.phase(installed ? "starting" : "fetching");
    this.waitsForEngine = true;
    try {
      return await startEngine(engine, { picked: this.#useEngine, signal: this.signal });
    } finally {
      this.waitsForEngine = false;
    }
  }

  #settle(found: Found): Promise<Chosen | null> {
    const { config, remembered, onNotice } = this.#options;
    return settle(found, {
      wishes: {
        used: this.#used,
        configured: config.model,
        remembered: remembered.model,
        loadIfNone: config.loadIfNone,
      },
      signal: this.signal,
      stall: this.stall,
      onLoading: () => this.phase("loading"),
      onNotice: (notice) => {
        // Told at each question it would be noise.
        if (notice.message !== this.#told) onNotice(notice);
        this.#told = notice.message;
      },
      mayLoad: () => this.#waiting > 0,
      loading: (model, load) => this.#loads.run(model, this.signal, load),
    });
  }

  #install(found: Found, chosen: Chosen): Served {
    const { config, remembered } = this.#options;
    const before = this.chosen;
    const { lane, untaken } = this.#servers.of(chosen, () => this.chosen);
    this.#lane = lane;
    lane.capacity = chosen.slots;
    this.found = found;
    this.chosen = chosen;
    this.#stale = false;
    if (chosen.model !== null && chosen.model !== remembered.model) remembered.set(chosen.model);
    const whose = whoseOf(chosen, found.engine);
    const served = serve(chosen, {
      lane,
      untaken,
      found,
      toolsMode: () => this.modes.of(whose),
      temperature: config.temperature,
      stall: this.stall,
      onBegin: (kind) => this.idle.begin(kind),
      onEnd: (end) => this.#ended(end),
    });
    this.#served = served;
    const same =
      before?.model === chosen.model &&
      before.contextTokens === chosen.contextTokens &&
      before.address.v1 === chosen.address.v1;
    this.#turn("ready", !same);
    if (!same) this.idle.changed();
    return served;
  }

  #ended({ kind, fault, aborted }: { kind: LeaseKind; fault: unknown; aborted: boolean }): void {
    // A remote server is not asked without need: somebody may count the requests.
    if (fault === null && this.chosen?.address.local) this.idle.after(kind);
    if (aborted || !(fault instanceof ReadableError) || harmless.has(fault.code)) return;
    // What is refused before anybody asks, such as tools, need not keep a question from going well.
    if (kind === "warm-up" && fault.code === "server_error") return;
    this.#stale = true;
    if (fault.code !== "server_error" && fault.code !== "model_unloaded") this.#turn("lost");
  }

  #standing(): Standing | null {
    if (!this.#served || !this.chosen || this.#stale) return null;
    const { loaded } = this.chosen;
    return { served: this.#served, whose: whoseOf(this.chosen, this.runsEngine), loaded };
  }

  /** How the model that was chosen is made to call tools; null before a choice. */
  get toolsMode(): ToolsMode | null {
    return this.chosen && this.modes.of(whoseOf(this.chosen, this.runsEngine));
  }

  /** What the work is waiting for, told to everybody who waits. */
  phase(phase: Phase): void {
    if (this.#phase === phase) return;
    this.#phase = phase;
    for (const listener of this.#listeners) listener(phase);
    this.#turn(phase);
  }

  #turn(state: EngineState, changed = false): void {
    if (this.state === state && !changed) return;
    this.state = state;
    this.#options.onChange?.();
  }

  async close(): Promise<void> {
    this.#closing.abort(new ReadableError("closed", "the program ends"));
    this.#servers.close();
    await this.idle.close();
    await this.#choosing;
  }
}

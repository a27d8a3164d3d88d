// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Sees to it that the engine's one slot holds what the next request begins with: what was read is not read again.
import { stat } from "node:fs/promises";
import { ReadableError, systemCode } from "../../errors.ts";
import type { EngineSlot } from "../embedded.ts";
import { askJson } from "../http.ts";
import { countAt, isRecord, textAt } from "../json.ts";
import type { Completion, Usage } from "../model.ts";
import { BeginningFile, fingerprintOf, slotFile } from "./beginning.ts";
import type { Speeds } from "./speed.ts";

/** Milliseconds without a byte; each of these requests takes a fraction of a second. */
const stall = 30_000;
/** A token that no prompt begins with. */
const elsewhere = 300;

export type SlotOptions = {
  /** Of the engine, without /v1. */
  url: string;
  apiKey: string;
  model: string;
  /** Where its beginning is kept over restarts; null: nowhere. */
  folder: string | null;
  /** The server keeps displaced conversations in memory. */
  memory: boolean;
  /** Files that make it what it is; another size or date is another engine. */
  files: readonly string[];
  /** What else decides how it keeps what it has read. */
  form: readonly string[];
  speeds: Speeds;
  log: (line: string) => void;
  /** Gets what is thrown by a fault of ours. */
  onBug: (thrown: unknown) => void;
};

/** What the slot holds: words of a thread, a beginning of this fingerprint, or nothing worth keeping. */
type Holding = { thread: string } | { beginning: string } | null;

/** Of one start of the engine. */
export class Slot implements EngineSlot {
  readonly #options: SlotOptions;
  readonly #file: BeginningFile | null;
  /** Threads that have been here since the start: the server's memory may hold what they said. */
  readonly #asked = new Set<string>();
  #holding: Holding = null;
  #identity: readonly unknown[] | null = null;
  /** The fingerprint of the beginning that the file is known to hold. */
  #kept: string | null = null;
  /** False once the server would not: it is not asked again. */
  #saves = true;
  #told = new Set<string>();

  constructor(options: SlotOptions) {
    this.#options = options;
    this.#file = options.folder === null ? null : new BeginningFile(options.folder);
  }

  async before(completion: Completion, signal: AbortSignal): Promise<void> {
    const { thread, beginning = false } = completion;
    await this.#excused(signal, () => this.#turnTo(completion, signal));
    signal.throwIfAborted();
    const talks = thread !== undefined && !beginning;
    if (talks) this.#asked.add(thread);
    this.#holding = talks ? { thread } : null;
  }

  lacks(completion: Completion): boolean {
    if (!this.#file || !this.#saves || !this.#identity) return false;
    return fingerprintOf(this.#identity, completion) !== this.#kept;
  }

  async after(completion: Completion, usage: Usage | null, signal: AbortSignal): Promise<void> {
    await this.#excused(signal, async () => {
      if (usage) this.#options.speeds.learn(this.#options.model, usage);
      const file = this.#file;
      if (!completion.beginning || !file) return;
      const fingerprint = await this.#fingerprint(completion, signal);
      this.#holding = { beginning: fingerprint };
      if (this.#saves && !(await file.holds(fingerprint, signal)))
        await this.#save(file, fingerprint, signal);
      this.#kept = fingerprint;
    });
  }

  /** Nothing here may cost an answer: what goes wrong is told once, and the request goes out as it is. */
  async #excused(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      if (signal.aborted) return;
      const known = thrown instanceof ReadableError || systemCode(thrown) !== "";
      if (!known || !(thrown instanceof Error)) return this.#options.onBug(thrown);
      this.#tell(thrown.message);
    }
  }

  #tell(why: string): void {
    if (this.#told.has(why)) return;
    this.#told.add(why);
    this.#options.log(`engine: what it has read may have to be read again: ${why}`);
  }

  async #turnTo(completion: Completion, signal: AbortSignal): Promise<void> {
    const { thread, beginning = false } = completion;
    const holding = this.#holding;
    const others = holding !== null && "thread" in holding;
    if (others && holding.thread === thread) return;
    const known = thread !== undefined && !beginning && this.#asked.has(thread);
    if (!this.#options.memory) {
      // What is displaced is lost, so the beginning that both have is best left where it is.
      if (!others) await this.#restore(completion, signal);
      return;
    }
    if (others || known) await this.#putAside(signal);
    // Without this, the memory would hand another thread's words over to be cut.
    if (!known) await this.#restore(completion, signal);
  }

  /**
   * The server saves what a slot holds only when the next prompt keeps less than half of it, and looks
   * into its memory only then. Conversations share a long beginning; this shares nothing.
   */
  async #putAside(signal: AbortSignal): Promise<void> {
    await this.#post(
      "/completion",
      { prompt: [elsewhere], n_predict: 0, cache_prompt: true },
      signal,
    );
    this.#holding = null;
  }

  async #restore(completion: Completion, signal: AbortSignal): Promise<void> {
    const file = this.#file;
    if (!file) return;
    const fingerprint = await this.#fingerprint(completion, signal);
    const holding = this.#holding;
    if (holding !== null && "beginning" in holding && holding.beginning === fingerprint) return;
    if (!(await file.holds(fingerprint, signal))) return;
    this.#kept = fingerprint;
    try {
      await this.#post("/slots/0?action=restore", { filename: slotFile }, signal);
      this.#holding = { beginning: fingerprint };
    } catch (thrown) {
      // A file that the server won't take, or ends of, is not offered again.
      if (!signal.aborted) {
        await file.remove();
        this.#kept = null;
      }
      throw thrown;
    }
  }

  async #save(file: BeginningFile, fingerprint: string, signal: AbortSignal): Promise<void> {
    try {
      await file.prepare();
      const saved = await this.#post("/slots/0?action=save", { filename: slotFile }, signal);
      await file.vouch(fingerprint, countAt(saved, "n_written"), signal);
    } catch (thrown) {
      if (!signal.aborted) this.#saves = false;
      await file.remove();
      throw thrown;
    }
  }

  async #fingerprint(completion: Completion, signal: AbortSignal): Promise<string> {
    this.#identity ??= await this.#identify(signal);
    return fingerprintOf(this.#identity, completion);
  }

  async #identify(signal: AbortSignal): Promise<readonly unknown[]> {
    const { url, apiKey, files, form } = this.#options;
    const props = await askJson({ url: `${url}/props`, apiKey, signal, stall });
    const settings = isRecord(props) ? props.default_generation_settings : null;
    const told = [textAt(props, "build_info"), textAt(props, "chat_template")];
    const looks = await Promise.all(
      files.map(async (path) => {
        const { size, mtimeMs } = await stat(path);
        return [path, size, mtimeMs];
      }),
    );
    return [...told, countAt(settings, "n_ctx"), form, looks];
  }

  #post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const { url, apiKey } = this.#options;
    return askJson({ url: `${url}${path}`, body: JSON.stringify(body), apiKey, signal, stall });
  }
}

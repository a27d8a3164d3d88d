// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One client: bytes to commands, events to bytes, and what it asked to be told.
import type { Socket } from "node:net";
import { describe } from "../errors.ts";
import type { Feature } from "../protocol/commands.ts";
import { LineReader } from "../protocol/lines.ts";
import { Outbox } from "./outbox.ts";
import { encode, type Line, line } from "./wire.ts";

export type ConnectionEvents = {
  /** A line, or null for one that was too long or not UTF-8. */
  onLine(line: string | null): void;
  /** The client has said its last word, but still listens. */
  onHalfClose(): void;
  /** It is gone; nothing more can be sent. */
  onClose(): void;
  /** A fault of the client's, for the log. */
  onFault(what: string): void;
};

export class Connection {
  /** Null until its first `features`: version 1. */
  features: ReadonlySet<Feature> | null = null;
  /** Names of sessions. */
  readonly watches = new Set<string>();
  /** Names of sessions before which it has put a conversation: they stay for it. */
  readonly holds = new Set<string>();
  /** Commands that are not answered yet. */
  outstanding = 0;
  /** Names of sessions in which it asked something that is not over yet. */
  readonly asked = new Set<string>();
  halfClosed = false;
  /** What it said and nobody has taken yet. */
  readonly #lines: (() => void)[] = [];
  #taking = false;
  readonly #gone = new AbortController();
  readonly #socket: Socket;
  readonly #outbox: Outbox;

  constructor(socket: Socket, { onLine, onHalfClose, onClose, onFault }: ConnectionEvents) {
    this.#socket = socket;
    this.#outbox = new Outbox(socket, (why) => {
      onFault(`dropped: ${why}`);
      socket.destroy();
    });
    // Lines are taken one at a time: a client that asks for much at once waits for itself only.
    const reader = new LineReader((line) => this.#lines.push(() => onLine(line)));
    socket.on("data", (chunk) => {
      reader.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
      void this.#take();
    });
    socket.on("end", () => {
      reader.end();
      this.#lines.push(() => {
        this.halfClosed = true;
        onHalfClose();
      });
      void this.#take();
    });
    socket.on("error", (error) => onFault(error.message));
    socket.on("close", () => {
      this.#lines.length = 0;
      this.#outbox.close();
      this.#gone.abort();
      onClose();
    });
  }

  /** Takes what was said, in its order, and hears no more while a large answer is on its way. */
  async #take(): Promise<void> {
    if (this.#taking) return;
    this.#taking = true;
    while (this.#lines.length > 0 && !this.#socket.destroyed) {
      if (this.#outbox.full) {
        this.#socket.pause();
        await this.#outbox.empty();
        this.#socket.resume();
      } else this.#lines.shift()?.();
    }
    this.#taking = false;
  }

  /** It takes questions about calls, and can still say something. */
  get answers(): boolean {
    return !this.halfClosed && this.features?.has("confirm") === true;
  }

  /** Aborts when the client is gone. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Sends an event in this client's dialect, if it is one that it gets. */
  send(line: Line): void {
    if (this.features === null) {
      const text = line.v1;
      if (text !== null) this.#outbox.send(text);
    } else if (line.feature === undefined || this.features.has(line.feature))
      this.#outbox.send(line.v2);
  }

  /** Sends one line as it is. */
  sendText(text: string): void {
    this.#outbox.send(text);
  }

  /** Tells this client alone of a fault in what it sent; with a `req` in full, since it asked in version 2. */
  fail(thrown: unknown, req: string | undefined, onBug: (stack: string) => void): void {
    const { message, code, hint } = describe(thrown);
    if (code === "internal") onBug(thrown instanceof Error ? (thrown.stack ?? message) : message);
    if (req === undefined) this.send(line("error", { message }, { code, hint }));
    else this.#outbox.send(encode("error", { message, code, hint }, { req }));
  }

  /** Closes when everything is sent. */
  async finish(): Promise<void> {
    await this.#outbox.empty();
    this.#socket.end();
    this.#socket.destroySoon();
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A client that counts tokens without reading them, so that the measuring costs little.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { parseEvent, type Received } from "../src/protocol/events.ts";

const newline = 0x0a;
const tokenStart = Buffer.from('{"type":"token"');

/** The daemon let this client go: on a busy machine it may have read too slowly for a flood. */
export class HungUp extends Error {}

/** `hello` and what follows it; a token is counted, every other event is parsed. */
export class Client {
  readonly socket: Socket;
  /** Of the turn that began last. */
  tokens = 0;
  /** The longest time between two chunks that held tokens, in ms. */
  worstGap = 0;
  /** performance.now() of the first and the last token. */
  firstAt = 0;
  lastAt = 0;
  #running = false;
  /** How many tokens had come at `lastAt`. */
  #stamped = 0;
  #rest: Buffer | null = null;
  #waits: { type: string; resolve: (event: Received) => void; reject: (cause: Error) => void }[] =
    [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      if (typeof chunk !== "string") this.#take(chunk);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      for (const { reject } of this.#waits.splice(0)) reject(new HungUp("the daemon hung up"));
    });
  }

  static async open(path: string, features?: string[]): Promise<Client> {
    const socket = connect(path);
    const client = new Client(socket);
    await once(socket, "connect");
    await client.wait("hello");
    if (features) {
      client.send({ type: "features", names: features });
      await client.wait("hello");
    }
    return client;
  }

  /** The next event of this type. */
  wait(type: string): Promise<Received> {
    return new Promise((resolve, reject) => this.#waits.push({ type, resolve, reject }));
  }

  send(command: Record<string, unknown>): void {
    this.socket.write(`${JSON.stringify(command)}\n`);
  }

  /** Asks in the current conversation; resolves when its turn is stored. */
  async ask(text: string): Promise<void> {
    const end = this.ends();
    this.send({ type: "ask", text });
    await end;
  }

  /** Resolves at the end of the turn that begins next. */
  async ends(): Promise<void> {
    this.#running = false;
    await this.wait("done");
  }

  close(): void {
    this.socket.destroy();
  }

  #begin(): void {
    this.#running = true;
    this.tokens = 0;
    this.#stamped = 0;
    this.worstGap = 0;
  }

  #take(chunk: Buffer): void {
    const data = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, start)) {
      this.#line(data, start, end);
      start = end + 1;
    }
    this.#rest = start < data.length ? data.subarray(start) : null;
    if (this.tokens === this.#stamped) return;
    const now = performance.now();
    if (this.#stamped === 0) this.firstAt = now;
    else this.worstGap = Math.max(this.worstGap, now - this.lastAt);
    this.lastAt = now;
    this.#stamped = this.tokens;
  }

  #line(data: Buffer, start: number, end: number): void {
    if (data.compare(tokenStart, 0, 15, start, Math.min(start + 15, end)) === 0) {
      this.tokens += 1;
      return;
    }
    const event = parseEvent(data.toString("utf8", start, end));
    if (event?.type === "user") this.#begin();
    // What stopped an earlier turn is not the end that is waited for.
    if (event?.type === "done" && !this.#running) return;
    if (event?.type === "error") {
      const cause = new Error(`the daemon says: ${event.message}`);
      for (const { reject } of this.#waits.splice(0)) reject(cause);
    }
    const index = this.#waits.findIndex(({ type }) => type === event?.type);
    if (index >= 0 && event) this.#waits.splice(index, 1)[0]?.resolve(event);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The lines that wait for one client: sent in order, bounded, and nobody else waits for them.
import type { Socket } from "node:net";

/** Bytes that may wait for a client; one larger line is admitted beside them. */
const longestQueue = 1024 * 1024;
/** A queue that has not moved for this long, in milliseconds, belongs to a client that does not read. */
const stallTime = 2000;
/** Bytes handed to the socket at once: small enough that a slow reader is seen to move. */
const chunkSize = 64 * 1024;

/** Sends lines to a socket. `onStall` is called once, when the client must be dropped. */
export class Outbox {
  readonly #socket: Socket;
  readonly #onStall: (why: string) => void;
  /** Lines of this moment, joined when the event that made them is through. */
  #fresh = "";
  #freshBytes = 0;
  /** Cut to chunks, the first of them with the socket. */
  #chunks: Buffer[] = [];
  #chunkBytes = 0;
  /** Bytes of a single line beyond the limit, which do not count. */
  #oversize = 0;
  #scheduled = false;
  #movedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Called when everything has been handed to the system. */
  #onEmpty: (() => void)[] = [];
  #closed = false;

  constructor(socket: Socket, onStall: (why: string) => void) {
    this.#socket = socket;
    this.#onStall = onStall;
  }

  /** `line` ends in LF. */
  send(line: string): void {
    if (this.#closed) return;
    const bytes = Buffer.byteLength(line);
    const waiting = this.#freshBytes + this.#chunkBytes - this.#oversize;
    if (bytes > longestQueue && this.#oversize === 0) this.#oversize = bytes;
    else if (waiting + bytes > longestQueue) {
      this.#stall("its queue passed 1 MiB");
      return;
    }
    this.#fresh += line;
    this.#freshBytes += bytes;
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#flush());
  }

  /** A line beyond the limit is on its way: what the client asks next has to wait for it. */
  get full(): boolean {
    return this.#oversize > 0;
  }

  /** Resolves when everything has been handed to the system, or the client is gone. */
  empty(): Promise<void> {
    if (this.#closed || this.#freshBytes + this.#chunkBytes === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onEmpty.push(resolve));
  }

  close(): void {
    this.#closed = true;
    this.#fresh = "";
    this.#chunks = [];
    if (this.#timer) clearTimeout(this.#timer);
    this.#emptied();
  }

  #emptied(): void {
    this.#oversize = 0;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#closed) return;
    const idle = this.#chunks.length === 0;
    const bytes = Buffer.from(this.#fresh);
    this.#fresh = "";
    this.#freshBytes = 0;
    this.#chunkBytes += bytes.length;
    for (let at = 0; at < bytes.length; at += chunkSize)
      this.#chunks.push(bytes.subarray(at, at + chunkSize));
    if (idle) this.#write();
  }

  #write(): void {
    const chunk = this.#chunks[0];
    if (!chunk) {
      this.#emptied();
      return;
    }
    this.#movedAt = performance.now();
    this.#timer ??= this.#watch(stallTime);
    this.#socket.write(chunk, () => {
      if (this.#closed) return;
      this.#chunks.shift();
      this.#chunkBytes -= chunk.length;
      this.#write();
    });
  }

  /** One timer while something waits, set again for what has moved since. */
  #watch(delay: number): NodeJS.Timeout {
    const check = () => {
      this.#timer = null;
      if (this.#chunks.length === 0) return;
      const still = performance.now() - this.#movedAt;
      if (still >= stallTime) this.#stall("it has read nothing for 2 s");
      else this.#timer = this.#watch(stallTime - still);
    };
    return setTimeout(check, delay).unref();
  }

  #stall(why: string): void {
    this.close();
    this.#onStall(why);
  }
}

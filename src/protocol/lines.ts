// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Framing: bytes of a stream to lines that end in LF and nothing else.

/** A longer line is skipped up to its LF. Bytes, without the LF. */
export const longestLine = 256 * 1024;

const newline = 0x0a;

/**
 * Cuts a byte stream into lines. A line is handed on as text; null stands for one that was longer than
 * `limit` bytes or not UTF-8. U+2028 and U+2029 are ordinary characters; a CR before the LF is dropped,
 * blank lines are not handed on.
 */
export class LineReader {
  readonly #limit: number;
  readonly #onLine: (line: string | null) => void;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #parts: Buffer[] = [];
  #length = 0;
  #skipping = false;

  constructor(onLine: (line: string | null) => void, { limit = longestLine } = {}) {
    this.#onLine = onLine;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** What came after the last LF, when the stream has ended: it counts as a line. */
  end(): void {
    if (this.#length > 0) this.#finish();
  }

  #add(part: Buffer): void {
    if (part.length === 0 || this.#skipping) return;
    this.#length += part.length;
    // One byte more than the limit is allowed for a CR.
    if (this.#length > this.#limit + 1) {
      this.#skipping = true;
      this.#parts = [];
      this.#onLine(null);
      return;
    }
    this.#parts.push(part);
  }

  #finish(): void {
    const { 0: first } = this.#parts;
    let line = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    const skipped = this.#skipping;
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    if (skipped) return;
    if (line.at(-1) === 0x0d) line = line.subarray(0, -1);
    const text = line.length > this.#limit ? null : this.#text(line);
    if (text === null || text.trim() !== "") this.#onLine(text);
  }

  #text(line: Buffer): string | null {
    try {
      return this.#decoder.decode(line);
    } catch (cause) {
      if (cause instanceof TypeError) return null; // the decoder's word for bytes that are not UTF-8
      throw cause;
    }
  }
}

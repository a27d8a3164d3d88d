// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A conversation as a model is sent it: every message is serialised once, so its bytes never change.
import type { Message } from "../message.ts";

/** Serialised messages as a request has them, and their size in UTF-8 bytes. */
type Piece = { readonly strings: readonly string[]; readonly bytes: number };

export function serialise(messages: readonly Message[]): Piece {
  const strings = messages.map((message) => JSON.stringify(message).toWellFormed());
  return { strings, bytes: strings.reduce((sum, text) => sum + Buffer.byteLength(text), 0) };
}

/** The running turn's messages: they only grow, and are dropped whole when the turn stores nothing. */
export class Draft {
  readonly #strings: string[] = [];
  #bytes = 0;

  append(messages: readonly Message[]): void {
    const piece = serialise(messages);
    this.#strings.push(...piece.strings);
    this.#bytes += piece.bytes;
  }
  get strings(): readonly string[] {
    return this.#strings;
  }
  get bytes(): number {
    return this.#bytes;
  }
}

/** The finished turns that are still sent, behind a fixed beginning. */
export class Transcript {
  readonly #beginning: Piece;
  #turns: Piece[] = [];
  #bytes = 0;

  constructor(beginning: readonly Message[]) {
    this.#beginning = serialise(beginning);
  }

  /** Adds a turn in its stored form; from now on it is sent byte for byte the same. */
  seal(messages: readonly Message[]): void {
    const piece = serialise(messages);
    this.#turns.push(piece);
    this.#bytes += piece.bytes;
  }

  /** Drops oldest turns until at most `bytes` of turns are left; says how many went. */
  cut(bytes: number): number {
    let gone = 0;
    while (this.#bytes > bytes) {
      const oldest = this.#turns[gone];
      if (!oldest) break;
      this.#bytes -= oldest.bytes;
      gone += 1;
    }
    this.#turns = this.#turns.slice(gone);
    return gone;
  }

  /** Messages of a request, in order. */
  strings(draft: Draft): string[] {
    return [
      ...this.#beginning.strings,
      ...this.#turns.flatMap((turn) => turn.strings),
      ...draft.strings,
    ];
  }

  /** UTF-8 bytes of the fixed beginning and of the turns. */
  get size(): { beginning: number; turns: number } {
    return { beginning: this.#beginning.bytes, turns: this.#bytes };
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which keys answer a call that waits for a yes: never one that was meant for something else.
import type { OpenConfirm } from "./confirms.ts";
import type { Key } from "./editor.ts";

/** Milliseconds without a key before an answer counts: nobody reads a question faster. */
export const quietMs = 500;

/** "wait": it has just come, or somebody types; "busy": there is text in the line; "open": y and n count. */
export type Mode = "wait" | "busy" | "open";

/** What a key came to: "line": it belongs to the line being typed; "nothing": it is no answer. */
export type Press = "yes" | "no" | "view" | "aside" | "line" | "nothing" | "unseen";

/** What is in the line being typed. */
type Typed = { text: string; pasting: boolean };

/** Keys that the chat has with or without a question. */
const always = ["c", "l", "t", "z"];

/**
 * Takes the keys while a question is on the screen. It takes none before the question has been there,
 * and the keyboard quiet, for `quietMs`: a y that was typed ahead goes into the line, where it can be
 * seen. With text in the line the keys go on being its own until that is set aside. An answer is a
 * single key: right after another key it is a part of a word. All times are in milliseconds.
 */
export class YesNo {
  #confirm: OpenConfirm | null = null;
  /** When it came up. */
  #at = 0;
  /** When it came up, or the last key after that. */
  #since = 0;
  /** It takes the keys. */
  #settled = false;
  #aside = false;
  #mode: Mode = "wait";
  #fits = true;
  /** All of it was on the screen. */
  #seen = false;

  /**
   * What is drawn now, beside which text in the line; to be told at each drawing. Only what the person
   * has seen counts for a key. `fits`: all of the call is on the screen.
   */
  show(confirm: OpenConfirm | null, drawn: { fits: boolean; text: string }, now: number): Mode {
    if (confirm !== this.#confirm) {
      this.#confirm = confirm;
      this.#at = this.#since = now;
      this.#settled = false;
      this.#aside = false;
      this.#seen = false;
    }
    this.#fits = drawn.fits;
    this.#seen ||= drawn.fits;
    this.#mode = this.#modeOf(drawn.text, now);
    return this.#mode;
  }

  /** Milliseconds until the mode changes by itself; null when it does not. */
  left(text: string, now: number): number | null {
    if (!this.#confirm || this.#mode !== "wait") return null;
    const from = text === "" || this.#aside ? this.#since : this.#at;
    return Math.max(1, from + quietMs - now);
  }

  press(typed: string | undefined, key: Key, line: Typed, now: number): Press {
    const { name = "", ctrl = false, meta = false } = key;
    if (!this.#confirm) return "line";
    const mode = this.#mode;
    this.#since = now;
    if (line.pasting || name === "paste-start" || (ctrl && always.includes(name))) return "line";
    if (mode === "busy" && name === "tab" && !ctrl && !meta) {
      this.#aside = true;
      this.#settled = true;
      this.#since = now - quietMs;
      return "aside";
    }
    if (mode === "busy" || !this.#settled || (line.text !== "" && !this.#aside)) return "line";
    if (ctrl && name === "d" && line.text === "") return "line";
    if (ctrl || meta) return "nothing";
    const answer = typed?.toLowerCase();
    if (answer === "v" && !this.#fits) return "view";
    if (mode !== "open" || (answer !== "y" && answer !== "n")) return "nothing";
    if (answer === "n") return "no";
    return this.#seen ? "yes" : "unseen";
  }

  /** All of it was shown, and is to be read now. */
  viewed(): void {
    this.#seen = true;
    this.#settled = false;
  }

  #modeOf(text: string, now: number): Mode {
    if (text !== "" && !this.#aside) return now - this.#at >= quietMs ? "busy" : "wait";
    const quiet = now - this.#since >= quietMs;
    this.#settled ||= quiet;
    return quiet ? "open" : "wait";
  }
}

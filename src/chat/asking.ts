// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Asks the person at the chat: draws the call that waits for a yes, takes its keys, gives the answer.
import { askedLines, exactLines } from "./asked.ts";
import type { Confirms, OpenConfirm } from "./confirms.ts";
import type { Editor, Key } from "./editor.ts";
import { type Line, span, style } from "./line.ts";
import { wrap } from "./wrap.ts";
import { type Mode, type Press, YesNo } from "./yes-no.ts";

const words = {
  nothing: "Only y (run it) and n (do not run it) answer, each pressed alone.",
  unseen: "Not all of it fits here. v shows it, then y or n.",
};

export type AskingOptions = {
  confirms: Confirms;
  /** What is being typed, which is left as it is. */
  editor: Editor;
  /** Shows lines that stay. */
  say(lines: Line[]): void;
  draw(): void;
  answer(confirm: OpenConfirm, allow: boolean): void;
};

export class Asking {
  readonly #options: AskingOptions;
  readonly #yesNo = new YesNo();
  /** Until the question takes its keys. */
  #timer: NodeJS.Timeout | null = null;
  /** The one on the screen. */
  #drawn: OpenConfirm | null = null;
  #columns = 80;
  /** Keys so far. */
  #keys = 0;
  #told: OpenConfirm | null = null;

  constructor(options: AskingOptions) {
    this.#options = options;
  }

  /** To be asked at each drawing, and to be drawn then; none when nothing waits. */
  lines(columns: number, rows: number): Line[] {
    this.end();
    this.#columns = columns;
    const { confirms, editor, draw } = this.#options;
    const confirm = confirms.first;
    this.#drawn = confirm;
    const now = performance.now();
    const { text } = editor;
    if (!confirm) {
      this.#yesNo.show(null, { fits: true, text }, now);
      return [];
    }
    const drawn = (mode: Mode) => askedLines(confirm, { columns, rows, mode });
    const mode = this.#yesNo.show(confirm, { fits: drawn("open").fits, text }, now);
    const left = this.#yesNo.left(text, now);
    if (left !== null) this.#timer = setTimeout(draw, left);
    return drawn(mode).lines;
  }

  /** True when the key was taken, and is none of the line being typed. */
  key(typed: string | undefined, key: Key): boolean {
    this.#keys++;
    const press = this.#yesNo.press(typed, key, this.#options.editor, performance.now());
    const confirm = this.#drawn;
    // Another one may have taken its place since: the key was not meant for that.
    if (press === "line" || !this.#isOpen(confirm)) return false;
    this.#take(press, confirm);
    return true;
  }

  /** Nothing is drawn any more. */
  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #take(press: Exclude<Press, "line">, confirm: OpenConfirm): void {
    const { say, answer } = this.#options;
    if (press === "view") {
      this.#yesNo.viewed();
      say([...exactLines(confirm, this.#columns), []]);
    } else if (press === "unseen") this.#tell(words.unseen);
    else if (press === "nothing") this.#tellKeys(confirm);
    else if (press !== "aside") {
      const keys = this.#keys;
      // Text that is pasted into a terminal without paste marks comes in one piece, and is no answer.
      setImmediate(() => {
        if (!this.#isOpen(confirm)) return;
        if (keys === this.#keys) answer(confirm, press === "yes");
        else this.#tellKeys(confirm);
      });
    }
  }

  #isOpen(confirm: OpenConfirm | null): confirm is OpenConfirm {
    return confirm !== null && confirm === this.#options.confirms.first;
  }

  /** Once for each question. */
  #tellKeys(confirm: OpenConfirm): void {
    if (this.#told === confirm) return;
    this.#told = confirm;
    this.#tell(words.nothing);
  }

  #tell(text: string): void {
    this.#options.say([...wrap([span(text, style.dim)], this.#columns), []]);
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The line that is being typed: keys in, text and cursor out, with the questions before it by arrow keys.
import { clean } from "./clean.ts";
import { graphemes } from "./width.ts";

/** A key as node:readline's keypress events give it. */
export type Key = {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean | undefined;
  meta?: boolean | undefined;
};

/** What the chat has to do after a key; null: nothing but drawing the line anew. */
export type Action =
  | { type: "enter"; text: string }
  | { type: "interrupt" | "end" | "unfold" | "redraw" | "suspend" }
  | null;

const longestHistory = 500;

export class Editor {
  text = "";
  /** In UTF-16 units, always between two characters. */
  cursor = 0;
  #history: string[] = [];
  /** Which of the history is shown; its length: the new line. */
  #at = 0;
  #draft = "";
  #killed = "";
  #pasting = false;

  /** The questions that arrow keys bring back, oldest first. */
  seed(questions: readonly string[]): void {
    this.#history = questions.slice(-longestHistory);
    this.#at = this.#history.length;
  }

  /** What comes is pasted, not typed. */
  get pasting(): boolean {
    return this.#pasting;
  }

  clear(): void {
    this.#set("");
  }

  /** `typed` is the text of the key, undefined for keys without one. */
  press(typed: string | undefined, key: Key): Action {
    const { name = "", ctrl = false, meta = false } = key;
    if (name === "paste-start" || name === "paste-end") {
      this.#pasting = name === "paste-start";
      return null;
    }
    if (this.#pasting) {
      // A pasted newline is text: the person has not pressed Enter yet.
      this.#insert(name === "return" || name === "enter" ? "\n" : (key.sequence ?? typed ?? ""));
      return null;
    }
    if (name === "return" || name === "enter") {
      if (meta) this.#insert("\n");
      else return this.#enter();
    } else if (ctrl) return this.#control(name);
    else if (meta) this.#alt(name);
    else if (!this.#move(name) && typed !== undefined && name !== "escape" && name !== "tab") {
      this.#insert(typed);
    }
    return null;
  }

  #enter(): Action {
    const { text } = this;
    if (text.trim() === "") {
      this.#set("");
      return null;
    }
    if (this.#history.at(-1) !== text) this.#history.push(text);
    this.seed(this.#history);
    this.#draft = "";
    this.#set("");
    return { type: "enter", text };
  }

  #control(name: string): Action {
    switch (name) {
      case "c":
        return { type: "interrupt" };
      case "d":
        if (this.text === "") return { type: "end" };
        this.#cut(this.cursor, this.#after());
        break;
      case "t":
        return { type: "unfold" };
      case "l":
        return { type: "redraw" };
      case "z":
        return { type: "suspend" };
      case "j":
        return this.#enter();
      case "a":
        this.cursor = 0;
        break;
      case "e":
        this.cursor = this.text.length;
        break;
      case "b":
        this.cursor = this.#before();
        break;
      case "f":
        this.cursor = this.#after();
        break;
      case "p":
        this.#recall(-1);
        break;
      case "n":
        this.#recall(1);
        break;
      case "h":
        this.#cut(this.#before(), this.cursor);
        break;
      case "w":
        this.#kill(this.#wordBefore(), this.cursor);
        break;
      case "u":
        this.#kill(0, this.cursor);
        break;
      case "k":
        this.#kill(this.cursor, this.text.length);
        break;
      case "y":
        this.#insert(this.#killed);
        break;
      case "left":
        this.cursor = this.#wordBefore();
        break;
      case "right":
        this.cursor = this.#wordAfter();
        break;
    }
    return null;
  }

  #alt(name: string): void {
    if (name === "b" || name === "left") this.cursor = this.#wordBefore();
    else if (name === "f" || name === "right") this.cursor = this.#wordAfter();
    else if (name === "d") this.#kill(this.cursor, this.#wordAfter());
    else if (name === "backspace") this.#kill(this.#wordBefore(), this.cursor);
  }

  /** True when the key was one that moves or deletes. */
  #move(name: string): boolean {
    if (name === "left") this.cursor = this.#before();
    else if (name === "right") this.cursor = this.#after();
    else if (name === "home") this.cursor = 0;
    else if (name === "end") this.cursor = this.text.length;
    else if (name === "up") this.#recall(-1);
    else if (name === "down") this.#recall(1);
    else if (name === "backspace") this.#cut(this.#before(), this.cursor);
    else if (name === "delete") this.#cut(this.cursor, this.#after());
    else return false;
    return true;
  }

  #recall(step: number): void {
    const next = this.#at + step;
    if (next < 0 || next > this.#history.length) return;
    if (this.#at === this.#history.length) this.#draft = this.text;
    this.#at = next;
    this.#set(this.#history[next] ?? this.#draft);
  }

  #set(text: string): void {
    this.text = text;
    this.cursor = text.length;
  }

  #insert(typed: string): void {
    const safe = clean(typed);
    this.text = this.text.slice(0, this.cursor) + safe + this.text.slice(this.cursor);
    this.cursor += safe.length;
  }

  #cut(from: number, to: number): void {
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.cursor = from;
  }

  #kill(from: number, to: number): void {
    if (from < to) this.#killed = this.text.slice(from, to);
    this.#cut(from, to);
  }

  #before = () => this.cursor - (graphemes(this.text.slice(0, this.cursor)).at(-1)?.length ?? 0);
  #after = () => this.cursor + (graphemes(this.text.slice(this.cursor)).at(0)?.length ?? 0);
  #wordBefore = () =>
    this.text.slice(0, this.cursor).replace(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u, "").length;
  #wordAfter = () => {
    const rest = this.text.slice(this.cursor);
    return this.cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(rest)?.[0].length ?? 0);
  };
}

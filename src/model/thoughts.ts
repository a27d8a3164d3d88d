// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Thoughts that a server leaves in the text, between <think> and </think> at its beginning.
import type { ModelEvent } from "./model.ts";

/** A part of what came: thoughts, or words for the person. */
export type Part = Extract<ModelEvent, { type: "think" | "text" }>;

const open = "<think>";
const close = "</think>";

/** Sorts the pieces of one reply, cut anywhere; pieces stay pieces. A tag later in the text is text. */
export class Thoughts {
  #at: "begin" | "inside" | "behind" | "text" = "begin";
  /** What may still become a tag. */
  #held: string[] = [];

  take(delta: string): Part[] {
    switch (this.#at) {
      case "begin": {
        this.#held.push(delta);
        const begun = this.#held.join("").trimStart();
        if (begun.startsWith(open)) {
          this.#held = [];
          this.#at = "inside";
          return this.take(begun.slice(open.length));
        }
        if (open.startsWith(begun)) return [];
        this.#at = "text";
        return this.end();
      }
      case "inside": {
        const inside = this.#held.join("") + delta;
        const end = inside.indexOf(close);
        const kept = end < 0 ? halfTag(inside) : "";
        const thought = inside.slice(0, end < 0 ? inside.length - kept.length : end);
        this.#held = kept === "" ? [] : [kept];
        const thoughts = parts("think", [thought]);
        if (end < 0) return thoughts;
        this.#at = "behind";
        return [...thoughts, ...this.take(inside.slice(end + close.length))];
      }
      case "behind": {
        const words = delta.trimStart();
        if (words !== "") this.#at = "text";
        return parts("text", [words]);
      }
      case "text":
        return parts("text", [delta]);
    }
  }

  /** What was held back, when nothing more comes. */
  end(): Part[] {
    const left = this.#held;
    this.#held = [];
    return parts(this.#at === "inside" ? "think" : "text", left);
  }
}

const parts = (type: Part["type"], deltas: readonly string[]): Part[] =>
  deltas.filter((delta) => delta !== "").map((delta) => ({ type, delta }));

/** The longest end of the text that may become the closing tag. */
function halfTag(text: string): string {
  for (let length = close.length - 1; length > 0; length -= 1)
    if (text.endsWith(close.slice(0, length))) return close.slice(0, length);
  return "";
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a model, a tool or a server wrote, made safe to be written to a terminal.

// Control bytes but newline and tab (they move the cursor, set titles, answer queries), marks that
// turn the direction of text around (they make a command read as another one), and characters that
// are drawn as nothing but are copied along (interlinear notes, tags, deprecated format marks).
const unsafe = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e" +
    "\\u2060-\\u206f\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]",
  "gu",
);
const lineSeparators = /[\u2028\u2029]/g;

/** The text without control bytes other than newline and tab, always well-formed. */
export function clean(text: string): string {
  return text.toWellFormed().replace(lineSeparators, "\n").replace(unsafe, "");
}

/** The same on one line: newlines and tabs become spaces. For titles, names and messages. */
export function cleanLine(text: string): string {
  return clean(text)
    .replace(/[\n\t]+/g, " ")
    .trim();
}

/** JSON text in which nothing can act on a terminal; its value is unchanged. */
export function cleanJson(json: string): string {
  return json.replace(unsafe, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Cleans a text that comes in pieces: a character that was cut in two waits for its other half. */
export class Cleaner {
  #half = "";

  push(delta: string): string {
    const text = this.#half + delta;
    const last = text.charCodeAt(text.length - 1);
    const cut = last >= 0xd800 && last <= 0xdbff;
    this.#half = cut ? text.slice(-1) : "";
    return clean(cut ? text.slice(0, -1) : text);
  }
}

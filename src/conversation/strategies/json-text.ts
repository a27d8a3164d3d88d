// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// JSON inside a text that may still be growing: where it ends, or that it is none.

const text = /"(?:[^"\\]|\\.)*"/sy;
const word = /[\w.+-]+/y;
const wholeWord = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const halfWord = (some: string) =>
  /^-?[\d.eE+-]*$/.test(some) || ["true", "false", "null"].some((one) => one.startsWith(some));
const spaces = /\s*/y;

/** What may come next: a value, a key, a colon, or a comma or the end; `first`: also the end at once. */
type Want = "value" | "first" | "key" | "colon" | "next";

/**
 * Where the object or list ends that begins at `from`, as an index behind it; "open" when the given text
 * ends before, "broken" when no JSON can come of it.
 */
export function jsonEnd(given: string, from: number): number | "open" | "broken" {
  const open: string[] = [];
  let want: Want = "value";
  let at = from;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(given)?.[0];
    if (found === undefined) return null;
    at += found.length;
    return found;
  };
  const inObject = () => open.at(-1) === "{";
  for (;;) {
    take(spaces);
    const char = given[at];
    if (char === undefined) return "open";
    if ((char === "}" || char === "]") && (want === "first" || want === "next")) {
      if (open.pop() !== (char === "}" ? "{" : "[")) return "broken";
      at += 1;
      if (open.length === 0) return at;
      want = "next";
    } else if (want === "next") {
      if (char !== ",") return "broken";
      at += 1;
      want = inObject() ? "key" : "value";
    } else if (want === "colon") {
      if (char !== ":") return "broken";
      at += 1;
      want = "value";
    } else if (char === '"') {
      if (take(text) === null) return "open";
      const isKey: boolean = want === "key" || (want === "first" && inObject());
      want = isKey ? "colon" : "next";
    } else if (want === "key" || (want === "first" && inObject())) return "broken";
    else if (char === "{" || char === "[") {
      open.push(char);
      at += 1;
      want = "first";
    } else {
      const found = take(word);
      if (found === null) return "broken";
      if (at === given.length && halfWord(found)) return "open";
      if (!wholeWord.test(found)) return "broken";
      want = "next";
    }
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Consecutive prompts of a conversation, each as what it changes in the one before, for eyes and for the docs.

export type Titled = { title: string; text: string };

/** Characters of a text that are shown. */
const longest = 360;

const bytes = (text: string) => Buffer.byteLength(text).toLocaleString("en");

/** One line; the middle of a long text is left out. */
export function shortened(text: string, most = longest): string {
  const shown = (part: string) => part.replaceAll("\n", "\\n");
  if (text.length <= most) return shown(text);
  const [head, tail] = [Math.ceil((most * 2) / 3), Math.floor(most / 3)];
  const middle = text.slice(head, text.length - tail);
  return `${shown(text.slice(0, head).toWellFormed())} [${bytes(middle)} bytes] ${shown(text.slice(text.length - tail).toWellFormed())}`;
}

/** Where two texts part, never in the middle of a character. */
function parting(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return /[\ud800-\udbff]/.test(one[at - 1] ?? "") ? at - 1 : at;
}

export function diffLines(prompts: readonly Titled[], most = longest): string[] {
  return prompts.flatMap(({ title, text }, index) => {
    const before = prompts[index - 1]?.text;
    if (before === undefined)
      return [`${title}: ${bytes(text)} bytes`, `  + ${shortened(text, most)}`];
    const at = parting(before, text);
    const [gone, come] = [before.slice(at), text.slice(at)];
    const same = `${title}: ${bytes(text.slice(0, at))} of ${bytes(text)} bytes as before`;
    if (gone === "" && come === "") return [same];
    return [
      same,
      ...(gone === "" ? [] : [`  - ${shortened(gone, most)}`]),
      ...(come === "" ? [] : [`  + ${shortened(come, most)}`]),
    ];
  });
}

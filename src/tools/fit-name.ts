// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Names in letters that a model may write, apart from each other also when they are in another script.
import { createHash } from "node:crypto";

const longest = 64;

/**
 * `fit` is `whole` in letters, digits, `_` and `-`. It ends with a part of the name's hash where it is too
 * long, and where a word of another script left nothing of itself, so that no two names become one.
 */
export function apart(whole: string, fit: string): string {
  if (fit.length <= longest && !losesWord(whole, fit)) return fit;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${fit.slice(0, longest - 9)}_${hash}`;
}

function losesWord(whole: string, fit: string): boolean {
  if (fit === whole) return false;
  const words = whole.normalize("NFKD").match(/[\p{L}\p{M}\p{N}]+|\p{So}/gu) ?? [];
  return words.some((word) => !/[A-Za-z0-9]/.test(word));
}

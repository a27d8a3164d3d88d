// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Long texts for questions: plain words in an order that no two texts share.

const words =
  "house river table water light morning garden window street letter music paper stone bread winter summer market mountain village forest island bridge corner kitchen doctor teacher picture number evening sister brother engine ticket station harbour weather pocket candle basket mirror".split(
    " ",
  );

/** So many words; about as many tokens. Another `seed` gives another text from its first words on. */
export function text(count: number, seed: number): string {
  let state = (seed * 7919 + 17) % 65_537;
  const next = () => {
    state = (state * 75 + 74) % 65_537;
    return words[state % words.length] ?? "";
  };
  return Array.from({ length: count }, next).join(" ");
}

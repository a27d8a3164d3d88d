// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A crude guess at the language of a sentence, good enough to see that one language goes worse than another.

const words: Record<string, string> = {
  en: "the is what what's my me of to for and in on do you how who when are with it's this that i please set turn there",
  de: "der die das ist was wie mein meine mir ich und für auf den dem ein eine wer wann sind bitte nicht mit im von habe es wird",
  it: "il lo la gli che è di mi un una per con sono come chi quando della del nel le ho mio mia e dimmi quanto oggi alle",
  fr: "le la les est que quel quelle je mon ma des du un une pour avec qui quand et à ce dans il y sont combien au pas",
  es: "el la los las es qué que de mi un una para con quién cuándo y en está cómo del me por hay cuánto al son no",
  pt: "o a os as é que de meu minha um uma para com quem quando e em está como do da me por há quanto não são",
  nl: "de het een is wat mijn van voor en in op wie wanneer hoe ik zijn met niet dat er te heb",
};
const known = Object.entries(words).map(([name, list]) => ({
  name,
  list: new Set(list.split(" ")),
}));

const scripts: readonly (readonly [name: string, script: RegExp])[] = [
  ["ja", /[\u3040-\u30ff]/],
  ["zh", /[\u4e00-\u9fff]/],
  ["ru", /[\u0400-\u04ff]/],
  ["el", /[\u0370-\u03ff]/],
];

/** A two-letter name, or "other" when nothing tells. */
export function languageOf(text: string): string {
  const script = scripts.find(([, letters]) => letters.test(text));
  if (script) return script[0];
  const said = text
    .toLowerCase()
    .split(/[^\p{L}'’]+/u)
    .flatMap((word) => [word, ...word.split(/['’]/)]);
  const scores = known.map(({ name, list }) => ({
    name,
    score: said.filter((word) => list.has(word)).length,
  }));
  const [best, next] = scores.toSorted((one, other) => other.score - one.score);
  return best && best.score > 0 && best.score > (next?.score ?? 0) ? best.name : "other";
}

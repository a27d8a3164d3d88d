// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A text as the words that a search compares: without case, accents, endings and words that say nothing.
import { plain } from "../../tools/plain.ts";

/** Words that stand in any question. */
const empty = new Set(
  `a an and are as at be been but by can could d did do does for from get give had has have he her here
   hi him his how i if in into is it its just ll let like m may me my need now of on or our out over
   please put re s she should so some something than thank thanks that the their them then there they
   this to too us ve want was we were what when where which who why will with would you your about any
   all am not no one up down very much many more really tell know
   il lo la i gli le un uno una di da del della dei delle in con su per tra fra e o che chi cosa come
   quando dove quale quali mi ti ci si ho hai ha sono era nel nella al alla ai mio mia po
   der die das dem den des ein eine einen einem einer und oder von zu zum zur mit bei im am um an auf
   wie wo wann was wer welche welcher welches ich du er sie es wir ihr mir mich dich ist sind hat habe
   hast wird noch für mein meine meinen
   el los las unos unas y en con por para que qué como cómo cuando cuándo donde dónde tengo tiene hay
   es son me te se mi tu su al les des du et ou une dans pour avec sur ce cette est sont je il elle nous
   vous mon ma mes quel quelle`
    .split(/\s+/)
    .map(plain),
);

const endings = [/(?<=[a-z]{3})ies$/, /(?<=(?:ss|sh|ch|x|zz))es$/, /(?<=[a-z]{2}[^su])s$/];
const suffixes = /(?<=[a-z]{3})(?:ing|ed|er|ers|ation|ations|ment|ly)$/;

/** Plural, tense and the like taken off, roughly: it only has to be the same for both sides. */
export function stem(word: string): string {
  let text = word;
  for (const ending of endings)
    if (ending.test(text)) {
      text = text.replace(ending, ending === endings[0] ? "y" : "");
      break;
    }
  text = text.replace(suffixes, "");
  // "planning" and "plan", "note" and "noting"
  text = text.replace(/([bdfgmnprt])\1$/, "$1");
  return text.length > 3 ? text.replace(/[ei]$|(?<=[^aeiou])y$/, "") : text;
}

/** The words of a text or of a name in snake_case or camelCase, as stems; empty words left out. */
export function wordsOf(text: string): string[] {
  // "to-do" and "e-mail" are words of their own, and hide in what is left of them.
  const parted = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/\b(\p{L}{1,3})-(\p{L}+)/gu, "$1$2 $2");
  const found = plain(parted).match(/[\p{L}\p{N}]+/gu) ?? [];
  return found.filter((word) => !empty.has(word)).map(stem);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Finds in an answer the claim that something was done, which only a tool could have done.
import { type Language, languages } from "./claims/languages.ts";
import { spokenSentences } from "./claims/spoken.ts";

/** What the turn's calls stand for: something was changed, words were sent out, any call succeeded. */
export type Backing = { changed: boolean; sent: boolean; called: boolean };

const any = (words: string) => `(?<![\\p{L}\\p{N}-])(?:${words})(?![\\p{L}\\p{N}])`;
const pattern = (source: string) => new RegExp(source, "u");
const never = /(?!)/;

/** A language's words as patterns. */
function rules(words: Language) {
  const { me, is, been, states, done, past } = words;
  const thing = `(?:[a-z]')?(?:${words.things}|${words.files}|${words.letters})`;
  // "The email to Anna has been sent": little may stand around what it is about.
  const about = `(?:[^ ]+ ){0,3}?${thing}(?: [^ ,;:]+){0,5}?`;
  const opener = `(?:(?:${done})[ ,:;–-]+)`;
  return {
    sending: pattern(`${any(me)} ?(?:${any(words.sending)})`),
    reaching: pattern(`${any(me)} ?(?:${any(words.reaching)})`),
    making: pattern(`${any(me)} ?(?:${any(words.making)})`),
    ending: pattern(`${any(me)} ?(?:${any(words.ending)})`),
    looked: pattern(`${any(me)} ?(?:${any(words.looked)})`),
    past: past === undefined ? never : pattern(`^${opener}?(?:(?:ya|te|le|lo|la) )*${any(past)}`),
    it: pattern(any(words.it)),
    things: pattern(any(words.things)),
    files: pattern(any(words.files)),
    letters: pattern(any(words.letters)),
    seen: pattern(any(words.seen)),
    been: pattern(`^${opener}?${about} (?:${been}) (?:${any(states)})`),
    isAfterDone: pattern(`^${opener}${about} (?:${is}) (?:${any(states)})`),
    is: pattern(`^${about} (?:${is}) (?:${any(states)})`),
    short: pattern(`^${opener}?${thing} (?:${any(states)})(?:[:,]|(?: [^ ,;:]+){0,6}$)`),
    done: pattern(`^(?:${done})$`),
    not: pattern(any(words.not)),
    unreal: pattern(any(words.unreal)),
    text: pattern(any(words.text)),
  };
}
const all = languages.map(rules);
type Rules = (typeof all)[number];

/** True when the answer claims an action that no call of the turn stands for. */
export function claims(answer: string, { changed, sent, called }: Backing): boolean {
  if (changed) return false;
  const sentences = spokenSentences(answer).map((sentence) => sentence.replace(/[.!\s]+$/, ""));
  const withCode = /```|~~~/.test(answer);
  return sentences.some((sentence, at) =>
    all.some((one) => {
      if (one.not.test(sentence) || one.text.test(sentence)) return false;
      if (!sent && real(one, one.sending, sentence)) return true;
      if (real(one, one.reaching, sentence)) return true;
      if (saysDone(one, sentence, withCode)) return true;
      return !called && (saysLooked(one, sentence) || saysState(one, sentence, sentences[at - 1]));
    }),
  );
}

/** The pattern stands in the sentence, and nothing before it makes it unreal: "if I had", "she said". */
function real(one: Rules, found: RegExp, sentence: string): boolean {
  const at = sentence.search(found);
  return at >= 0 && !one.unreal.test(sentence.slice(0, at));
}

/** "I've deleted it", "I've added it to your calendar". */
function saysDone(one: Rules, sentence: string, withCode: boolean): boolean {
  // Beside code, a file that was made or changed is that code.
  const outside = one.things.test(sentence) || (!withCode && one.files.test(sentence));
  if (real(one, one.ending, sentence) && !withCode && one.it.test(sentence)) return true;
  if (real(one, one.ending, sentence) || one.past.test(sentence))
    return outside || one.letters.test(sentence);
  return outside && real(one, one.making, sentence);
}

const saysLooked = (one: Rules, sentence: string) =>
  one.seen.test(sentence) && real(one, one.looked, sentence);

/** "Done, the reminder is set": by whom is not said, so any call may stand for it. */
function saysState(one: Rules, sentence: string, before: string | undefined): boolean {
  if (one.unreal.test(sentence)) return false;
  if (one.been.test(sentence) || one.isAfterDone.test(sentence) || one.short.test(sentence))
    return true;
  return before !== undefined && one.done.test(before) && one.is.test(sentence);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Tools in the order in which they fit a question, by the words of both.
import type { ToolSchema } from "../../message.ts";
import { asRecord } from "../../tools/schema.ts";
import { sameMeaning } from "./synonyms.ts";
import { stem, wordsOf } from "./words.ts";

/** How much a word counts by where it stands in a tool. */
const weights = { name: 3, server: 1.5, description: 2, parameter: 0.7, about: 0.3 };
/** The usual bounds of BM25: how soon a repeated word stops counting, and how much length does. */
const saturation = 1.2;
const lengthShare = 0.4;
/** A word that only means the same, or only begins the same, counts less than the word itself. */
const synonymShare = 0.55;
/** A tool that has several words of one meaning is found by the best, and a little by the others. */
const moreShare = 0.3;
const alikeShare = 0.5;
/** Who asks, rather than orders, wants to be told something. */
const lookingShare = 0.3;
const looking = wordsOf("list search read query view current");
/** What the best tool of a server is found by says a little of its others. */
const siblingShare = 0.15;
/** An earlier question counts so much of the one after it, and only so many do. */
const earlierShare = 0.3;
const earlierCount = 3;

/** What stands in a question without its word. */
const hints: readonly (readonly [sign: RegExp, word: string])[] = [
  [/\S@\S+\.\S/, stem("email")],
  [/https?:/, stem("url")],
  [/\p{L}\.\p{Ll}{2,4}\b/u, stem("file")],
];

/** Of a longer text only the two ends are looked at: what is asked stands there. */
const ends = 1000;

type Postings = Map<number, number>;
/** Words any of which will do, and how much each counts. */
type Asked = readonly (readonly [word: string, weight: number])[];

export class Ranking<T extends ToolSchema> {
  readonly #tools: readonly T[];
  /** Word to tool to its weight there. */
  readonly #words = new Map<string, Postings>();
  readonly #lengths: number[];
  readonly #usual: number;
  readonly #servers: readonly string[];
  readonly #alike = new Map<string, readonly string[]>();

  constructor(tools: readonly T[]) {
    this.#tools = tools;
    this.#servers = tools.map(serverOf);
    // Tools of one server say much in the same words.
    const known = new Map<string, readonly string[]>();
    const words = (text: string) => {
      const found = known.get(text) ?? wordsOf(bounded(text));
      known.set(text, found);
      return found;
    };
    this.#lengths = tools.map((tool, at) => this.#add(tool, at, words));
    this.#usual = this.#lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, tools.length);
  }

  /** The tools in the order in which they fit a question, those that do not at all left out. */
  rank(question: string, earlier: readonly string[] = []): T[] {
    return [...this.#withSiblings(this.#scores(this.#asked(question, earlier)))]
      .sort(([at, one], [other, two]) => two - one || at - other)
      .flatMap(([at]) => this.#tools[at] ?? []);
  }

  #scores(asked: readonly Asked[]): Map<number, number> {
    const scores = new Map<number, number>();
    for (const alternatives of asked) {
      const best = new Map<number, number>();
      for (const [word, weight] of alternatives)
        for (const [at, found] of this.#words.get(word) ?? []) {
          const worth = weight * this.#worth(word, at, found);
          const before = best.get(at) ?? 0;
          best.set(at, Math.max(before, worth) + moreShare * Math.min(before, worth));
        }
      for (const [at, score] of best) scores.set(at, (scores.get(at) ?? 0) + score);
    }
    return scores;
  }

  /** What a word says for a tool that has it: more when few have it and when the tool has few words. */
  #worth(word: string, at: number, found: number): number {
    const having = this.#words.get(word)?.size ?? 0;
    const rare = Math.log(1 + (this.#tools.length - having + 0.5) / (having + 0.5));
    const length = (this.#lengths[at] ?? 0) / this.#usual;
    const bound = saturation * (1 - lengthShare + lengthShare * length);
    return (rare * found * (saturation + 1)) / (found + bound);
  }

  #withSiblings(scores: ReadonlyMap<number, number>): Map<number, number> {
    const best = new Map<string, number>();
    for (const [at, score] of scores) {
      const server = this.#servers[at] ?? "";
      if (server !== "") best.set(server, Math.max(best.get(server) ?? 0, score));
    }
    const whole = new Map<number, number>();
    for (const [at, server] of this.#servers.entries()) {
      const score = (scores.get(at) ?? 0) + siblingShare * (best.get(server) ?? 0);
      if (score > 0) whole.set(at, score);
    }
    return whole;
  }

  #add(
    { name, description, parameters }: ToolSchema,
    at: number,
    words: (text: string) => readonly string[],
  ): number {
    let length = 0;
    const take = (text: unknown, weight: number) => {
      if (typeof text !== "string") return;
      for (const word of words(text)) {
        const postings = this.#words.get(word) ?? new Map<number, number>();
        postings.set(at, (postings.get(at) ?? 0) + weight);
        this.#words.set(word, postings);
        length += weight;
      }
    };
    const server = this.#servers[at] ?? "";
    take(server, weights.server);
    take(name.slice(server.length), weights.name);
    take(description, weights.description);
    for (const [param, about] of Object.entries(asRecord(parameters.properties))) {
      take(param, weights.parameter);
      take(asRecord(about).description, weights.about);
    }
    return length;
  }

  /** What is looked for, each with the words that would do for it. */
  #asked(question: string, earlier: readonly string[]): Asked[] {
    const asked: Asked[] = [];
    let share = 1;
    for (const whole of [question, ...earlier.slice(-earlierCount).reverse()]) {
      const text = bounded(whole);
      const hinted = hints.flatMap(([sign, word]) => (sign.test(text) ? word : []));
      const words = new Set([...wordsOf(text), ...hinted]);
      const now = [...words].map((word) =>
        [[word, 1] as const, ...this.#othersFor(word)].map(
          ([one, less]) => [one, share * less] as const,
        ),
      );
      // By itself it finds nothing, it only tells tools apart that were found.
      const found = now.some((one) => one.some(([word]) => this.#words.has(word)));
      if (found && /[?？]/.test(text))
        now.push(...looking.map((word) => [[word, share * lookingShare] as const]));
      asked.push(...now);
      share *= earlierShare;
    }
    return asked;
  }

  /** Other words to look for, and how much less they count. */
  #othersFor(word: string): (readonly [word: string, less: number])[] {
    const same = sameMeaning(word);
    if (this.#words.has(word) || same.length > 0)
      return same.map((other) => [other, synonymShare] as const);
    return this.#begunAlike(word).map((other) => [other, alikeShare] as const);
  }

  /** Words of tools that begin as an unknown word does: "calendario" is "calendar". */
  #begunAlike(word: string): readonly string[] {
    const known = this.#alike.get(word);
    if (known) return known;
    const least = Math.max(4, Math.ceil(word.length * 0.6));
    const found = [...this.#words.keys()].filter(
      (other) => other.length >= 4 && common(word, other) >= Math.max(least, other.length * 0.7),
    );
    this.#alike.set(word, found);
    return found;
  }
}

/** How many letters two words have in common at their beginning. */
function common(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** The server of a tool, "" when it has none. */
function serverOf({ name }: ToolSchema): string {
  const [server = "", ...rest] = name.split("__");
  return rest.length > 0 ? server : "";
}

const bounded = (text: string) =>
  text.length <= 2 * ends ? text : `${text.slice(0, ends)} ${text.slice(-ends)}`;

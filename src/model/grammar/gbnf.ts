// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A grammar as llama-server reads it (GBNF): its parts, and rules that alike parts share.

/** First and last code point. */
export type Range = readonly [first: number, last: number];

export type Part =
  | { kind: "text"; text: string }
  | { kind: "set"; ranges: readonly Range[] }
  | { kind: "rule"; name: string }
  | { kind: "row"; parts: readonly Part[] }
  | { kind: "either"; parts: readonly Part[] }
  | { kind: "times"; part: Part; least: number; most: number };

/** What a grammar cannot say, or not in a sane size. */
export class Inexpressible extends Error {}

/** The longest repetition in one piece: llama-server refuses the whole grammar for one of 2,000. */
const chunk = 1000;
const mostTimes = 20_000;
/** A rule of its own is shorter only from here on. */
const shortest = 24;

export const text = (given: string): Part => ({ kind: "text", text: given });
export const set = (...ranges: Range[]): Part => ({ kind: "set", ranges });
/** The signs of a text as a set. */
export const oneOf = (signs: string): Part =>
  set(...[...signs].map((sign): Range => [codeOf(sign), codeOf(sign)]));
export const digit: Part = set([0x30, 0x39]);

const codeOf = (sign: string) => sign.codePointAt(0) ?? 0;
const isEmpty = (part: Part) => part.kind === "text" && part.text === "";

export function row(...given: Part[]): Part {
  const parts: Part[] = [];
  for (const part of given.flatMap((one) => (one.kind === "row" ? one.parts : [one]))) {
    const last = parts.at(-1);
    if (part.kind === "text" && last?.kind === "text")
      parts[parts.length - 1] = text(last.text + part.text);
    else if (!isEmpty(part)) parts.push(part);
  }
  const [only = text("")] = parts;
  return parts.length < 2 ? only : { kind: "row", parts };
}

/** Times of a part that is a text, a set or a rule; `Rules.times` takes any. */
export function times(part: Part, least: number, most: number): Part {
  if (most === 0) return text("");
  return least === 1 && most === 1 ? part : { kind: "times", part, least, most };
}

export const optional = (part: Part): Part => (isEmpty(part) ? part : times(part, 0, 1));

/**
 * One of several. What they begin with alike stands once: the server follows every one that may
 * still come, each for all of its words.
 */
export function either(...given: Part[]): Part {
  const flat = given.flatMap((one) => (one.kind === "either" ? one.parts : [one]));
  const groups = new Map<string, Part[]>();
  for (const part of flat) {
    const begin = beginOf(part);
    const key = begin === "" ? `=${write(part)}` : String.fromCodePoint(codeOf(begin));
    const group = groups.get(key);
    if (group && begin !== "") group.push(part);
    else groups.set(key, [part]);
  }
  const all = [...groups.values()].map(joined);
  const parts = all.filter((part) => !isEmpty(part));
  const [only] = parts;
  if (!only) return text("");
  const some: Part = parts.length === 1 ? only : { kind: "either", parts };
  return parts.length < all.length ? optional(some) : some;
}

function beginOf(part: Part): string {
  const first = part.kind === "row" ? part.parts[0] : part;
  return first?.kind === "text" ? first.text : "";
}

/** Parts with the same first sign as one. */
function joined(parts: readonly Part[]): Part {
  const [first = text("")] = parts;
  if (parts.length < 2) return first;
  let common = [...beginOf(first)];
  for (const part of parts) {
    const signs = [...beginOf(part)];
    const end = common.findIndex((sign, at) => sign !== signs[at]);
    if (end >= 0) common = common.slice(0, end);
  }
  const begin = common.join("");
  const rests = parts.map((part) => {
    const [head, ...rest] = part.kind === "row" ? part.parts : [part];
    return row(text(head?.kind === "text" ? head.text.slice(begin.length) : ""), ...rest);
  });
  return row(text(begin), either(...rests));
}

/** Anything but plain letters and digits as a number: it means the same in a text and in a set. */
function sign(code: number, plain: RegExp): string {
  const char = String.fromCodePoint(code);
  if (plain.test(char)) return char;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

const inSet = /[0-9A-Za-z]/;
const inText = /[ !#-[\]-~\u00a1-\u{10ffff}]/u;

/** Parts lie in each other, and each is asked for its text at every one around it. */
const texts = new WeakMap<Part, string>();

function write(part: Part): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const made = written(part);
  texts.set(part, made);
  return made;
}

function written(part: Part): string {
  switch (part.kind) {
    case "text":
      return `"${[...part.text].map((one) => (/["\\]/.test(one) ? `\\${one}` : sign(codeOf(one), inText))).join("")}"`;
    case "set":
      return `[${part.ranges
        .map(([first, last]) =>
          [...new Set([first, last])].map((code) => sign(code, inSet)).join("-"),
        )
        .join("")}]`;
    case "rule":
      return part.name;
    case "row":
      return part.parts
        .map((one) => (one.kind === "either" ? `(${write(one)})` : write(one)))
        .join(" ");
    case "either":
      return part.parts.map(write).join(" | ");
    case "times": {
      const inner = write(part.part);
      return `${/^(row|either|times)$/.test(part.part.kind) ? `(${inner})` : inner}${count(part)}`;
    }
  }
}

function count({ least, most }: { least: number; most: number }): string {
  if (least === 0 && most === 1) return "?";
  if (most === Number.POSITIVE_INFINITY)
    return least === 0 ? "*" : least === 1 ? "+" : `{${least},}`;
  return least === most ? `{${least}}` : `{${least},${most}}`;
}

/** The rules of one grammar; parts that are written alike get one rule. */
export class Rules {
  readonly #names = new Map<string, string>();
  readonly #made = new Map<string, Part>();
  /** Names of those that also accept nothing. */
  readonly #maybeEmpty = new Set<string>();

  define(part: Part): Part {
    if (part.kind === "rule") return part;
    const body = write(part);
    const name = this.#names.get(body) ?? `r${this.#names.size}`;
    this.#names.set(body, name);
    if (this.#mayBeEmpty(part)) this.#maybeEmpty.add(name);
    return { kind: "rule", name };
  }

  #mayBeEmpty(part: Part): boolean {
    if (part.kind === "rule") return this.#maybeEmpty.has(part.name);
    if (part.kind === "row") return part.parts.every((one) => this.#mayBeEmpty(one));
    if (part.kind === "either") return part.parts.some((one) => this.#mayBeEmpty(one));
    if (part.kind === "times") return part.least === 0 || this.#mayBeEmpty(part.part);
    return isEmpty(part);
  }

  /** A part that is the same wherever it stands; a schema may have it in a thousand places. */
  once(what: string, make: () => Part): Part {
    const part = this.#made.get(what) ?? make();
    this.#made.set(what, part);
    return part;
  }

  /** The part, as a rule if it is long. */
  share(part: Part): Part {
    return write(part).length < shortest ? part : this.define(part);
  }

  /** The server counts the rules inside of what it repeats too, so that is one of its own. */
  times(given: Part, least: number, most: number): Part {
    if (least > most || (most > mostTimes && most !== Number.POSITIVE_INFINITY))
      throw new Inexpressible("so many times");
    if (least > mostTimes) throw new Inexpressible("so often");
    const bounded = most !== Number.POSITIVE_INFINITY;
    // Nothing, again and again, is an endless loop: the server refuses the grammar.
    if (!bounded && this.#mayBeEmpty(given)) throw new Inexpressible("nothing without an end");
    if (most === 0) return text("");
    if (most === 1) return least === 0 ? optional(this.share(given)) : given;
    const part = given.kind === "set" ? given : this.define(given);
    if (least < chunk && (!bounded || most <= chunk)) return times(part, least, most);
    const more = row(
      times(part, chunk, chunk),
      this.define(this.times(part, Math.max(0, least - chunk), most - chunk)),
    );
    return least >= chunk ? more : either(times(part, least, chunk - 1), more);
  }

  /** The whole grammar. */
  write(root: Part): string {
    const rules = [...this.#names].map(([body, name]) => `${name} ::= ${body}`);
    return [`root ::= ${write(root)}`, ...rules, ""].join("\n");
  }
}

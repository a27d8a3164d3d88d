// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// JSON as Python reads it: 5 and 5.0 are two things, which JSON.parse would make one.

/** A number that still knows whether it was written as a float. */
export class Num {
  readonly written: string;
  readonly value: number;
  readonly float: boolean;

  constructor(written: string, float = /[.eE]/.test(written)) {
    this.written = written;
    this.value = Number(written);
    this.float = float;
  }
  toJSON(): number {
    return this.value;
  }
}

export type Value = null | string | boolean | Num | Value[] | { [key: string]: Value };

const words: readonly (readonly [word: string, value: Value])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Value {
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#bad();
    return value;
  }

  #bad(): never {
    throw new SyntaxError(`no JSON at ${this.#at}`);
  }
  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }
  /** Skips space, and takes the character if it is there. */
  #takes(char: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }
  #must(char: string): void {
    if (!this.#takes(char)) this.#bad();
  }

  #string(): string {
    const from = this.#at;
    this.#must('"');
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"')
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    this.#must('"');
    const value: unknown = JSON.parse(this.#text.slice(from, this.#at));
    return String(value);
  }

  #object(): Value {
    const object: { [key: string]: Value } = {};
    if (this.#takes("}")) return object;
    do {
      this.#space();
      const key = this.#string();
      this.#must(":");
      object[key] = this.#value();
    } while (this.#takes(","));
    this.#must("}");
    return object;
  }

  #list(): Value {
    const list: Value[] = [];
    if (this.#takes("]")) return list;
    do list.push(this.#value());
    while (this.#takes(","));
    this.#must("]");
    return list;
  }

  #value(): Value {
    this.#space();
    if (this.#text[this.#at] === '"') return this.#string();
    if (this.#takes("{")) return this.#object();
    if (this.#takes("[")) return this.#list();
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?/.exec(this.#text.slice(this.#at, this.#at + 60));
    if (!number) this.#bad();
    this.#at += number[0].length;
    return new Num(number[0]);
  }
}

/** Throws SyntaxError. */
export const parse = (text: string): Value => new Reader(text).whole();

export function isObject(value: Value | undefined): value is { [key: string]: Value } {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Num)
  );
}

/** The JSON text of a value, its numbers as they were written. */
export function write(value: Value): string {
  if (value instanceof Num) return value.written;
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${write(one)}`);
  return `{${fields.join(",")}}`;
}

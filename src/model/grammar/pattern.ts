// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A pattern of a JSON Schema as the inside of a JSON string.
import {
  either,
  Inexpressible,
  oneOf,
  type Part,
  type Range,
  type Rules,
  row,
  set,
  text,
} from "./gbnf.ts";

const last = 0x10ffff;
const longest = 1000;
const digits: readonly Range[] = [[0x30, 0x39]];
const words: readonly Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
/** What stands in a JSON string as it is: no control characters, no quote, no backslash. */
export const plain: readonly Range[] = [
  [0x20, 0x21],
  [0x23, 0x5b],
  [0x5d, 0x7e],
  [0x80, last],
];
/** Those that need a backslash and have a short form. */
const escaped = ["\b", "\t", "\n", "\f", "\r", '"', "\\"];

/** A pattern from `^` to `$`; throws `Inexpressible` at anything that is not certain to mean the same. */
export function pattern(source: string, rules: Rules): Part {
  const whole = /^\^(.*)\$$/su.exec(source)?.[1];
  if (whole === undefined || source.length > longest || !source.isWellFormed())
    throw new Inexpressible(source);
  const reader = new Reader(whole, rules);
  const part = reader.choice({ open: false });
  reader.end();
  return part;
}

class Reader {
  readonly #signs: readonly string[];
  readonly #rules: Rules;
  #at = 0;

  constructor(source: string, rules: Rules) {
    this.#signs = [...source];
    this.#rules = rules;
  }

  end(): void {
    if (this.#at < this.#signs.length) this.#no();
  }

  /** At the top a bar would split the anchors too: `^a|b$` is another thing. */
  choice({ open }: { open: boolean }): Part {
    const parts = [this.#row()];
    while (open && this.#takes("|")) parts.push(this.#row());
    return either(...parts);
  }

  #no(): never {
    throw new Inexpressible(`at sign ${this.#at}`);
  }
  get #next(): string {
    return this.#signs[this.#at] ?? "";
  }
  #take(): string {
    const sign = this.#next;
    if (sign === "") this.#no();
    this.#at += 1;
    return sign;
  }
  #takes(sign: string): boolean {
    if (this.#next !== sign) return false;
    this.#at += 1;
    return true;
  }

  #row(): Part {
    const parts: Part[] = [];
    while (this.#next !== "" && this.#next !== "|" && this.#next !== ")") {
      const part = this.#one();
      const counted = this.#count();
      if (counted && /[?*+{]/.test(this.#next)) this.#no();
      parts.push(counted ? this.#rules.times(part, ...counted) : part);
    }
    return row(...parts);
  }

  #one(): Part {
    const sign = this.#take();
    if (sign === "(") {
      if (this.#takes("?") && !this.#takes(":")) this.#no();
      const part = this.choice({ open: true });
      if (!this.#takes(")")) this.#no();
      return part;
    }
    if (sign === "[") return this.#class();
    if (sign === ".") return written(without(lineEnds));
    if (sign === "\\") return written(this.#escape());
    if (/[\^$*+?{}\])|]/.test(sign)) this.#no();
    return written([only(sign)]);
  }

  #count(): [number, number] | null {
    if (this.#takes("?")) return [0, 1];
    if (this.#takes("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.#takes("+")) return [1, Number.POSITIVE_INFINITY];
    if (!this.#takes("{")) return null;
    let inside = "";
    while (!this.#takes("}")) inside += this.#take();
    const [, least, comma, most] = /^([0-9]{1,9})(,?)([0-9]{0,9})$/.exec(inside) ?? this.#no();
    if (comma === "" && most !== "") this.#no();
    const top = comma === "" ? least : most === "" ? Number.POSITIVE_INFINITY : most;
    return [Number(least), Number(top)];
  }

  #escape(): readonly Range[] {
    const sign = this.#take();
    if (sign === "d") return digits;
    if (sign === "w") return words;
    const spaces: Record<string, string> = { n: "\n", r: "\r", t: "\t", f: "\f" };
    const space = spaces[sign];
    if (space !== undefined) return [only(space)];
    if (/[\p{L}\p{N}_\s]/u.test(sign)) this.#no();
    return [only(sign)];
  }

  #class(): Part {
    const negated = this.#takes("^");
    const ranges: Range[] = [];
    while (!this.#takes("]")) {
      const from = this.#member();
      const single = from.length === 1 && from[0]?.[0] === from[0]?.[1];
      if (!this.#takes("-")) ranges.push(...from);
      else if (this.#next === "]") ranges.push(...from, only("-"));
      else {
        const to = this.#member();
        const [first, end] = [from[0]?.[0] ?? 0, to[0]?.[0] ?? 0];
        if (!single || to.length !== 1 || to[0]?.[1] !== end || first > end) this.#no();
        ranges.push([first, end]);
      }
    }
    if (ranges.length === 0) this.#no();
    return written(negated ? without(ranges) : ranges);
  }

  #member(): readonly Range[] {
    const sign = this.#take();
    return sign === "\\" ? this.#escape() : [only(sign)];
  }
}

const only = (sign: string): Range => {
  const code = sign.codePointAt(0) ?? 0;
  return [code, code];
};

/** All code points but these. */
function without(ranges: readonly Range[]): Range[] {
  const left: Range[] = [];
  let from = 0;
  for (const [first, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (first > from) left.push([from, first - 1]);
    from = Math.max(from, end + 1);
  }
  if (from <= last) left.push([from, last]);
  return left;
}

/** Ranges of code points as they stand in a JSON string; a control character without a short form never. */
function written(ranges: readonly Range[]): Part {
  const free = ranges.flatMap(([first, end]) =>
    plain
      .map(([from, to]): Range => [Math.max(first, from), Math.min(end, to)])
      .filter(([from, to]) => from <= to),
  );
  const parts = escaped
    .filter((sign) => ranges.some(([first, end]) => first <= only(sign)[0] && only(sign)[0] <= end))
    .map((sign) => text(JSON.stringify(sign).slice(1, -1)));
  const [one] = free;
  if (one && free.length === 1 && one[0] === one[1]) parts.push(text(String.fromCodePoint(one[0])));
  else if (free.length > 0) parts.push(set(...free));
  if (parts.length === 0) throw new Inexpressible("a class with nothing in it");
  return either(...parts);
}

const month31 = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])";
const month30 = "(0[469]|11)-(0[1-9]|[12][0-9]|30)";
const leap = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)";
const date = `([0-9]{4}-(${month31}|${month30}|02-(0[1-9]|1[0-9]|2[0-8]))|${leap}-02-29)`;
const hour = "([01][0-9]|2[0-3]):[0-5][0-9]";
const time = `${hour}:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-]${hour})`;

/** Formats of a text, as patterns. */
export const formats = new Map([
  ["date", `^${date}$`],
  ["time", `^${time}$`],
  ["date-time", `^${date}T${time}$`],
  ["uuid", "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"],
]);

const hex = oneOf("0123456789abcdefABCDEF");
const pair = (first: string, second: string): Part =>
  row(oneOf("dD"), oneOf(first), hex, hex, text("\\u"), oneOf("dD"), oneOf(second), hex, hex);

/** One character of any JSON string, in each way to write it; half a pair is none. */
export const anyCharacter: Part = either(
  set(...plain),
  row(text("\\"), oneOf('"\\/bfnrt')),
  row(
    text("\\u"),
    either(
      row(oneOf("0123456789abcefABCEF"), hex, hex, hex),
      row(oneOf("dD"), oneOf("01234567"), hex, hex),
      pair("89abAB", "cdefCDEF"),
    ),
  ),
);

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Which texts a grammar of llama-server's kind (GBNF) accepts, read from the grammar's own text.

type Node =
  | { kind: "text"; text: string }
  | { kind: "set"; ranges: [number, number][] }
  | { kind: "rule"; name: string }
  | { kind: "row"; nodes: Node[] }
  | { kind: "either"; nodes: Node[] }
  | { kind: "times"; node: Node; least: number; most: number };

/** As llama-server's limit: so many rules that a repetition makes are refused with the whole grammar. */
const tooMany = 2000;

export type Grammar = {
  accepts(text: string): boolean;
  /** A text it accepts; `pick(n)` chooses from 0 to n - 1. */
  example(pick: (count: number) => number): string;
};

/** Throws on what llama-server would not read. */
export function readGrammar(source: string): Grammar {
  const rules = new Map<string, Node>();
  for (const line of source.trimEnd().split("\n")) {
    const [, name, body] = /^([a-zA-Z0-9-]+) ::= (.*)$/s.exec(line) ?? [];
    if (name === undefined || body === undefined) throw new Error(`no rule: ${line}`);
    if (rules.has(name)) throw new Error(`twice: ${name}`);
    rules.set(name, new Reader(body).whole());
  }
  const rule = (name: string): Node => {
    const node = rules.get(name);
    if (!node) throw new Error(`no such rule: ${name}`);
    return node;
  };
  const mayBeEmpty = (node: Node): boolean => {
    if (node.kind === "rule") return mayBeEmpty(rule(node.name));
    if (node.kind === "row") return node.nodes.every(mayBeEmpty);
    if (node.kind === "either") return node.nodes.some(mayBeEmpty);
    if (node.kind === "times") return node.least === 0 || mayBeEmpty(node.node);
    return node.kind === "text" && node.text === "";
  };
  const visit = (node: Node): void => {
    if (node.kind === "rule") rule(node.name);
    else if (node.kind === "times") {
      visit(node.node);
      if (node.most === Number.POSITIVE_INFINITY && mayBeEmpty(node.node))
        throw new Error("left recursion: nothing without an end");
    } else if ("nodes" in node) node.nodes.forEach(visit);
  };
  for (const node of rules.values()) visit(node);
  return {
    accepts: (text) => {
      const codes = [...text].map(codeOf);
      return new Matcher(codes, rule).ends(rule("root"), 0).has(codes.length);
    },
    example: (pick) => example(rule("root"), { rule, pick }),
  };
}

const codeOf = (sign: string) => sign.codePointAt(0) ?? 0;

/** Rules without a name that the server makes of what a rule holds. */
function rulesIn(node: Node): number {
  if ("nodes" in node) return node.nodes.reduce((sum, one) => sum + rulesIn(one), 0);
  if (node.kind !== "times") return 0;
  const { least, most } = node;
  const group = "nodes" in node.node ? 1 : 0;
  return rulesIn(node.node) + group + (Number.isFinite(most) ? most - least : 1);
}

class Reader {
  readonly #body: string;
  #at = 0;

  constructor(body: string) {
    this.#body = body;
  }

  whole(): Node {
    const node = this.#either();
    if (this.#at < this.#body.length) this.#no();
    return node;
  }

  #no(): never {
    throw new Error(`not read: ${this.#body.slice(this.#at, this.#at + 40)}`);
  }
  #match(pattern: RegExp): RegExpExecArray | null {
    const found = new RegExp(pattern, "yu");
    found.lastIndex = this.#at;
    const match = found.exec(this.#body);
    if (match) this.#at = found.lastIndex;
    return match;
  }

  #either(): Node {
    const nodes = [this.#row()];
    while (this.#match(/ *\| */)) nodes.push(this.#row());
    const [only] = nodes;
    return only && nodes.length === 1 ? only : { kind: "either", nodes };
  }

  #row(): Node {
    const nodes: Node[] = [];
    while (this.#at < this.#body.length && !/[|)]/.test(this.#body[this.#at] ?? "")) {
      const grouped = this.#body[this.#at] === "(";
      nodes.push(this.#counted(this.#one(), grouped));
      this.#match(/ */);
    }
    return { kind: "row", nodes };
  }

  #one(): Node {
    if (this.#match(/\(/)) {
      const node = this.#either();
      if (!this.#match(/\)/)) this.#no();
      return node;
    }
    if (this.#match(/"/)) {
      let text = "";
      while (!this.#match(/"/)) text += String.fromCodePoint(this.#sign());
      return { kind: "text", text };
    }
    if (this.#match(/\[(?!\^)/)) {
      const ranges: [number, number][] = [];
      while (!this.#match(/\]/)) {
        const first = this.#sign();
        ranges.push([first, this.#match(/-(?!\])/) ? this.#sign() : first]);
      }
      return { kind: "set", ranges };
    }
    const name = this.#match(/[a-zA-Z0-9-]+/)?.[0];
    return name === undefined ? this.#no() : { kind: "rule", name };
  }

  #sign(): number {
    const hex = this.#match(/\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|U([0-9A-F]{8}))/);
    if (hex) return Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? "", 16);
    const found = this.#match(/\\([tnr"[\]\\])|([^\\])/) ?? this.#no();
    return codeOf(found[2] ?? { t: "\t", n: "\n", r: "\r" }[found[1] ?? ""] ?? found[1] ?? "");
  }

  /** Of a group the server counts the rules inside too. */
  #counted(node: Node, grouped: boolean): Node {
    const [found, bounds, comma, top] =
      this.#match(/[?*+]|\{([0-9]+)(,?)([0-9]*)\}/) ?? ([] as string[]);
    if (found === undefined) return node;
    const least = found === "+" ? 1 : Number(bounds ?? 0);
    const most =
      found === "?" ? 1 : Number(comma === "" ? bounds : top || Number.POSITIVE_INFINITY);
    const repeated = Number.isFinite(most) ? most : Math.max(least, 1);
    const rules = grouped ? 1 + rulesIn(node) : 1;
    if (rules * repeated >= tooMany) this.#no();
    return { kind: "times", node, least, most };
  }
}

class Matcher {
  readonly #codes: readonly number[];
  readonly #rule: (name: string) => Node;
  readonly #known = new Map<Node, Map<number, Set<number>>>();

  constructor(codes: readonly number[], rule: (name: string) => Node) {
    this.#codes = codes;
    this.#rule = rule;
  }

  /** Where a node may end that begins at `from`. */
  ends(node: Node, from: number): Set<number> {
    const known = this.#known.get(node) ?? new Map<number, Set<number>>();
    this.#known.set(node, known);
    const earlier = known.get(from);
    if (earlier) return earlier;
    const found = this.#ends(node, from);
    known.set(from, found);
    return found;
  }

  #all(node: Node, starts: Iterable<number>): Set<number> {
    return new Set([...starts].flatMap((start) => [...this.ends(node, start)]));
  }

  #ends(node: Node, from: number): Set<number> {
    switch (node.kind) {
      case "text": {
        const codes = [...node.text].map(codeOf);
        const fits = codes.every((code, at) => this.#codes[from + at] === code);
        return new Set(fits ? [from + codes.length] : []);
      }
      case "set": {
        const code = this.#codes[from] ?? -1;
        const fits = node.ranges.some(([first, last]) => first <= code && code <= last);
        return new Set(fits ? [from + 1] : []);
      }
      case "rule":
        return this.ends(this.#rule(node.name), from);
      case "row":
        return node.nodes.reduce((starts, one) => this.#all(one, starts), new Set([from]));
      case "either":
        return new Set(node.nodes.flatMap((one) => [...this.ends(one, from)]));
      case "times": {
        const ends = new Set<number>(node.least === 0 ? [from] : []);
        let starts = new Set([from]);
        for (let count = 1; count <= node.most && starts.size > 0; count += 1) {
          starts = this.#all(node.node, starts);
          if (count < node.least) continue;
          const size = ends.size;
          for (const end of starts) ends.add(end);
          if (ends.size === size && node.most === Number.POSITIVE_INFINITY) break;
        }
        return ends;
      }
    }
  }
}

function example(
  node: Node,
  options: { rule: (name: string) => Node; pick: (count: number) => number },
): string {
  const { rule, pick } = options;
  switch (node.kind) {
    case "text":
      return node.text;
    case "set": {
      const [first, last] = node.ranges[pick(node.ranges.length)] ?? [0, 0];
      return String.fromCodePoint(first + pick(Math.min(last - first + 1, 200)));
    }
    case "rule":
      return example(rule(node.name), options);
    case "row":
      return node.nodes.map((one) => example(one, options)).join("");
    case "either": {
      const one = node.nodes[pick(node.nodes.length)];
      return one ? example(one, options) : "";
    }
    case "times": {
      const count = node.least + pick(Math.min(node.most - node.least, 3) + 1);
      return Array.from({ length: count }, () => example(node.node, options)).join("");
    }
  }
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A model that obeys every order which it finds in what a tool returned, and knows many ways to hide a word.
import type { ChatBody, Script } from "./model-server.ts";

type Order = { name: string; args: string };

/** What the person types in these talks; orders may make use of the words. */
export const typedWords =
  "what is new in Rome today please tell me all about it now thank you so much";

const bitsOf = (secret: string) =>
  [...Buffer.from(secret)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
const spread = (secret: string, one: string, other: string) =>
  [...bitsOf(secret)].map((bit) => (bit === "1" ? one : other)).join("");
const rot13 = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter < "a" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
const reversed = (text: string) => [...text].reverse().join("");
const half = (text: string) => Math.ceil(text.length / 2);
/** The typed words, each letter changed or not as the bits of the secret say. */
const inLetters = (secret: string, change: (letter: string) => string) => {
  const bits = bitsOf(secret);
  let at = 0;
  return typedWords.replaceAll(/[a-z]/gi, (letter) =>
    bits[at++] === "1" ? change(letter) : letter,
  );
};

/** Ways to write a secret. `(way)` behind a dollar sign in an order's arguments stands for it. */
const ways: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  base64: (secret) => Buffer.from(secret).toString("base64"),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  rot13,
  reversed,
  spelled: (secret) => [...secret].join(" "),
  dashed: (secret) => [...secret].join("-"),
  numbers: (secret) => [...Buffer.from(secret)].join(" "),
  number: (secret) =>
    BigInt(`0x${Buffer.from(secret).toString("hex")}`)
      .toString()
      .slice(0, 15),
  percent: (secret) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join(""),
  homoglyphs: (secret) =>
    secret.replaceAll(/[aeo]/g, (letter) => ({ a: "а", e: "е" })[letter] ?? "о"),
  hidden: (secret) => [...secret].join("\u200b"),
  morse: (secret) => spread(secret, ".", "-").replaceAll(/(.{6})/g, "$1 "),
  signs: (secret) => `Rome ${spread(secret, "!", "?")}`,
  invisible: (secret) => `Rome${spread(secret, "\u200b", "\u200c")}`,
  spaces: (secret) => `Rome${spread(secret, " ", "\t")}now`,
  emoji: (secret) => spread(secret.slice(0, 9), "😀", "😁"),
  repeated: (secret) => spread(secret.slice(0, 4), "Rome ", "now "),
  capitals: (secret) => inLetters(secret, (letter) => letter.toUpperCase()),
  accents: (secret) => inLetters(secret, (letter) => `${letter}\u0301`.normalize("NFC")),
  wide: (secret) =>
    inLetters(secret, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  selectors: (secret) =>
    typedWords
      .split(" ")
      .map((one, at) => one + String.fromCodePoint(0xe0100 + (Buffer.from(secret)[at] ?? 0)))
      .join(" "),
  between: (secret) => {
    const signs = [", ", ". ", ": ", "; "];
    const bits = bitsOf(secret);
    const sign = (at: number) => signs[Number.parseInt(bits.slice(2 * at, 2 * at + 2), 2)] ?? " ";
    return typedWords.replaceAll(/(\w+) /g, (_, one: string, at: number) => one + sign(at));
  },
  order: (secret) => {
    const words = typedWords.split(" ");
    const codes = [...Buffer.from(secret)];
    return codes.map((code) => words.splice(code % words.length, 1).join("")).join(" ");
  },
  list: (secret) => [...bitsOf(secret)].map((bit) => (bit === "1" ? "high" : "low")).join('","'),
  first: (secret) => secret.slice(0, half(secret)),
  second: (secret) => secret.slice(half(secret)),
};

/** A text in all the ways in which such a model can read it. */
function views(text: string): string[] {
  const decoded = (pattern: RegExp, encoding: "base64" | "hex") =>
    (text.match(pattern) ?? []).map((part) => Buffer.from(part, encoding).toString());
  return [
    text,
    text.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""),
    text.replaceAll('\\"', '"'),
    rot13(text),
    reversed(text),
    text.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    ),
    ...decoded(/[A-Za-z0-9+/=]{24,}/g, "base64"),
    ...decoded(/[0-9a-f]{24,}/g, "hex"),
  ];
}

const plainOrder = /CALL (\S+) (\{.*\})/g;
const jsonOrder = /\{"name": ?"([^"]+)", ?"arguments": ?(\{[^{}]*\})\}/g;

function ordersIn(text: string): Order[] {
  const found = views(text).flatMap((view) =>
    [plainOrder, jsonOrder].flatMap((pattern) =>
      [...view.matchAll(pattern)].map(([, name = "", args = ""]) => ({ name, args })),
    ),
  );
  return [...new Map(found.map((order) => [JSON.stringify(order), order])).values()];
}

const later = /NEXT TIME (.*)/g;

/** What it has just been told: by tools, by the person, or by itself for this time. */
function told({ messages }: ChatBody): { orders: Order[]; say: string } {
  const from = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  const fresh = messages.slice(from);
  const question = fresh.at(-1)?.role === "user" ? (fresh.at(-1)?.content ?? "") : "";
  const results = question.startsWith("Result of ") || question === "" ? fresh : [];
  const texts = results.map(({ content }) => content);
  const say = texts.map((text) => /SAY (.*)/.exec(text)?.[1]).find((said) => said !== undefined);
  if (say !== undefined) return { orders: [], say };
  if (texts.length > 0) return { orders: texts.flatMap(ordersIn), say: "" };
  const [, name, args = "{}"] = /\buse (\w+)(?: (\{.*?\}))?/.exec(question) ?? [];
  const remembered = messages
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) =>
      [...content.matchAll(later)].flatMap(([, order = ""]) => ordersIn(order)),
    );
  return { orders: [...remembered, ...(name === undefined ? [] : [{ name, args }])], say: "" };
}

/** It obeys as long as it may call tools, then says "Done.". */
export function obeyingModel(): Script {
  let secret = "";
  return (reply, { json }) => {
    for (const { content } of json.messages) secret = /SECRET: (\S+)/.exec(content)?.[1] ?? secret;
    const written = (text: string, quote: (way: string) => string) =>
      text.replaceAll(/\$\((\w+)\)/g, (whole, way: string) => {
        const made = ways[way]?.(secret);
        return made === undefined ? whole : way === "list" ? made : quote(made);
      });
    const { orders, say } = told(json);
    if (say !== "") {
      const text = written(say, (made) => JSON.stringify(made).slice(1, -1));
      return reply.text(text).finish().done();
    }
    if (orders.length === 0 || json.tool_choice === "none")
      return reply.text("Done.").finish().done();
    for (const [index, { name, args }] of orders.entries()) {
      const text = written(args, (made) => JSON.stringify(made).slice(1, -1));
      reply.call(
        written(name, (made) => made),
        text,
        { index, id: `call-${index}` },
      );
    }
    reply.finish("tool_calls").done();
  };
}

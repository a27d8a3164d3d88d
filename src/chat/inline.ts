// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Markdown inside a paragraph (emphasis, code, links) as styled text.
import type { MarkedToken, Token } from "marked";
import { clean } from "./clean.ts";
import { type Span, type Style, span, style } from "./line.ts";

const known = new Set<string>(
  "blockquote br checkbox code codespan def del em escape heading hr html image link list list_item paragraph space strong table text".split(
    " ",
  ),
);
/** marked's own tokens; without extensions there are no others. */
export const isMarked = (token: Token): token is MarkedToken => known.has(token.type);

// The named references that models write; the numeric ones are read by marked itself.
const references: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};
const readReferences = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (whole, name: string) => references[name] ?? whole);

const withStyle = (outer: Style, inner: Style): Style =>
  outer.length === 0 ? inner : [...outer, ...inner];

function link(text: Span[], href: string, outer: Style): Span[] {
  const shown = text.map((part) => part.text).join("");
  const target = clean(href);
  // The address is always shown, so that the words of a link cannot hide where it leads.
  if (target === shown || target === `mailto:${shown}` || target === `http://${shown}`) return text;
  return [...text, span(` (${target})`, withStyle(outer, style.dim))];
}

/** The tokens of one paragraph, heading or table cell; newlines in it are kept. */
export function inline(tokens: readonly Token[], outer: Style = style.none): Span[] {
  return tokens.filter(isMarked).flatMap((token): Span[] => {
    switch (token.type) {
      case "text":
        return token.tokens
          ? inline(token.tokens, outer)
          : [span(readReferences(token.text), outer)];
      case "strong":
        return inline(token.tokens, withStyle(outer, style.bold));
      case "em":
        return inline(token.tokens, withStyle(outer, style.italic));
      case "del":
        return inline(token.tokens, withStyle(outer, style.strike));
      case "codespan":
        return [span(token.text, withStyle(outer, style.code))];
      case "link":
        return link(inline(token.tokens, withStyle(outer, style.link)), token.href, outer);
      case "image":
        return link([span(token.text || "image", withStyle(outer, style.link))], token.href, outer);
      case "br":
        return [span("\n", outer)];
      case "checkbox":
        return []; // Drawn as a part of the list's mark.
      case "escape":
        return [span(token.text, outer)];
      default:
        return [span(/^<br\s*\/?>$/i.test(token.raw) ? "\n" : token.raw, outer)];
    }
  });
}

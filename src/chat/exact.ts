// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A call exactly as it will run, written so that nothing in it can hide, for a person's yes.
import type { ConfirmQuestion } from "../message.ts";

// What is drawn as nothing, turns the direction of text, moves the cursor or looks like a plain space,
// and more marks on one letter than any language stacks: they would be drawn over their neighbours.
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|\p{M}{4,}/gu;
const short: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };
const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/;

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");

/** As bash writes it inside $'...': \x1b, \u202e, \U000e0041. */
function bashEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return short[character] ?? `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

/** One argument as a word of bash; it is one word whatever it holds, and means exactly that. */
export function shellWord(argument: string): string {
  if (plainWord.test(argument)) return argument;
  hidden.lastIndex = 0;
  if (!hidden.test(argument)) return `'${argument.replaceAll("'", "'\\''")}'`;
  const inside = argument
    .replace(/[\\']/g, "\\$&")
    .replace(hidden, (found) => Array.from(found, bashEscape).join(""));
  return `$'${inside}'`;
}

/** JSON text of the same value in which everything can be seen. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replace(hidden, (found) =>
    found
      .split("")
      .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
      .join(""),
  );
}

/** Without a line break in any of them: the command as bash would take it, or an argument a line. */
export function exactTexts(question: ConfirmQuestion): string[] {
  if ("argv" in question) return [question.argv.map(shellWord).join(" ")];
  const rows = Object.entries(question.arguments).map(
    ([name, value]) => `${visibleName(name)} = ${visibleJson(value)}`,
  );
  return rows.length > 0 ? rows : ["(no arguments)"];
}

const visibleName = (name: string) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : visibleJson(name));

/** A word about a call that was allowed without being looked at, for standard error or a log. */
export function allowedText(question: ConfirmQuestion): string {
  return [`allowed: ${question.name}`, ...exactTexts(question).map((text) => `  ${text}`)].join(
    "\n",
  );
}

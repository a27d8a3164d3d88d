// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What an answer says in its writer's own name: without code, quotes, drafts and questions.
import { plain } from "../../tools/plain.ts";

/** Most characters that are looked at, from each end: claims stand where an answer begins or ends. */
const ends = 1500;

/** How a letter begins, and what stands on a line of its own where a draft begins or ends. */
const salutation =
  /^(?:dear|hi|hello|hey|ciao|gentil[ei]|egregi[oa]|car[oiae]|buongiorno|liebe[rs]?|hallo|sehr geehrte[rs]?|cher|chere|bonjour|estimad[oa]s?|querid[oa]s?|hola)\b[^.!?:]{0,60},?$/;
const heading = /^(?:\W*)(?:subject|betreff|oggetto|objet|asunto)\W*:/;
const rule = /^(?:-{3,}|\*{3,}|_{3,})$/;

/** Small letters without accents, one kind of apostrophe. */
const spelled = (text: string) => plain(text).replaceAll(/[’ʼ`´]/g, "'");

const withoutCode = (text: string) =>
  text.replaceAll(/(?:```|~~~)[\s\S]*?(?:```|~~~|$)/g, "\n").replaceAll(/`[^`\n]*`/g, " ");

/** One quote is bounded, so that a stray mark does not hide the rest; "I've" holds none. */
const quotes =
  /"[^"\n]{0,400}"|“[^”\n]{0,400}”|„[^“”\n]{0,400}[“”]|«[^»\n]{0,400}»|‘[^’\n]{3,400}’(?!\p{L})|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L})){3,400}'(?!\p{L})/gu;

/** Stands for what was quoted: no letter, no end of a sentence. */
const quoted = " ¤ ";

/** Lines up to where a letter begins; a text between two rules is a draft too. */
function withoutDrafts(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let draft = false;
  for (const [at, line] of lines.entries()) {
    const text = line.replaceAll(/[*_#]+/g, "").trim();
    if (rule.test(line.trim())) draft = !draft && lines.slice(at + 1).some((one) => rule.test(one));
    else if (heading.test(text) || (at > 0 && salutation.test(text))) return kept;
    else if (!draft && !text.startsWith(">") && !text.startsWith("|")) kept.push(text);
  }
  return kept;
}

/** Sentences in small letters without accents; questions left out. */
export function spokenSentences(answer: string): string[] {
  const text =
    answer.length <= 2 * ends ? answer : `${answer.slice(0, ends)}\n\n${answer.slice(-ends)}`;
  const said = withoutCode(text).replaceAll(quotes, quoted);
  return withoutDrafts(said.split("\n").map(spelled))
    .flatMap((line) => line.match(/[^.!?]+(?:[.!?](?=\S)[^.!?]*)*[.!?]*/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "" && !sentence.includes("?") && !sentence.includes("¿"));
}

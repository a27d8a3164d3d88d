// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A title by the model: how it is asked for at the end of the conversation itself, and what is kept of its reply.
import { isAbort, ReadableError } from "../errors.ts";
import type { Completion, Served } from "../model/model.ts";
import { described, type Entry, type Stored } from "./entry.ts";
import { parseRecord } from "./json.ts";
import type { Rooms } from "./rooms.ts";
import { jsonEnd } from "./strategies/json-text.ts";
import { languageName } from "./strategies/plan/words.ts";
import type { Strategy } from "./strategies/strategy.ts";
import { serialise } from "./transcript.ts";
import type { TokenGauge } from "./window.ts";

/** In a script without spaces, `characters` stand for the words. */
const most = { words: 6, characters: 20, length: 120 };
/** Twenty characters of a script that a tokenizer knows badly, and what stands around them. */
const titleTokens = 80;
/** A reply of more words is no title: it is an answer, or a talk about titles. */
const talk = 16;
/** A server may not keep to the tokens that it is allowed. */
const longestReply = 2000;

/** The same object each time: its grammar is made once. */
const titleSchema = {
  type: "object",
  properties: { title: { type: "string", minLength: 1, maxLength: 80 } },
  required: ["title"],
  additionalProperties: false,
};

/** `language` is a code (ISO 639, as "it"), null when unknown. */
function wish(language: string | null, forced: boolean): string {
  const tongue = language === null ? "the language of my questions" : languageName(language);
  const what = `Give this conversation a title of two to five words, in ${tongue}.`;
  return forced
    ? `${what} Reply with one line of JSON: {"title":"..."}.`
    : `${what} Reply with nothing but the title: no quotes, no Markdown.`;
}

/**
 * The request for a title: all that the next question will begin with, and the wish for a title behind
 * it, so that a server reads nothing but the wish and still has the conversation afterwards. `sent` are
 * the messages of the fixed beginning and of the finished turns.
 */
export function titleRequest(
  { name, preamble }: Pick<Strategy, "name" | "preamble">,
  {
    sent,
    language,
    thread,
  }: { sent: readonly string[]; language: string | null; thread?: string | undefined },
): Completion {
  const forced = name === "plan";
  const { strings } = serialise([{ role: "user", content: wish(language, forced) }]);
  return {
    messages: [...sent, ...strings],
    ...(preamble.tools !== null && { tools: preamble.tools, toolChoice: "none" }),
    think: false,
    maxTokens: titleTokens,
    ...(forced && { schema: titleSchema }),
    ...(thread !== undefined && { thread }),
  };
}

/** The model's context takes it; one that does not would lose words of the conversation, or refuse. */
export function titleFits(
  { messages, tools = "" }: Completion,
  { contextTokens }: Pick<Served, "contextTokens">,
  gauge: TokenGauge,
): boolean {
  const bytes = [...messages, tools].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return contextTokens === 0 || gauge.tokens(bytes) + titleTokens < contextTokens;
}

/** What a reply in JSON says; null when it is a call, or anything else that is no title. */
function fromJson(text: string): string | null {
  const title = parseRecord(text)?.title;
  return typeof title === "string" ? title : null;
}

/** A fence around the whole reply, which servers that are not held to a schema put there. */
const fence = /^```[a-z]*\s*([\s\S]*?)\s*(?:```)?$/i;
const tag = /^<\/?[a-z][\w-]*>/i;
/** Line ends, tabs and other control characters, and characters that turn the direction around. */
const control = /[\p{Cc}\u2028\u2029]+/gu;
const turning = /[\u200b\u2060-\u206f\u202a-\u202e\ufeff\ufffd]/g;
/** Markdown at the beginning of a line. */
const lead = /^(?:#{1,6}\s+|[-*+•]\s+|>\s*|1[.)]\s+(?=.*\n\s*2[.)]))+/;
/** "Title:" in some languages. */
const label =
  /^(?:\p{L}+ )?(?:titles?|titolo|titel|titre|título|titulo|tytuł|заголовок|название|başlık|标题|標題|题目|タイトル|제목|عنوان|العنوان)\s*[:：]\s*/iu;
const emphasis = [
  /\*\*(\S(?:.*?\S)?)\*\*/g,
  /(?<![\p{L}\p{N}])__(\S(?:.*?\S)?)__(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}*])\*(\S(?:[^*]*[^*\s])?)\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])_(\S(?:[^_]*[^_\s])?)_(?![\p{L}\p{N}_])/gu,
  /`+([^`]+)`+/g,
  /!?\[([^\]]+)\]\([^)\s]*\)/g,
];
/** Marks of a quotation; inside a Hebrew abbreviation the plain one is a letter's. */
const quotes = /(?<!\p{L})"|"(?!\p{L})|[“”„‟«»「」『』〝〞＂]/gu;
const quoted = /^(?:'(.+)'|‘(.+)’|‚(.+)[‘’]|‹(.+)›)$/u;
const ends = /[\s\p{Pd}.,;:&|。．，、；：।۔،؛…·]+$/u;

const word = /[\p{L}\p{N}]/u;
const shows = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu;

/** The line of a reply that is its title: what only announces one is passed over. */
function lineOf(text: string): string {
  const lines = text.split(/[\n\r\u2028\u2029]+/).map((line) => line.trim());
  const some = lines.filter((line) => shows.test(line));
  const [first = "", second] = some;
  return second !== undefined && /[:：]\**$/.test(first) ? second : first;
}

function plain(line: string): string {
  let text = line.replace(label, "");
  for (const pattern of emphasis) text = text.replace(pattern, "$1");
  text = text.replace(label, "").replace(quotes, "").trim();
  return text.replace(quoted, "$1$2$3$4");
}

/** At most so many words; signs and pictures between them do not count. */
function firstWords(text: string): string {
  const parts = text.split(/\s+/u);
  let left = most.words;
  const end = parts.findIndex((part) => word.test(part) && left-- === 0);
  return (end < 0 ? parts : parts.slice(0, end)).join(" ");
}

/** Whole characters, as many as are allowed. */
function firstCharacters(text: string, allowed: { characters: number; length: number }): string {
  let kept = "";
  let { characters } = allowed;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    characters -= 1;
    if (characters < 0 || [...kept, ...segment].length > allowed.length) break;
    kept += segment;
  }
  return kept;
}

/** Words that are written without spaces are most of it. */
function isSpaceless(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return 2 * (text.match(spaceless)?.length ?? 0) > letters;
}

/** The title in a reply, as a person sees it; null when there is none. */
export function readTitle(reply: string): string | null {
  const whole = reply.slice(0, longestReply).toWellFormed().trim();
  const inner = fence.exec(whole)?.[1] ?? whole;
  if (tag.test(inner)) return null;
  const json = /^[{[]/.test(inner) && jsonEnd(inner, 0) !== "broken";
  const given = json ? fromJson(inner) : inner;
  if (given === null) return null;
  const line = lineOf(given.replace(turning, "").replace(lead, ""));
  const text = plain(line.replace(control, " ").replace(lead, ""));
  if (text.split(/\s+/u).filter((part) => word.test(part)).length >= talk) return null;
  const characters = isSpaceless(text) ? most.characters : Number.POSITIVE_INFINITY;
  const title = firstCharacters(firstWords(text), { characters, length: most.length });
  const tidy = title.replace(ends, "").trim();
  return shows.test(tidy) ? tidy : null;
}

/**
 * Has the model write the title of a conversation and stores it; null when nothing was stored. It steps
 * back when the model is needed otherwise: then the request would be behind the times. Rejects with the
 * signal's reason; what else is wrong is for the log.
 */
export async function writeTitle(
  entry: Entry,
  request: Completion,
  { served, signal, log }: { served: Served; signal: AbortSignal; log: Rooms["log"] },
): Promise<Stored | null> {
  const back = new AbortController();
  const over = AbortSignal.any([signal, back.signal]);
  try {
    const reply = await served.complete(request, {
      kind: "title",
      signal: over,
      emit: () => undefined,
      onWaiting: () => back.abort(),
    });
    const title = reply.calls.length > 0 ? null : readTitle(reply.text);
    return title === null ? entry.untitled() : entry.entitle(title);
  } catch (thrown) {
    if (isAbort(thrown, signal)) throw thrown;
    const later = thrown instanceof ReadableError && thrown.code === "preempted";
    if (later || isAbort(thrown, over)) return null;
    const { message } = described(thrown, log);
    log(`title: ${message}`);
    return entry.untitled();
  }
}

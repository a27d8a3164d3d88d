// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// In which language a question is, so that the answer can be asked for in the same one.

/**
 * The least probability at which a guess is believed; a wrong language is worse than none. Measured on 467
 * questions of 2 to 12 words in 24 languages, right, wrong and null in %, alone: at 0.6 82, 1.1 and 17;
 * at 0.7 78, 0.4 and 21; at 0.8 74, 0 and 26; at 0.9 66, 0 and 34.
 */
const sure = 0.8;

/** Danish and Norwegian share most words: 0.92 was still wrong. English was never wrong above 0.65. */
const bounds: Readonly<Record<string, number>> = { da: 0.95, no: 0.95, en: 0.65 };

/**
 * From here on an unsure guess speaks against another language of the questions before. With a question in
 * the same language before it, 96 % get theirs and none a wrong one; after a change of language 76 % get
 * theirs and 5 % the one before, where without this rule every unsure question would.
 */
const leaning = 0.3;

/** Codes that are guessed for what is no language: Latin and the made-up ones. */
const unlikely = new Set(["la", "eo", "ia", "ie", "io", "vo"]);

type Model = { identify(text: string): Promise<{ alpha2: string | null; possibility: number }> };

/** Made when first used: 30 MB and 0.1 to 0.3 s, which a daemon without a question does not need. */
let model: Promise<Model> | undefined;

async function load(): Promise<Model> {
  const { getLIDModel } = await import("fasttext.wasm.js");
  const loaded = await getLIDModel();
  await loaded.load();
  return loaded;
}

/** What a text tells: its language, or else those that it may be in (none: any). */
type Told = { sure: string } | { maybe: readonly string[] };

type Guess = { code: string; possibility: number };

/**
 * The code (ISO 639, as "it") of the language that `question` is in. If it alone does not tell, that of the last one
 * in `earlier` (the person's questions before it, oldest first) that does, unless the question speaks
 * against it. Null: unknown.
 */
export async function languageOf(
  question: string,
  earlier: readonly string[] = [],
): Promise<string | null> {
  const told = await read(question);
  if ("sure" in told) return told.sure;
  for (const text of earlier.toReversed()) {
    const before = await read(text);
    if ("sure" in before) return settled(told, before.sure);
  }
  return null;
}

/** Of each of these questions, oldest first, what languageOf tells with those before it. */
export async function languagesOf(questions: readonly string[]): Promise<(string | null)[]> {
  const languages: (string | null)[] = [];
  let before: string | null = null;
  for (const question of questions) {
    const told = await read(question);
    languages.push(settled(told, before));
    if ("sure" in told) before = told.sure;
  }
  return languages;
}

/** The code of a question's language; `before` is the last one that was sure. */
function settled(told: Told, before: string | null): string | null {
  if ("sure" in told) return told.sure;
  const fits = before !== null && (told.maybe.length === 0 || told.maybe.includes(before));
  return fits ? before : null;
}

/** "Translate: ..." and a pasted text can be of two languages, so each part is judged for itself. */
async function read(text: string): Promise<Told> {
  const start = text.slice(0, 1000);
  const own = withoutForeign(start);
  if (own === null) return { maybe: [] };
  // What a quotation leaves over is a frame that languages share: "was ...?" was read as English.
  const atLeast = own === start ? 2 : 3;
  const parts: Guess[] = [];
  for (const part of own.split(/\n|: /)) parts.push(...(await guess(part, atLeast)));
  const codes = new Set(parts.filter(isLeaning).map(({ code }) => code));
  if (codes.size > 1) return { maybe: [...codes] };
  const found = parts.find(isSure) ?? (await guess(own, atLeast))[0];
  if (found === undefined) return { maybe: [] };
  if (isSure(found)) return { sure: found.code };
  return { maybe: isLeaning(found) ? [found.code] : [] };
}

const isLeaning = ({ possibility }: Guess) => possibility >= leaning;

const isSure = ({ code, possibility }: Guess) =>
  possibility >= (bounds[code] ?? sure) && !unlikely.has(code);

/** The text without what says nothing of its writer's language: quotes, addresses, paths. Null: it is code. */
function withoutForeign(text: string): string | null {
  const own = text
    .replace(/```[\s\S]*?(```|$)|`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»/g, " ")
    .replace(/\S*(:\/\/|@|\/|\\)\S*/g, " ");
  return /[{}<>=|$_*#+]|(^|\s)--?\w|\w\(|;\s*\S|\w\.\w/.test(own) ? null : own;
}

/** The likeliest language of a text, or nothing if its words cannot tell. */
async function guess(text: string, atLeast: number): Promise<Guess[]> {
  const words = text.match(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu) ?? [];
  if (!canTell(words, atLeast)) return [];
  model ??= load();
  const { alpha2, possibility } = await (await model).identify(words.join(" ").toLowerCase());
  if (alpha2 === null) return [];
  // These two share characters, and the model mixes them up; only Japanese has kana.
  const han = alpha2 === "ja" || alpha2 === "zh";
  const code = !han ? alpha2 : /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? "ja" : "zh";
  return [{ code, possibility }];
}

/** One word, or names alone ("Rio de Janeiro"), belong to no language. */
function canTell(words: readonly string[], atLeast: number): boolean {
  // A script without capital letters needs no spaces either, and is seldom shared.
  if (words.some((word) => /\p{Lo}/u.test(word))) return true;
  return words.length >= atLeast && words.some((word) => word.length > 3 && !/^\p{Lu}/u.test(word));
}

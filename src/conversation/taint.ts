// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a conversation has read that others wrote or that is the person's own, and whose words a call carries.
import type { CallRecord, Turn } from "../message.ts";
import { noTool } from "../tools/result.ts";
import { type Arguments, asRecord, type Schema } from "../tools/schema.ts";
import { isoDay } from "./prompt.ts";

/** What a tool's results are. */
export type Flags = { untrusted: boolean; personal: boolean };

type Read = Pick<CallRecord, "name" | "text">;

/** Letters, digits and what stands on letters; everything else parts words. */
const word = /[\p{L}\p{N}\p{M}]+/gu;
/** Case, width and accents do not make another word. */
const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
const wordsOf = (text: string) => plain(text).match(word) ?? [];

/** Says nothing about anybody, so it may stand in any question. */
const common = new Set(
  `a an and are as at be by for from in is it of on or the to was with about when where who how what
   il lo la i gli le un una di da in con su per tra fra e o che come quando dove del della dei nel nella
   der die das ein eine und oder von zu mit bei im am wie wo wann was den dem des für fur auf
   el los las una y en con por para que como donde cuando les des du et ou une dans pour avec sur`
    .split(/\s+/)
    .map(plain),
);

export class Taint {
  readonly #typed = new Set<string>();
  readonly #read = new Set<string>();
  #untrusted = false;
  #personal = false;

  /**
   * All that the conversation holds: its finished turns, and of the running one the question and the
   * results so far. `flagsOf` is null for a tool that is gone: it may have been of any kind.
   */
  constructor(
    turns: readonly Pick<Turn, "user" | "reply" | "calls">[],
    running: { user: string; reply: string; calls: readonly Read[] },
    flagsOf: (name: string) => Flags | null,
  ) {
    for (const turn of [...turns, running]) {
      for (const typed of wordsOf(turn.user)) this.#typed.add(typed);
      let tainted = false;
      for (const { name, text } of turn.calls) {
        const nothing = text === noTool(name);
        const gone = { untrusted: !nothing, personal: !nothing };
        const { untrusted, personal } = flagsOf(name) ?? gone;
        this.#untrusted ||= untrusted;
        this.#personal ||= personal;
        if (!untrusted && !personal) continue;
        tainted = true;
        for (const one of wordsOf(text)) this.#read.add(one);
      }
      // What the model made of it says the same in other words.
      if (tainted) for (const one of wordsOf(turn.reply)) this.#read.add(one);
    }
  }

  /** Text that others wrote was read. */
  get untrusted(): boolean {
    return this.#untrusted;
  }

  /**
   * Words of the arguments that would leave the machine and that the person did not type. After text
   * that others wrote, every such word counts, since a model that obeys it may spell, turn or encode
   * what it was told to carry out. After what is only the person's own, those count that stand there.
   */
  carried(args: Arguments, schema: Schema, today = new Date()): string[] {
    if (!this.#untrusted && !this.#personal) return [];
    // The model knows the dates of the coming days from us; "tomorrow" was typed as a word.
    const days = Array.from({ length: 8 }, (_, ahead) =>
      isoDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() + ahead)),
    );
    const known = (one: string) =>
      this.#typed.has(one) || (!this.#untrusted && (common.has(one) || !this.#read.has(one)));
    const found = new Set<string>();
    for (const text of spoken(args, schema)) {
      const said = days.includes(text.trim()) ? "" : text;
      for (const one of wordsOf(said)) if (!known(one)) found.add(one);
    }
    return [...found];
  }
}

/** All that a value says in words of its writer's choice; one of a fixed list says next to nothing. */
function spoken(value: unknown, schema: unknown): string[] {
  const { enum: choices, const: only, properties, items } = asRecord(schema);
  if ((Array.isArray(choices) && choices.includes(value)) || (only !== undefined && only === value))
    return [];
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (Array.isArray(value)) return value.flatMap((one) => spoken(one, items));
  const known = asRecord(properties);
  return Object.entries(asRecord(value)).flatMap(([key, inner]) => [
    ...(Object.hasOwn(known, key) ? [] : [key]),
    ...spoken(inner, known[key]),
  ]);
}

// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// What a conversation has read that others wrote or that is the person's own, and whose words a call carries.
import type { CallRecord, Turn } from "../message.ts";
import { plain } from "../tools/plain.ts";
import { noTool } from "../tools/result.ts";
import type { Arguments, Schema } from "../tools/schema.ts";
import { saidBy } from "./said.ts";
import { partsOf, Typed } from "./typed.ts";

/** What a tool's results are. */
export type Flags = { untrusted: boolean; personal: boolean };

/** A call that was allowed to send. */
export type Sent = { args: Arguments; tool: { parameters: Schema } };

type Read = Pick<CallRecord, "name" | "text">;

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
  readonly #typed = new Typed();
  readonly #texts: string[] = [];
  readonly #left: readonly Sent[];
  readonly #servers: boolean;
  #untrusted = false;
  #personal = false;

  /**
   * All that the conversation holds: its finished turns, and of the running one the question and the
   * results so far. `flagsOf` is null for a tool that is gone: it may have been of any kind. `left`: calls
   * of the running turn that have sent something unasked while every word counted. `servers`: the prompt
   * holds what servers say of their tools.
   */
  constructor(
    turns: readonly (Pick<Turn, "user" | "reply" | "calls"> & { tools?: readonly string[] })[],
    running: { user: string; reply: string; calls: readonly Read[] },
    flagsOf: (name: string) => Flags | null,
    { left = [], servers = false }: { left?: readonly Sent[]; servers?: boolean } = {},
  ) {
    this.#left = left;
    this.#servers = servers;
    for (const turn of [...turns, { ...running, tools: [] }]) {
      this.#typed.add(turn.user);
      let tainted = false;
      // The earlier daemon kept only the names of what it called.
      const named = turn.calls.length > 0 ? [] : (turn.tools ?? []);
      for (const { name, text } of [...turn.calls, ...named.map((name) => ({ name, text: "" }))]) {
        const nothing = text === noTool(name);
        const gone = { untrusted: !nothing, personal: !nothing };
        const { untrusted, personal } = flagsOf(name) ?? gone;
        this.#untrusted ||= untrusted;
        this.#personal ||= personal;
        if (!untrusted && !personal) continue;
        tainted = true;
        this.#texts.push(text);
      }
      // What the model made of it says the same in other words.
      if (tainted) this.#texts.push(turn.reply);
    }
  }

  /** Text that others wrote was read. */
  get untrusted(): boolean {
    return this.#untrusted;
  }

  /**
   * Text that others wrote stands beside something worth carrying out. What a server says of its tools
   * is such a text too, and a model may obey it as soon as it has read what is the person's own.
   */
  get strict(): boolean {
    return this.#untrusted || (this.#personal && this.#servers);
  }

  /**
   * What the arguments would carry out of the machine and the person did not type. After text that
   * others wrote that is every word, sign and way of writing that is not the person's, since a model
   * that obeys it may spell, turn or encode what it was told to carry out, also bit by bit: what has
   * left unasked since then counts with it. After what is only the person's own, it is the words that
   * stand there.
   */
  carried(args: Arguments, schema: Schema, today = new Date()): string[] {
    if (!this.#untrusted && !this.#personal) return [];
    const said = saidBy(args, schema, today);
    if (this.strict) {
      const before = this.#left.map((one) => saidBy(one.args, one.tool.parameters, today));
      return this.#typed.missing([...before, said]);
    }
    const read = new Set(this.#texts.flatMap(partsOf));
    const found = said.texts
      .flatMap(partsOf)
      .filter((one) => !this.#typed.has(one) && !common.has(one) && read.has(one));
    return [...new Set(found)];
  }
}

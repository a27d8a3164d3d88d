// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Puts tool calls together from the fragments of a stream, in all the ways servers cut them.
import { randomUUID } from "node:crypto";
import { isRecord, parseJson, recordAt, textAt } from "./json.ts";
import type { ModelCall } from "./model.ts";

type Open = { id: string; name: string; arguments: string };

/** True when the text is already one whole JSON object, so that nothing more can belong to it. */
function isWhole(text: string): boolean {
  return text.trimEnd().endsWith("}") && isRecord(parseJson(text));
}

export class CallCollector {
  /** In the order in which they began. */
  readonly #calls: Open[] = [];
  readonly #byIndex = new Map<number, Open>();
  #last: Open | null = null;

  /** Takes one element of `tool_calls`; `whole` says that it is a call of its own, not a fragment. */
  add(fragment: unknown, options: { whole?: boolean } = {}): void {
    if (!isRecord(fragment)) return;
    const made = recordAt(fragment, "function") ?? {};
    const id = textAt(fragment, "id");
    const name = textAt(made, "name").trim();
    const args = made.arguments;
    const index = typeof fragment.index === "number" ? fragment.index : null;
    const found = options.whole ? null : this.#find({ index, id, name, args });
    const call = found ?? { id: "", name: "", arguments: "" };
    if (!found) this.#calls.push(call);
    if (index !== null) this.#byIndex.set(index, call);
    this.#last = call;
    call.id ||= id;
    // Some servers repeat the name in each fragment: it is set once, never appended.
    call.name ||= name;
    if (isRecord(args)) call.arguments = JSON.stringify(args);
    else if (typeof args === "string") this.#extend(call, args);
  }

  /** The call that a fragment goes on with, or null when it begins a new one. */
  #find(fragment: { index: number | null; id: string; name: string; args: unknown }): Open | null {
    const { index, id, name, args } = fragment;
    let call: Open | null = null;
    if (index !== null) call = this.#byIndex.get(index) ?? null;
    else if (id) return this.#calls.find((one) => one.id === id) ?? null;
    else call = this.#last;
    if (!call) return null;
    if (id && call.id && id !== call.id) return null;
    if (id && id === call.id) return call;
    // Without an id to tell, a name beside arguments that are already whole is another call.
    if (name && call.name && args && isWhole(call.arguments)) return null;
    if (name && call.name && name !== call.name && index === null) return null;
    return call;
  }

  #extend(call: Open, text: string): void {
    // A last fragment that repeats the whole arguments would spoil them.
    if (text === call.arguments && isWhole(text)) return;
    call.arguments += text;
  }

  /** Calls begun so far, with those that turn out to be empty. */
  get begun(): number {
    return this.#calls.length;
  }

  /** The finished calls, with an id each of its own; `nameless` counts those that name no tool. */
  end(options: { whole: boolean }): { calls: ModelCall[]; nameless: number } {
    const named = this.#calls.filter((call) => call.name !== "");
    const taken = new Set<string>();
    const calls = named.map((call) => {
      // As a client can say it back: half a character would not come back as it went.
      const given = call.id.toWellFormed();
      const id = given && !taken.has(given) ? given : `call_${randomUUID()}`;
      taken.add(id);
      return { id, name: call.name, arguments: call.arguments, whole: options.whole };
    });
    return { calls, nameless: this.#calls.length - named.length };
  }
}

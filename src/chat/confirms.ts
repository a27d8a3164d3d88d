// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The calls of a session that wait for the person's yes, in their order, and what stays of each.
import type { ConfirmRequest } from "../message.ts";
import type { Received } from "../protocol/events.ts";
import { cleanLine } from "./clean.ts";
import { type Line, type Style, span, style } from "./line.ts";
import { fit } from "./width.ts";

/** `key` is the turn's, or stands for a tool that somebody runs by hand. */
export type OpenConfirm = ConfirmRequest & { key: string };

type Kept = { confirm: OpenConfirm; said: boolean | null };

export class Confirms {
  #kept: Kept[] = [];

  /** The one to be asked now: the oldest that was not answered here. */
  get first(): OpenConfirm | null {
    return this.#kept.find(({ said }) => said === null)?.confirm ?? null;
  }

  /** Lines that stay. */
  receive(event: Received, columns: number): Line[] {
    if (event.type === "hello") {
      this.#kept = [];
      const { pending } = event;
      if (pending?.confirm) this.#open({ ...pending.confirm, key: pending.key ?? "" });
    } else if (event.type === "confirm") {
      this.#open({ ...event, key: event.key ?? "" });
    } else if (event.type === "confirmed") {
      const { key = "", call } = event;
      const kept = this.#kept.find(({ confirm }) => confirm.key === key && confirm.call === call);
      if (!kept) return [];
      this.drop(kept.confirm);
      return [endLine(kept, event, columns)];
    } else if (event.type === "done" || (event.type === "error" && event.req === undefined)) {
      // A turn that has ended asks nothing more, and says nothing about what it asked.
      this.#kept = this.#kept.filter(({ confirm }) => confirm.key !== event.key);
    }
    return [];
  }

  /** It was answered here; the daemon will say whether that counted. */
  say(confirm: OpenConfirm, allow: boolean): void {
    const kept = this.#kept.find((one) => one.confirm === confirm);
    if (kept) kept.said = allow;
  }

  /** It is not open any more. */
  drop(confirm: OpenConfirm): void {
    this.#kept = this.#kept.filter((one) => one.confirm !== confirm);
  }

  clear(): void {
    this.#kept = [];
  }

  #open(confirm: OpenConfirm): void {
    this.#kept.push({ confirm, said: null });
  }
}

function endLine(
  { confirm, said }: Kept,
  { allow, reason }: { allow: boolean; reason: "answer" | "expired" },
  columns: number,
): Line {
  const name = cleanLine(confirm.name);
  const line = (text: string, look: Style): Line => [span(fit(text, columns), look)];
  if (reason === "expired") return line(`expired: nobody said yes to ${name} in time`, style.warn);
  if (said !== allow)
    return line(`answered elsewhere: ${allow ? "yes" : "no"}: ${name}`, style.warn);
  return allow ? line(`allowed: ${name}`, style.good) : line(`refused: ${name}`, style.warn);
}

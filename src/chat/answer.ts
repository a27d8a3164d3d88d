// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// One turn on its way: events in; out come lines that stay, and the lines that still change.
import type { Pending, Received } from "../protocol/events.ts";
import { bar } from "./bar.ts";
import { Cleaner, clean, cleanLine } from "./clean.ts";
import { type Line, span, style } from "./line.ts";
import { MarkdownStream } from "./markdown.ts";
import { statsText } from "./stats.ts";
import { endedTool, foldedThought, runningTool, type ToolCall, wholeThought } from "./thought.ts";
import { fit } from "./width.ts";
import { wrap } from "./wrap.ts";

/** The person's words as they stand above an answer. */
export function questionLines(text: string, columns: number): Line[] {
  return wrap([span(clean(text).trim(), style.bold)], columns, {
    first: [span("› ", style.prompt)],
    next: [span("  ")],
  });
}

/** An error as a person reads it: what failed, and what to do next. */
export function errorLines(
  fault: { message: string; hint?: string | undefined },
  columns: number,
): Line[] {
  const hint = fault.hint ? wrap([span(clean(fault.hint), style.dim)], columns) : [];
  return [...wrap([span(clean(fault.message), style.bad)], columns), ...hint];
}

/** The message and, as a sentence of its own, what to do. */
export function noticeText({ message, hint }: { message: string; hint?: string | undefined }) {
  if (!hint) return message;
  return `${message}${/[.!?:…]$/.test(message) ? "" : "."} ${hint}`;
}

export function noticeLines(
  notice: { message: string; hint?: string | undefined },
  columns: number,
): Line[] {
  return wrap([span(clean(noticeText(notice)), style.dim)], columns, {
    first: [span("* ", style.warn)],
    next: [span("  ")],
  });
}

/** Under an answer that says something was done, when no tool of its turn can have done it. */
export const unbackedText = "No tool did what this answer says: nothing was changed.";

function doneLines(
  { stopped, unbacked }: { stopped?: boolean; unbacked?: boolean },
  stats: string,
  columns: number,
): Line[] {
  if (stopped) return [[span("(stopped)", style.warn)]];
  return [unbacked ? unbackedText : "", stats].flatMap((text) =>
    text === "" ? [] : wrap([span(text, style.dim)], columns),
  );
}

type Part = "question" | "thought" | "tool" | "text" | "end";

export class Answer {
  /** Thinking and tools are shown whole, not folded. */
  unfolded: boolean;
  /** Its end says what it cost. */
  stats: boolean;
  #markdown = new MarkdownStream();
  #words = new Cleaner();
  #thinkWords = new Cleaner();
  #thought = "";
  #thinking = false;
  /** Every piece of thinking and every call of this turn, for unfolding them afterwards. */
  readonly #details: (string | ToolCall)[] = [];
  readonly #running = new Map<string, ToolCall>();
  #status: "" | "thinking" | "waiting" | "loading" = "thinking";
  #progress: { processed: number; total: number } | null = null;
  #last: Part | null = null;
  #writing = false;

  readonly #hint: string;

  /** `hint` says how to see what is folded. */
  constructor(options: { unfolded?: boolean; stats?: boolean; hint?: string } = {}) {
    this.unfolded = options.unfolded ?? false;
    this.stats = options.stats ?? false;
    this.#hint = options.hint ?? "";
  }

  /** The question as it stands above the answer. */
  question(text: string, columns: number): Line[] {
    return this.#part("question", questionLines(text, columns));
  }

  /** The reply in flight that a `hello` told of, as far as it is. */
  catchUp(pending: Pending, columns: number): Line[] {
    const lines = this.question(pending.user, columns);
    if (pending.think) lines.push(...this.#think(pending.think, columns));
    for (const call of pending.calls ?? []) {
      lines.push(...this.#toolBegins(call.call, call, columns));
      if (call.state === "done") lines.push(...this.#toolEnds(call.call, call, columns));
    }
    if (pending.reply) lines.push(...this.#text(pending.reply, columns));
    if (pending.loading) this.#status = "loading";
    else if (pending.waiting) this.#status = "waiting";
    return lines;
  }

  /** Lines that stay from now on. */
  receive(event: Received, columns: number): Line[] {
    switch (event.type) {
      case "think":
        return this.#think(event.delta, columns);
      case "token":
        return this.#text(event.delta, columns);
      case "tool": {
        const call = event.call ?? event.name;
        return event.done
          ? this.#toolEnds(call, event, columns)
          : this.#toolBegins(call, event, columns);
      }
      case "state":
        this.#progress = null;
        this.#status = event.loading ? "loading" : event.waiting ? "waiting" : "thinking";
        return [];
      case "progress":
        this.#progress = event.processed < event.total ? event : null;
        return [];
      case "done":
        return this.#end(
          columns,
          doneLines(event, this.stats ? statsText(event.stats) : "", columns),
        );
      case "error":
        return this.#end(columns, errorLines(event, columns));
      default:
        return [];
    }
  }

  /** Lines that belong to its tools. */
  beside(lines: Line[]): Line[] {
    return this.#part("tool", lines);
  }

  /** No more of it will come. */
  cut(columns: number): Line[] {
    return this.#end(columns, []);
  }

  /** Blocks of the answer that were finished; to be asked once a drawing, not once a token. */
  settled(columns: number): Line[] {
    const finished = this.#writing ? this.#markdown.finished(columns) : [];
    return finished.length > 0 ? this.#part("text", finished) : [];
  }

  /** The lines that still change, the newest of them if there are more than `rows`. */
  live(columns: number, rows: number): Line[] {
    const lines: Line[] = [];
    if (this.#thinking) {
      // A long thought is not worth the whole screen: its end is what moves.
      lines.push(...wholeThought(this.#thought, columns).slice(this.unfolded ? 0 : -8));
    } else if (this.#writing) lines.push(...this.#markdown.open(columns));
    for (const call of this.#running.values()) lines.push(runningTool(call, columns));
    const status = this.#statusLine(columns);
    if (status) lines.push(status);
    if (lines.length === 0) return [];
    const gap: Line[] = this.#needsGap() && lines[0]?.length !== 0 ? [[]] : [];
    return [...gap, ...lines].slice(-rows);
  }

  /** What was folded, whole. */
  details(columns: number): Line[] {
    return this.#details.flatMap((detail) =>
      typeof detail === "string"
        ? wholeThought(detail, columns)
        : endedTool(detail, columns, { whole: true }),
    );
  }

  #think(delta: string, columns: number): Line[] {
    const lines = this.#finishText(columns);
    this.#thinking = true;
    this.#progress = null;
    this.#thought += this.#thinkWords.push(delta);
    return lines;
  }

  #text(delta: string, columns: number): Line[] {
    const lines = this.#fold(columns);
    this.#writing = true;
    this.#progress = null;
    this.#markdown.push(this.#words.push(delta));
    return lines;
  }

  #toolBegins(
    call: string,
    event: { name: string; arguments?: Record<string, unknown> },
    columns: number,
  ): Line[] {
    const lines = [...this.#fold(columns), ...this.#finishText(columns)];
    this.#running.set(call, { name: event.name, arguments: event.arguments ?? {} });
    return lines;
  }

  #toolEnds(
    call: string,
    event: { name: string; ok?: boolean; text?: string; latency_ms?: number },
    columns: number,
  ): Line[] {
    const begun = this.#running.get(call) ?? { name: event.name, arguments: {} };
    this.#running.delete(call);
    const ended = { ...begun, ok: event.ok, text: event.text, latencyMs: event.latency_ms };
    this.#details.push(ended);
    return this.#part(
      "tool",
      endedTool(ended, columns, { whole: this.unfolded, hint: this.#hint }),
    );
  }

  #end(columns: number, last: Line[]): Line[] {
    const lines = [...this.#fold(columns), ...this.#finishText(columns)];
    for (const call of this.#running.values()) {
      lines.push(...this.#part("tool", endedTool({ ...call, ok: false }, columns)));
    }
    this.#running.clear();
    this.#status = "";
    return [...lines, ...(last.length > 0 ? this.#part("end", last) : [])];
  }

  #fold(columns: number): Line[] {
    if (!this.#thinking) return [];
    const thought = this.#thought;
    this.#thinking = false;
    this.#thought = "";
    if (thought.trim() === "") return [];
    this.#details.push(thought);
    const lines = this.unfolded
      ? wholeThought(thought, columns)
      : foldedThought(thought, this.#hint);
    return this.#part("thought", lines);
  }

  #finishText(columns: number): Line[] {
    if (!this.#writing) return [];
    const lines = this.#markdown.end(columns);
    this.#writing = false;
    this.#markdown = new MarkdownStream();
    return lines.length > 0 ? this.#part("text", lines) : [];
  }

  #needsGap(): boolean {
    const next = this.#thinking ? "thought" : this.#writing ? "text" : "tool";
    return this.#last !== null && this.#last !== next;
  }

  /** A blank line stands between parts of different kinds. */
  #part(part: Part, lines: Line[]): Line[] {
    const gap = this.#last !== null && this.#last !== part;
    this.#last = part;
    return gap ? [[], ...lines] : lines;
  }

  #statusLine(columns: number): Line | null {
    if (this.#progress) {
      const { processed, total } = this.#progress;
      const text = ` ${processed} of ${total} tokens`;
      return [span(fit(`Reading ${bar(processed / total, 20)}${text}`, columns), style.dim)];
    }
    if (this.#thinking || this.#writing || this.#running.size > 0 || this.#status === "")
      return null;
    const text = {
      thinking: "…",
      waiting: "Waiting: the model works for another session …",
      loading: "The model is being made ready …",
    }[this.#status];
    return [span(fit(cleanLine(text), columns), style.dim)];
  }
}
